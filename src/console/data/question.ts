import { signal } from '@preact/signals';

export interface Question {
  text: string;
  answer: (yes: boolean) => void;
}

/** Asked before something that cannot be taken back. */
export const question = signal<Question | null>(null);

export function ask(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = {
      text,
      answer(yes) {
        question.value = null;
        resolve(yes);
      },
    };
  });
}
