import { computed, effect, signal } from '@preact/signals';
import { type Language, language } from '../data/operator/preferences.ts';
import { firstLoadStrings } from './en/first-load.ts';
import type { Strings } from './en.ts';

/** The texts of the sign-in and the page Now: all that are there at first. Pages load after `loadWords`. */
const first = { code: 'en', ...firstLoadStrings } as unknown as Strings;

const loaded = signal<Partial<Record<Language, Strings>>>({});

/** Everything the console says, in the language of the viewer; English until another one is loaded. */
export const words = computed<Strings>(() => loaded.value[language.value] ?? loaded.value.en ?? first);

/** Everything in English, which every page but Now needs. */
export async function loadWords(): Promise<void> {
  if (loaded.peek().en) return;
  const { en } = await import('./en.ts');
  loaded.value = { ...loaded.peek(), en };
}

effect(() => {
  document.documentElement.lang = words.value.code;
  if (language.value !== 'de' || loaded.peek().de) return;
  void import('./de.ts').then(({ de }) => {
    loaded.value = { ...loaded.peek(), de };
  });
});
