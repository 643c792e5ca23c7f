import {
  type Circumstances,
  Command,
  noEnv,
  noPrograms,
  noRedirects,
  programOf,
  type Redirect,
} from './command.ts';
import { circumstancesOf, type Frame, type Input, type Unwrapping } from './frame.ts';
import { Reader } from './reader.ts';
import { type Reading, UNREADABLE, type Written } from './reading.ts';
import { GLOB, QUOTED, UNKNOWN, UNSAFE, type WordBits } from './word.ts';
import { wrapperOf } from './wrappers.ts';

export type { Command };

const DEEPEST = 16;
const MOST_COMMANDS = 1_000;
const MOST_WORDS = 2_000;

/** Most that is read of a text, as a multiple of its length: a text in a text is read again. */
const MOST_READINGS = 8;
const LEAST_READ = 4_096;

/** The commands that a text, or a list of words, would run; and how many characters were read to find them. Never throws. */
export function readCommands(said: string | readonly unknown[]): {
  commands: readonly Command[];
  charactersRead: number;
} {
  const { length } = typeof said === 'string' ? said : said.join(' ');
  const unwrapping = new Unwrapper(length * MOST_READINGS + LEAST_READ);
  const most = unwrapping.left;
  try {
    if (typeof said === 'string') unwrapping.readText(said.toWellFormed(), topLevel);
    else unwrapping.readList(said);
  } catch (error) {
    if (error !== UNREADABLE) throw error;
    unwrapping.out.push(opaqueCommand(String(said), topLevel));
  }
  return { commands: unwrapping.out, charactersRead: most - Math.max(unwrapping.left, 0) };
}

const topLevel: Circumstances = {
  redirects: noRedirects,
  env: noEnv,
  wrappers: noPrograms,
  pipedFrom: noPrograms,
  substituted: false,
};

const opaqueCommand = (text: string, circumstances: Circumstances): Command =>
  new Command('', [text], circumstances, true);

/** Finds commands in commands. What is found is in `out`, in the order in which it is written. */
class Unwrapper implements Unwrapping {
  readonly out: Command[] = [];
  left: number;
  #wordsLeft = MOST_WORDS;
  #depth = 0;

  constructor(left: number) {
    this.left = left;
  }

  /** A list of words, which no shell reads. */
  readList(said: readonly unknown[]): void {
    const words = said.map((word) => (typeof word === 'string' ? word.toWellFormed() : String(word)));
    const [first = ''] = words;
    // A command line in a list of one, which some tools give to a shell.
    if (words.length === 0) return;
    if (words.length === 1 && /\s/.test(first)) {
      this.readText(first, topLevel);
      return;
    }
    this.run({
      ...topLevel,
      words,
      bits: words.map(() => QUOTED),
      at: 0,
      substitutes: noPrograms,
      input: undefined,
      hasWordFlags: false,
    });
  }

  /**
   * The commands of a text. `isExpanded`: expansions in it were made by the shell outside, which also ran what is substituted.
   * A text that cannot be read is one opaque command.
   */
  readText(
    text: string,
    base: Circumstances,
    { isExpanded = false, input }: { isExpanded?: boolean; input?: Input } = {},
  ): void {
    this.#enter(text.length);
    const reading: Reading = {
      left: this.left,
      wordsLeft: this.#wordsLeft,
      isUnfamiliar: false,
      found: [],
    };
    let isReadable = true;
    try {
      new Reader(text, reading, base.substituted).read();
    } catch (error) {
      if (error !== UNREADABLE) throw error;
      isReadable = false;
    }
    this.left = reading.left;
    this.#wordsLeft = reading.wordsLeft;
    this.#runWritten(reading.found, base, isExpanded, input);
    if (!isReadable) this.#add(opaqueCommand(text, base));
    this.#depth -= 1;
  }

  #runWritten(found: readonly Written[], base: Circumstances, isExpanded: boolean, input: Input): void {
    // Where the commands begin that each written one stands for.
    const starts: number[] = [];
    for (const written of found) {
      starts.push(this.out.length);
      if (isExpanded && isRunOutside(written, base)) continue;
      const { words, bits, pipedFrom, substitutes, substituted, env } = written;
      if (base === topLevel && pipedFrom.length === 0 && this.#addPlain(written)) continue;
      const isPiped = pipedFrom.length > 0;
      this.run({
        words,
        bits,
        at: 0,
        env: base.env === noEnv ? env : { ...base.env, ...env },
        wrappers: base.wrappers,
        redirects: redirectsOf(written),
        pipedFrom: isPiped ? this.#programsIn(pipedFrom, starts) : base.pipedFrom,
        substitutes: substitutes.length === 0 ? noPrograms : this.#programsIn(substitutes, starts),
        substituted,
        input: written.hasInput ? written.input : isPiped ? printedBy(written.printed) : input,
        hasWordFlags: false,
      });
    }
  }

