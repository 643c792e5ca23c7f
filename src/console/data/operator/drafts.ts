import { useState } from 'preact/hooks';

/** Texts that were typed and not sent, by their purpose. Another key, page or tab of the page, or a refusal, must not lose them. */
const drafts = new Map<string, unknown>();

/** A state that is still there when its element is shown again, until the draft is deleted. */
export function useDraft<T>(key: string, initial: T): [T, (next: T) => void] {
  const [state, setState] = useState<T>(drafts.has(key) ? (drafts.get(key) as T) : initial);
  const set = (next: T) => {
    drafts.set(key, next);
    setState(next);
  };
  return [state, set];
}

export const findDraft = <T>(key: string): T | undefined => drafts.get(key) as T | undefined;

export function deleteDraft(key: string): void {
  drafts.delete(key);
}

/** When somebody signs out: the next person at this browser must not see them. */
export function deleteDrafts(): void {
  drafts.clear();
}
