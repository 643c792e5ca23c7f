import { useEffect } from 'preact/hooks';
import { words } from '../../strings/index.ts';
import { ask } from '../change.ts';
import { guardLeaving } from '../route.ts';

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
