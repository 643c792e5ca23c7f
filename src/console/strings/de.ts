import { frameStrings } from './de/frame.ts';
import { peopleStrings } from './de/people.ts';
import { setupStrings } from './de/setup.ts';
import { workStrings } from './de/work.ts';
import type { Strings } from './en.ts';

export const de: Strings = { code: 'de', ...frameStrings, ...workStrings, ...setupStrings, ...peopleStrings };
