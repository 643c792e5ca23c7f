import { frameStrings } from './en/frame.ts';
import { peopleStrings } from './en/people.ts';
import { setupStrings } from './en/setup.ts';
import { workStrings } from './en/work.ts';

/** Everything the console says. Other languages have the same shape: de.ts. */
export const en = { code: 'en', ...frameStrings, ...workStrings, ...setupStrings, ...peopleStrings };

/** The shape that every language has. */
export type Strings = typeof en;
