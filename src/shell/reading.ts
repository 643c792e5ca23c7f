import { noEnv, noRedirects, type Redirect } from './command.ts';
import type { WordBits } from './word.ts';

// The findings of reading a text, and the steps that are left for it.

/** The text is none that a shell accepts, or more than is read. */
export const UNREADABLE = new Error('not a shell command that can be read');

/** A command as it is written, before what it wraps is found. */
export interface Written {
  readonly words: string[];
  /** Bits of each word. The list may be shorter than `words`: the words after it are plain. */
  bits: readonly WordBits[];
  redirects: readonly Redirect[];
  /** Redirects of compound commands that it is in. */
  outerRedirects: readonly Redirect[];
  env: Readonly<Record<string, string>>;
  /** The text of `<<` or `<<<`; null when it has none, or it is not known. */
  input: string | null;
  /** Whether its standard input is redirected, so that it does not come from the pipe. */
  hasInput: boolean;
  /** Where in `Reading.found` the commands before it in the pipeline are: starts and ends in turn. */
  readonly pipedFrom: readonly number[];
  /** The only command whose output it reads, when it is one. */
  readonly printed: Written | null;
  /** The same for commands in substitutions of its words. */
  substitutes: readonly number[];
  readonly substituted: boolean;
}

/** State that the reading of a text shares with the reading of the texts inside it. */
export interface Reading {
  /** Characters that may still be read: a text in a text is read again. */
  left: number;
  /** Words that braces may still make. */
  wordsLeft: number;
  /** Whether a familiar variable was assigned, so that it may be anything. */
  isUnfamiliar: boolean;
  /** In the order in which they end. */
  readonly found: Written[];
}

export const nowhere: readonly number[] = [];
const noBits: readonly WordBits[] = [];

/** A command without words yet. */
export const newWritten = (
  pipedFrom: readonly number[],
  printed: Written | null,
  substituted: boolean,
): Written => ({
  words: [],
  bits: noBits,
  redirects: noRedirects,
  outerRedirects: noRedirects,
  env: noEnv,
  input: null,
  hasInput: false,
  pipedFrom,
  printed,
  substitutes: nowhere,
  substituted,
});

/** Adds a word; of most words, nothing is special. */
export function addWord(command: Written, word: string, bits: WordBits): void {
  if (bits !== 0) {
    if (command.bits === noBits) command.bits = [];
    const all = command.bits as WordBits[];
    while (all.length < command.words.length) all.push(0);
    all.push(bits);
  }
  command.words.push(word);
}

export function addRedirect(command: Written, redirect: Redirect): void {
  if (command.redirects === noRedirects) command.redirects = [redirect];
  else (command.redirects as Redirect[]).push(redirect);
}

/** Commands without output: a redirect of theirs only empties its file. */
const silent: ReadonlySet<string | undefined> = new Set([undefined, ':', 'true', 'false']);

/**
 * Gives the redirects of a compound command to the commands in it, of which `from` is the first and the one before `to` the last. False
 * when none of them writes anything.
 */
export function shareRedirects(
  reading: Reading,
  from: number,
  to: number,
  { redirects, substituted }: Written,
): boolean {
  // Each copy counts as characters that are read.
  spendOn(reading, (to - from) * redirects.length);
  let isShared = false;
  for (let at = from; at < to; at += 1) {
    const command = reading.found[at] as Written;
    if (command.substituted !== substituted || silent.has(command.words[0])) continue;
    const { outerRedirects } = command;
    command.outerRedirects = outerRedirects === noRedirects ? redirects : [...outerRedirects, ...redirects];
    isShared = true;
  }
  return isShared;
}

/** A text that is nested too deeply is not read at all: trying it in another way would double the work at each level. */
export function giveUp(reading: Reading): never {
  reading.left = -1;
  throw UNREADABLE;
}

export function spendOn(reading: Reading, characters: number): void {
  reading.left -= characters;
  if (reading.left < 0) throw UNREADABLE;
}
