import type { Phase } from './decisions.ts';

/** Identifiers that one session keeps. */
export const mostIdentifiers = 5_000;

/** Where an identifier was seen in its session. */
export interface Sighting {
  /** The number of the action; for a PROMPT and a RESULT, that of the last action before it: 0 for none. */
  readonly seq: number;
  readonly tool: string;
  readonly phase: Phase;
  /** That the rules gave to what it was seen in. */
  readonly labels: readonly string[];
  /** Whether it was a whole field, and no part of a longer text. */
  readonly whole: boolean;
  /**
   * The field that held the identifier, in lower case. In a RESULT, the path of the field from the top, such as `.messages.from`, without
   * places in lists. In other phases, and where a result has no such path (a text that was read as lines), the name of the field; a name
   * that begins with a dot gets `..` in front. Empty for a part of a text, and for content that is not an object.
   */
  readonly field: string;
  /** The record of the result that named it: the same text for all values of one record. Empty in other phases, and where a result is one text. */
  readonly origin: string;
}
