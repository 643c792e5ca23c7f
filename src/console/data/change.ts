import { signal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { type ApiError, apiErrorOf } from './api.ts';

interface Change {
  /** The error of the last change. */
  error: ApiError | null;
  isBusy: boolean;
  run(change: () => Promise<unknown>): Promise<void>;
}

/** Runs one change at a time: a second press while the first is on its way does nothing. */
export function useChange(): Change {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const running = useRef(false);
  async function run(change: () => Promise<unknown>): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await change();
    } catch (failure) {
      setError(apiErrorOf(failure));
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return { error, isBusy, run };
}

/** The latest news, for eyes and screen readers; `id` makes the same text twice two announcements. */
export const announcement = signal<{ id: number; text: string } | null>(null);

const shownMs = 5_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  announcement.value = { id: (announcement.value?.id ?? 0) + 1, text };
  clearTimeout(timer);
  timer = setTimeout(() => {
    announcement.value = null;
  }, shownMs);
}

export interface Question {
  text: string;
  /** The label of the button that does it. */
  yes: string;
  answer: (yes: boolean) => void;
}

/** Asked before something that cannot be taken back. */
export const question = signal<Question | null>(null);

export function ask(text: string, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    question.value = {
      text,
      yes,
      answer(yes) {
        question.value = null;
        resolve(yes);
      },
    };
  });
}
