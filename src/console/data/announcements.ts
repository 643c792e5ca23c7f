import { signal } from '@preact/signals';

/** What just happened, for eyes and screen readers; `id` makes the same text twice two announcements. */
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
