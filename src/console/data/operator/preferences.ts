import { effect, type Signal, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

function kept<T extends string>(name: string, choices: readonly T[], initial: T): Signal<T> {
  const key = `assize.${name}`;
  const found = localStorage.getItem(key) as T | null;
  const choice = signal(found !== null && choices.includes(found) ? found : initial);
  effect(() => localStorage.setItem(key, choice.value));
  return choice;
}

export const themes = ['system', 'light', 'dark'] as const;
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const preferred = navigator.languages.find((one) => /^(?:en|de)\b/.test(one)) ?? 'en';

export const theme = kept('theme', themes, 'system');
export const language = kept<Language>('language', languages, preferred.startsWith('de') ? 'de' : 'en');
export const density = kept('density', ['comfortable', 'compact'], 'comfortable');
/** Whether Now leads to the guided steps. */
export const guide = kept('guide', ['shown', 'away'], 'shown');
export const shortcuts = kept('shortcuts', ['on', 'off'], 'on');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  document.documentElement.dataset.density = density.value;
});

/** How long G waits for the letter of a page, in milliseconds. */
const chordMs = 1_500;
let chordUntil = 0;

/** Before the keys of a page: a letter after G is not one of theirs. */
function isChord(event: KeyboardEvent): boolean {
  if (event.key.toLowerCase() === 'g' && event.timeStamp > chordUntil) {
    chordUntil = event.timeStamp + chordMs;
    return true;
  }
  return event.timeStamp <= chordUntil;
}

/** Keys that were looked at already, by any of the hooks below: each asks once. */
const chords = new WeakMap<KeyboardEvent, boolean>();
const isInChord = (event: KeyboardEvent): boolean => {
  const known = chords.get(event);
  if (known !== undefined) return known;
  const found = isChord(event);
  chords.set(event, found);
  return found;
};

/**
 * Keys of one letter, and `g x` for X after G, while nothing is typed into and no dialog is open. Can be turned off
 * (WCAG 2.1.4).
 */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Whoever sees the page may press a key at once.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (shortcuts.value === 'off' || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (
        target.matches('input, textarea, select, [contenteditable]') ||
        document.querySelector('dialog[open]')
      )
        return;
      const letter = event.key.toLowerCase();
      const name = isInChord(event) ? `g ${letter}` : letter;
      const run = Object.hasOwn(latest.current, name) ? latest.current[name] : undefined;
      if (!run) return;
      chordUntil = 0;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
