import type { Pass } from '../pass.ts';

/** Whether what stands around the value at `from` is of a person: a telephone number, a day of birth, an address has its label there. */
export function isAmongPeople({ people, text }: Pass, from: number, to: number): boolean {
  return people.areAround(text, from, to);
}
