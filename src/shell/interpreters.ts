import { programOf } from './command.ts';
import { type Frame, nameOf, opaque, type Unwrapping, type Wrapper } from './frame.ts';
import { UNSAFE } from './word.ts';

const names = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'ksh93', 'mksh', 'rbash', 'fish', 'csh', 'tcsh'];

/** `bash -c text`, `bash file`, and what comes from standard input. */
const shell: Wrapper = (unwrapping, frame) => {
  const { words } = frame;
  let hasText = false;
  let readsInput = false;
  let at = frame.at + 1;
  for (; at < words.length; at += 1) {
    const word = words[at] as string;
    if (((frame.bits[at] ?? 0) & UNSAFE) !== 0 && !hasText) return opaque(unwrapping, frame);
    if (word === '--' || word === '-') {
      at += 1;
      break;
    }
    if (!/^[-+]/.test(word)) break;
    if (word.startsWith('--')) {
      if (word === '--version' || word === '--help') return Number.POSITIVE_INFINITY;
      if (word === '--rcfile' || word === '--init-file') at += 1;
      // fish
      if (word.startsWith('--command=')) return text(unwrapping, frame, word.slice(10), at);
      if (word === '--command') hasText = true;
      continue;
    }
    // It reads its commands and runs none.
    if (/^-(?=\w*n)[a-hj-zA-Z]+$/.test(word)) return Number.POSITIVE_INFINITY;
    if (word.startsWith('-') && word.includes('c')) hasText = true;
    if (word.includes('s')) readsInput = true;
    if (/[oO]$/.test(word)) at += 1;
  }
  const said = words[at];
  if (hasText) return said === undefined ? opaque(unwrapping, frame) : text(unwrapping, frame, said, at);
  if (said !== undefined && !readsInput) {
    unwrapping.add(frame, /^\/(?:dev\/(?:stdin|fd)|proc)/.test(said));
    return null;
  }
  return runInput(unwrapping, frame);
};

function text(unwrapping: Unwrapping, frame: Frame, said: string, at: number): null {
  unwrapping.runText(frame, said, frame.bits[at] ?? 0, nameOf(frame));
  return null;
}

/** A shell that reads its commands. */
function runInput(unwrapping: Unwrapping, frame: Frame): null {
  const { input } = frame;
  // The printed text is known; a here document may come from somebody else's template.
  unwrapping.add(frame, typeof input !== 'string' || frame.pipedFrom.length === 0);
  if (typeof input === 'string') unwrapping.runText(frame, input, 0, nameOf(frame), undefined);
  return null;
}

export const shells: readonly (readonly [string, Wrapper])[] = [
  ...names.map((name) => [name, shell] as const),
  // Their commands come from standard input.
  ...['at', 'batch'].map((name) => [name, runInput] as const),
];

interface Interpreter {
  /** Letters of options whose value, or whose next word, is code. */
  readonly code: string;
  /** Long options of the same kind. */
  readonly long: readonly string[];
  /** Letters of options with which it reads no program from standard input. */
  readonly reads: string;
}

const interpreter = (code: string, long: readonly string[] = [], reads = ''): Interpreter => ({
  code,
  long,
  reads,
});

const known: ReadonlyMap<string, Interpreter> = new Map([
  ['python', interpreter('c', [], 'mVh')],
  ['pypy', interpreter('c', [], 'mVh')],
  ['ipython', interpreter('c', [], 'mVh')],
  ['bpython', interpreter('c', [], 'mVh')],
  ['jshell', interpreter('', [], 'h')],
  ['pry', interpreter('e', [], 'vh')],
  ['perl', interpreter('eE', [], 'vVh')],
  ['ruby', interpreter('e', [], 'vVh')],
  ['irb', interpreter('', [], 'vh')],
  ['node', interpreter('ep', ['eval', 'print'], 'vh')],
  ['nodejs', interpreter('ep', ['eval', 'print'], 'vh')],
  ['tsx', interpreter('ep', ['eval', 'print'], 'vh')],
  ['ts-node', interpreter('ep', ['eval', 'print'], 'vh')],
  ['php', interpreter('r', ['run'], 'vhimSlf')],
  ['lua', interpreter('e', [], 'v')],
  ['osascript', interpreter('e', [], 'h')],
  ['tclsh', interpreter('', [], '')],
  ['expect', interpreter('c', [], 'v')],
  ['ghci', interpreter('e', [], '')],
  ['rscript', interpreter('e', [], '')],
  ['r', interpreter('e', [], 'f')],
  ['julia', interpreter('eE', ['eval', 'print'], 'vh')],
  ['elixir', interpreter('e', ['eval'], 'vh')],
  ['groovy', interpreter('e', [], 'v')],
  ['scala', interpreter('e', [], '')],
]);

/** `python3.12` is python. */
const interpreterOf = (word: string): string => programOf(word).replace(/[\d.]+$/, '');

/** A program that runs code: known where the code is a word, a file or a module. */
const runs: Wrapper = (unwrapping, frame) => {
  const { words, bits } = frame;
  const { code, long, reads } = known.get(interpreterOf(words[frame.at] as string)) as Interpreter;
  let isCode = false;
  let isNone = false;
  for (let at = frame.at + 1; at < words.length; at += 1) {
    const word = words[at] as string;
    const isUnsafe = ((bits[at] ?? 0) & UNSAFE) !== 0;
    if (isCode || !word.startsWith('-')) {
      const isInput = /^\/(?:dev\/(?:stdin|fd)|proc)/.test(word);
      unwrapping.add(frame, isUnsafe || (!isCode && isInput));
      return null;
    }
    if (isUnsafe) break;
    if (word === '-') break;
    if (word.startsWith('--')) {
      const [name = ''] = word.slice(2).split('=');
      if (long.includes(name)) isCode = true;
      // `node --test`, `python --version`
      else if (name !== '' && !name.startsWith('inspect')) isNone = true;
      if (isCode && word.includes('=')) {
        unwrapping.add(frame, isUnsafe);
        return null;
      }
      continue;
    }
    for (let index = 1; index < word.length; index += 1) {
      const letter = word[index] as string;
      if (reads.includes(letter)) isNone = true;
      if (!code.includes(letter)) continue;
      isCode = true;
      // `-c'code'`; in perl, `-pe` is followed by the code.
      if (index < word.length - 1 && code !== 'eE') {
        unwrapping.add(frame, isUnsafe);
        return null;
      }
      break;
    }
    if (isNone && !isCode) break;
  }
  unwrapping.add(frame, !isNone);
  return null;
};

const versions = ['2', '3', ...Array.from({ length: 20 }, (_, minor) => `3.${minor}`), '2.7'];

export const runsCode: readonly (readonly [string, Wrapper])[] = [
  ...[...known.keys()].map((name) => [name, runs] as const),
  ...versions.map((version) => [`python${version}`, runs] as const),
  ...['pypy3', 'lua5.1', 'lua5.3', 'lua5.4', 'perl5', 'php8', 'php7', 'tclsh8.6'].map(
    (name) => [name, runs] as const,
  ),
];
