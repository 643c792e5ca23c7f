import { signal } from '@preact/signals';
import type { Verb } from './decide.ts';

/** The reviews that are chosen for one decision. */
export const selection = signal<ReadonlySet<string>>(new Set());

/** The decision that is being written. */
export const deciding = signal<{ id: string; verb: Verb } | null>(null);

/** The name of what is typed for the decision of a review. */
export const draftOf = (reviewId: string): string => `decision of ${reviewId}`;

/** Reviews that another operator decided first. */
export const lost = signal<ReadonlySet<string>>(new Set());

export function toggle(id: string): void {
  const next = new Set(selection.value);
  if (!next.delete(id)) next.add(id);
  selection.value = next;
}
