import type { Circumstances, Command, Redirect } from './command.ts';
import type { WordBits } from './word.ts';

/** The standard input of a command: a known text, null for one that is not known, undefined for a terminal. */
export type Input = string | null | undefined;

/** A command whose wrappers are taken off one after another: what is left begins at `at`. */
export interface Frame {
  readonly words: readonly string[];
  readonly bits: readonly WordBits[];
  at: number;
  env: Readonly<Record<string, string>>;
  wrappers: readonly string[];
  readonly redirects: readonly Redirect[];
  pipedFrom: readonly string[];
  /** Programs in the substitutions of its words. */
  readonly substitutes: readonly string[];
  readonly substituted: boolean;
  input: Input;
  /** Whether its flags are words with one hyphen, as in PowerShell. */
  readonly hasWordFlags: boolean;
}

/** Finds commands in commands: what a wrapper needs. */
export interface Unwrapping {
  /** The commands that were found, in the order in which they are written. */
  readonly out: readonly Command[];
  /** Adds the command that begins at `frame.at`, as it is. */
  add(frame: Frame, isOpaque: boolean): void;
  /** Finds what a command runs whose wrappers are still to be taken off. */
  run(frame: Frame): void;
  /** Reads a text that `frame` gives to a shell; `bits` say what is unknown in it. */
  runText(frame: Frame, text: string, bits: WordBits, name: string, input?: Input): void;
  /** Runs the words from `from` on as a command of its own, in `frame`. */
  runWords(
    frame: Frame,
    from: number,
    name: string,
    changes?: { words?: readonly string[]; bits?: readonly WordBits[]; input?: Input },
  ): void;
}

/**
 * Takes a wrapper off `frame.words` at `frame.at`. Returns where the command in it begins; null when everything was run or added;
 * the length of the words or more when nothing is wrapped.
 */
export type Wrapper = (unwrapping: Unwrapping, frame: Frame) => number | null;

export const circumstancesOf = ({
  redirects,
  env,
  wrappers,
  pipedFrom,
  substituted,
  input,
}: Frame): Circumstances => ({
  redirects,
  env,
  wrappers,
  pipedFrom,
  substituted,
  input,
});

/** The program of a frame, for the list of wrappers. */
export const nameOf = ({ words, at }: Frame): string => {
  const word = words[at] as string;
  return word.slice(word.lastIndexOf('/') + 1).toLowerCase();
};

/** Adds the command, which is opaque, and ends. */
export function opaque(unwrapping: Unwrapping, frame: Frame): null {
  unwrapping.add(frame, true);
  return null;
}
