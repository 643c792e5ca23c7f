import { useEffect, useState } from 'preact/hooks';
import { words } from '../../strings/index.ts';
import { ask } from '../change.ts';
import { guardLeaving } from '../route.ts';

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

/** Warns before the browser leaves the page, while something that was changed is not saved. */
export function useWarningBeforeLeaving(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
}

/** The same, and asks before another page of the console is opened, unless it is being sent: what is typed here is no draft. */
export function useUnsaved(isChanged: boolean, isSending: { readonly current: boolean }): void {
  useWarningBeforeLeaving(isChanged);
  useEffect(
    () =>
      isChanged
        ? guardLeaving(
            async () =>
              isSending.current || (await ask(words.peek().common.leaveQuestion, words.peek().common.leave)),
          )
        : undefined,
    [isChanged],
  );
}
