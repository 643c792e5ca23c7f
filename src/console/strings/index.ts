import { computed, effect, signal } from '@preact/signals';
import { type Language, language } from '../data/preferences.ts';
import { en, type Strings } from './en.ts';

const loaded = signal<Partial<Record<Language, Strings>>>({ en });

/** Everything the console says, in the language of the viewer; English until another one is loaded. */
export const words = computed<Strings>(() => loaded.value[language.value] ?? en);

effect(() => {
  document.documentElement.lang = words.value.code;
  if (language.value !== 'de' || loaded.peek().de) return;
  void import('./de.ts').then(({ de }) => {
    loaded.value = { ...loaded.peek(), de };
  });
});
