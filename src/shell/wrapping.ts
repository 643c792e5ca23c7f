import { type Frame, nameOf, opaque, type Unwrapping, type Wrapper } from './frame.ts';
import { type Options, readOptions, valuesOf } from './options.ts';
import type { WordBits } from './word.ts';

// Makers of wrappers: most programs that run another one take it in one of a few forms.

export const options = (short = '', long = ''): Options => ({ short, long: new Set(long.split(' ')) });

/** `name [options] [operands] command…`; `listed`: the program does something itself as well. */
export const prefix =
  (known: Options, { operands = 0, listed = false, assigns = false, queries = '' } = {}): Wrapper =>
  (unwrapping, frame) => {
    const found = readOptions(frame, frame.at + 1, known);
    if (found.isUnsafe) return opaque(unwrapping, frame);
    if (found.flags.some((flag) => queries.split(' ').includes(flag))) return Number.POSITIVE_INFINITY;
    let at = found.at + operands;
    if (assigns) at = addAssignments(frame, at);
    if (frame.words[at] === '--') at += 1;
    if (!listed || at >= frame.words.length) return at;
    return self(unwrapping, frame, at);
  };

/** Adds the program itself, and goes on with what it runs. */
function self(unwrapping: Unwrapping, frame: Frame, at: number): number {
  unwrapping.add(frame, false);
  return at;
}

/** `NAME=value` from `at` on. */
export function addAssignments(frame: Frame, at: number): number {
  let next = at;
  for (; next < frame.words.length; next += 1) {
    const word = frame.words[next] as string;
    const equals = word.indexOf('=');
    if (equals <= 0 || !/^\w+$/.test(word.slice(0, equals))) break;
    const name = word.slice(0, equals);
    if (name !== '__proto__') frame.env = { ...frame.env, [name]: word.slice(equals + 1) };
  }
  return next;
}

/** All words from `at` on as one text, as `eval` and `ssh` read them. */
export function joined({ words, bits }: Frame, at: number): { text: string; bits: WordBits } {
  return { text: words.slice(at).join(' '), bits: bits.slice(at).reduce((all, one) => all | one, 0) };
}

/** `name [options] [operands] words…`, whose words are joined to a text for a shell. */
export const joining =
  (known: Options, { operands = 0, listed = false } = {}): Wrapper =>
  (unwrapping, frame) => {
    const found = readOptions(frame, frame.at + 1, known);
    if (found.isUnsafe) return opaque(unwrapping, frame);
    const at = found.at + operands;
    if (at >= frame.words.length) return at;
    if (listed) unwrapping.add(frame, false);
    const { text, bits } = joined(frame, at);
    unwrapping.runText(frame, text, bits, nameOf(frame));
    return null;
  };

/**
 * `name [operands] -c text`; else as `otherwise` says. The option is looked for after at most so many operands: what comes later is a
 * command of its own with options of its own.
 */
export const scripted =
  (known: Options, flags: readonly string[], otherwise: Wrapper, operands = 1): Wrapper =>
  (unwrapping, frame) => {
    let from = frame.at + 1;
    for (let passed = 0; passed <= operands && from < frame.words.length; passed += 1) {
      const found = readOptions(frame, from, known);
      if (found.isUnsafe) return opaque(unwrapping, frame);
      const [script] = valuesOf(found, ...flags);
      if (script !== undefined) {
        unwrapping.add(frame, false);
        unwrapping.runText(frame, script.text, script.bits, nameOf(frame));
        return null;
      }
      from = found.at + 1;
    }
    return otherwise(unwrapping, frame);
  };

export const alone: Wrapper = () => Number.POSITIVE_INFINITY;

const HYPHEN = 45;

/** `tool … run command`: after one of these subcommands comes a command. */
export const subcommand =
  (
    subcommands: readonly string[],
    known: Options,
    { operands = 0, scripts = [] as string[], isPackage = false } = {},
  ): Wrapper =>
  (unwrapping, frame) => {
    const verb = frame.words[frame.at + 1];
    if (verb === undefined || (verb.charCodeAt(0) !== HYPHEN && !subcommands.includes(verb)))
      return alone(unwrapping, frame);
    const found = readOptions(frame, frame.at + 1, known);
    const index = subcommands.indexOf(frame.words[found.at] as string);
    if (index < 0) return alone(unwrapping, frame);
    const inner = readOptions(frame, found.at + 1, known);
    if (inner.isUnsafe) return opaque(unwrapping, frame);
    unwrapping.add(frame, false);
    const [script] = valuesOf(inner, ...scripts);
    if (script !== undefined) {
      unwrapping.runText(frame, script.text, script.bits, nameOf(frame));
      return null;
    }
    let at = inner.at + operands;
    if (frame.words[at] === '--') at += 1;
    runPackage(unwrapping, frame, at, isPackage);
    return null;
  };

/** A command that may be the name of a package with its version: `rimraf@5`. */
export function runPackage(unwrapping: Unwrapping, frame: Frame, at: number, isPackage: boolean): void {
  const word = frame.words[at];
  if (word === undefined) return;
  const version = isPackage ? word.indexOf('@', 1) : -1;
  const words = version < 0 ? frame.words : frame.words.with(at, word.slice(0, version));
  unwrapping.runWords(frame, at, nameOf(frame), { words });
}