  /** The programs of commands in `out` that stand for ranges of those that are written. */
  #programsIn(ranges: readonly number[], starts: readonly number[]): string[] {
    const programs: string[] = [];
    for (let range = 0; range < ranges.length; range += 2) {
      const from = starts[ranges[range] as number] as number;
      const to = starts[ranges[range + 1] as number] ?? this.out.length;
      for (let index = from; index < to; index += 1) {
        const { program } = this.out[index] as Command;
        if (program !== '' && !programs.includes(program)) programs.push(program);
      }
    }
    return programs;
  }

  /** Adds a command that wraps nothing, and of which everything is known; false for any other. */
  #addPlain(written: Written): boolean {
    const { words, bits, env, substituted, input } = written;
    const [word] = words;
    if (word === undefined || isUnknownProgram(word, bits[0] ?? 0)) return false;
    const program = programOf(word);
    if (wrapperOf(program) !== undefined) return false;
    this.#add(
      new Command(
        word,
        words.slice(1),
        {
          redirects: redirectsOf(written),
          env,
          wrappers: noPrograms,
          pipedFrom: noPrograms,
          substituted,
          input,
        },
        false,
        false,
        program,
      ),
    );
    return true;
  }

  /** A command whose wrappers are still to be taken off. */
  run(frame: Frame): void {
    this.#enter(0);
    this.#unwrap(frame);
    this.#depth -= 1;
  }

  #unwrap(frame: Frame): void {
    const { words, bits } = frame;
    for (let word = words[frame.at]; word !== undefined; word = words[frame.at]) {
      if (isUnknownProgram(word, bits[frame.at] ?? 0)) {
        this.add(frame, true);
        return;
      }
      const program = programOf(word);
      const wrapper = wrapperOf(program);
      if (wrapper === undefined) break;
      const next = wrapper(this, frame);
      if (next === null) return;
      if (next >= words.length) break;
      frame.wrappers = [...frame.wrappers, program];
      frame.at = next;
    }
    this.add(frame, false);
  }

  /** The command that begins at `frame.at`, as it is. */
  add(frame: Frame, isOpaque: boolean): void {
    const { words, at, pipedFrom, substitutes } = frame;
    // The code that an opaque command runs comes from its substitutions.
    const from = isOpaque && substitutes.length > 0 ? [...pipedFrom, ...substitutes] : pipedFrom;
    this.#add(
      new Command(
        words[at] ?? '',
        words.slice(at + 1),
        from === pipedFrom ? frame : { ...circumstancesOf(frame), pipedFrom: from },
        isOpaque,
        frame.hasWordFlags,
      ),
    );
  }

  #add(command: Command): void {
    if (this.out.length >= MOST_COMMANDS) throw UNREADABLE;
    this.out.push(command);
  }

  #enter(characters: number): void {
    this.#depth += 1;
    this.left -= characters;
    if (this.#depth > DEEPEST || this.left < 0) throw UNREADABLE;
  }

  /** A text that `frame` gives to a shell; `bits` say what is unknown in it. */
  runText(frame: Frame, text: string, bits: WordBits, name: string, input: Input = frame.input): void {
    const isUnsafe = (bits & UNSAFE) !== 0;
    if (isUnsafe) this.add(frame, true);
    const wrappers = name === '' ? frame.wrappers : [...frame.wrappers, name];
    const inner = { ...circumstancesOf(frame), wrappers, redirects: noRedirects };
    this.readText(text, inner, { isExpanded: isUnsafe, input });
  }

  /** The words from `from` on as a command of its own, in `frame`. */
  runWords(
    frame: Frame,
    from: number,
    name: string,
    { words = frame.words, bits = frame.bits, input = frame.input } = {},
  ): void {
    if (from >= words.length) return;
    this.run({ ...frame, words, bits, at: from, wrappers: [...frame.wrappers, name], input });
  }
}

const redirectsOf = ({ redirects, outerRedirects }: Written): readonly Redirect[] => {
  if (outerRedirects === noRedirects) return redirects;
  return redirects === noRedirects ? outerRedirects : [...redirects, ...outerRedirects];
};

/** Whether the shell outside has run it, or has put the whole text in its place. */
const isRunOutside = ({ substituted, words, bits }: Written, base: Circumstances): boolean =>
  (substituted && !base.substituted) || (words.length === 1 && ((bits[0] ?? 0) & UNSAFE) !== 0);

/** Whether which program a word names depends on an expansion, or on the files that there are. */
function isUnknownProgram(word: string, bits: WordBits): boolean {
  if (bits & UNSAFE || (bits & GLOB && word !== '[')) return true;
  // zsh: `=rm` is the path of rm.
  if (word.charCodeAt(0) === EQUALS && word.length > 1) return true;
  return (bits & UNKNOWN) !== 0 && word.slice(word.lastIndexOf('/') + 1).includes('$');
}

const EQUALS = 61;

/** The output of `echo`, `printf` and `cat` with a here document; null when it is unknown. */
function printedBy(written: Written | null): string | null {
  if (written === null) return null;
  const { words, bits, input, hasInput, redirects } = written;
  const [program, ...args] = words;
  if (redirects.length > 0) return null;
  if (program === 'cat' && args.length === 0 && hasInput) return input;
  if (program !== 'echo' && program !== 'printf') return null;
  if (bits.some((one) => one & ~QUOTED)) return null;
  const [first = ''] = args;
  const text = (program === 'echo' && /^-[neE]+$/.test(first) ? args.slice(1) : args).join(' ');
  if (text.includes('\\') || (program === 'printf' && (args.length !== 1 || text.includes('%')))) return null;
  return text;
}
