import { effect, type Signal, signal } from '@preact/signals';

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
export const shortcuts = kept('shortcuts', ['on', 'off'], 'on');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
