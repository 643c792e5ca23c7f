import { programOf } from './command.ts';
import { type Frame, nameOf, opaque, type Unwrapping, type Wrapper } from './frame.ts';
import { UNREADABLE } from './reading.ts';
import { QUOTED, UNKNOWN, UNSAFE, type WordBits } from './word.ts';

// Shells, and interpreters of other languages.

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

// PowerShell and cmd.exe.

interface Dialect {
  readonly escape: string;
  readonly quotes: string;
  /** Characters that separate commands; braces and parentheses hold commands of their own. */
  readonly separators: string;
  readonly comment: string;
  readonly expands: RegExp;
  readonly hasWordFlags: boolean;
}

const powerShell: Dialect = {
  escape: '`',
  quotes: '\'"',
  separators: ';\n|&(){}',
  comment: '#',
  expands: /[$]/,
  hasWordFlags: true,
};
const commandPrompt: Dialect = {
  escape: '^',
  quotes: '"',
  separators: '\n|&()',
  comment: '',
  expands: /[%!]/,
  hasWordFlags: false,
};

interface Line {
  words: string[];
  bits: WordBits[];
  /** Whether the line before is piped into it. */
  isPiped: boolean;
  /** Whether it may come after the operator `&`, which runs what its first word names. */
  isCalled: boolean;
}

/** The commands of a text for PowerShell or cmd.exe, without their grammar: a command ends at a separator. */
function linesOf(text: string, dialect: Dialect): Line[] {
  const { escape: escaping, quotes, separators, comment, expands } = dialect;
  const lines: Line[] = [];
  let line: Line = { words: [], bits: [], isPiped: false, isCalled: false };
  let word: string | null = null;
  let bits = 0;
  const endWord = (): void => {
    if (word !== null) {
      line.words.push(word);
      line.bits.push(bits);
    }
    word = null;
    bits = 0;
  };
  const endLine = (isPiped: boolean, isCalled: boolean): void => {
    endWord();
    if (line.words.length > 0) lines.push(line);
    line = { words: [], bits: [], isPiped, isCalled };
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === escaping) {
      at += 1;
      word = (word ?? '') + (text[at] === '\n' ? '' : (text[at] ?? ''));
      bits |= QUOTED;
    } else if (quotes.includes(char)) {
      const quoted = quotedAt(text, at, dialect);
      word = (word ?? '') + quoted.text;
      bits |= quoted.bits;
      at = quoted.end;
    } else if (comment !== '' && char === comment && word === null) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end - 1;
    } else if (char === '&' && text[at - 1] === '>') {
      // `2>&1` joins outputs.
      word = `${word ?? ''}&`;
    } else if (separators.includes(char)) {
      endLine(char === '|' && text[at + 1] !== '|' && text[at - 1] !== '|', char === '&');
    } else if (BLANKS.includes(char) || (char === ',' && dialect.hasWordFlags)) endWord();
    else {
      if (expands.test(char)) bits |= UNKNOWN | UNSAFE;
      word = (word ?? '') + char;
    }
  }
  endLine(false, false);
  return lines;
}

const BLANKS = ' \t\r';

/** The text in the quotes that begin at `start`: a doubled quote stands for one, and in PowerShell a backtick escapes in double quotes. */
function quotedAt(
  text: string,
  start: number,
  { escape: escaping, expands }: Dialect,
): { text: string; bits: WordBits; end: number } {
  const quote = text[start] as string;
  const escapes = quote === '"' && escaping === '`';
  let inside = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === quote && text[at + 1] !== quote) {
      const isExpanded = quote === '"' && expands.test(inside);
      return { text: inside, bits: isExpanded ? QUOTED | UNKNOWN | UNSAFE : QUOTED, end: at };
    }
    if (char === quote || (escapes && char === escaping)) at += 1;
    inside += text[at] ?? '';
  }
  throw UNREADABLE;
}

function runLines(unwrapping: Unwrapping, frame: Frame, text: string, dialect: Dialect, name: string): void {
  let lines: Line[];
  try {
    lines = linesOf(text, dialect);
  } catch (error) {
    if (error !== UNREADABLE) throw error;
    unwrapping.add(frame, true);
    return;
  }
  // A text in parentheses is read as a line of its own, even if another command runs it.
  const programs = lines.map(({ words }) => programOf(words[0] ?? ''));
  let upstream: string[] = [];
  for (const { words, bits, isPiped, isCalled } of lines) {
    // `$_.x -gt 1` in a block is an expression, and so is `$a -ne 0`.
    if (dialect.hasWordFlags && words[0]?.startsWith('$_')) continue;
    if (dialect.hasWordFlags && !isCalled && isComparison(words)) continue;
    // `$x = command`, `$x=command`, `. command`
    const assigned = dialect.hasWordFlags ? /^\$[\w:]+=(.+)$/s.exec(words[0] ?? '')?.[1] : undefined;
    if (assigned !== undefined) {
      words[0] = assigned;
      if (!assigned.includes('$')) bits[0] = QUOTED;
    }
    const isAssigned = words.length > 1 && words[0]?.startsWith('$') && words[1] === '=';
    let at = isAssigned ? 2 : dialect.hasWordFlags && words[0] === '.' ? 1 : 0;
    if (!dialect.hasWordFlags) at = promptCommandAt(words);
    if (at >= words.length) continue;
    if (!isPiped) upstream = [];
    // A method of .NET: `[IO.File]::Delete(…)`
    if (dialect.hasWordFlags && words[at]?.startsWith('[')) bits[at] = UNKNOWN | UNSAFE;
    const from = unwrapping.out.length;
    const program = (words[at] as string).replace(/^@/, '').replaceAll('\\', '/');
    unwrapping.run({
      ...frame,
      words: words.with(at, program),
      bits,
      at,
      wrappers: [...frame.wrappers, name],
      pipedFrom: isPiped ? [...upstream] : frame.pipedFrom,
      substitutes: programs,
      input: isPiped ? null : undefined,
      hasWordFlags: dialect.hasWordFlags,
    });
    for (const command of unwrapping.out.slice(from)) upstream.push(command.program);
  }
}

/** Where the command of a line for cmd.exe begins: after `call`, `start /b "title"`, `do`, `else` and `if exist file`. */
function promptCommandAt(words: readonly string[]): number {
  let at = 0;
  const skip = (pattern: RegExp): void => {
    while (pattern.test(words[at] ?? 'x')) at += 1;
  };
  for (;;) {
    switch (words[at]?.replace(/^@/, '').toLowerCase()) {
      case 'call':
      case 'do':
      case 'else':
      case '':
        at += 1;
        break;
      case 'start':
        at += 1;
        skip(/^$|^\/|\s/);
        break;
      case 'if':
        at += 1;
        skip(/^(?:not|\/i)$/i);
        at += /==/.test(words[at] ?? '')
          ? 1
          : /^(?:exist|defined|errorlevel|cmdextversion)$/i.test(words[at] ?? '')
            ? 2
            : 3;
        break;
      default:
        return at;
    }
  }
}

/** `forfiles /p C:\ /c "cmd /c del @path"` */
export const runForfiles: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const at = frame.words.findIndex((word, index) => index > frame.at && /^\/{1,2}c$/i.test(word));
  if (at > 0) runLines(unwrapping, frame, frame.words.slice(at + 1).join(' '), commandPrompt, 'forfiles');
  return null;
};

/** `Start-Process program arguments`: parameters name some of them. */
export const runStart: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const text: string[] = [];
  for (let at = frame.at + 1; at < frame.words.length; at += 1) {
    const word = frame.words[at] as string;
    if (!/^-[a-z]/i.test(word)) text.push(word);
    else if (/^-(?:verb|windowstyle|workingdirectory|credential|redirect\w+)/i.test(word)) at += 1;
  }
  if (text.length > 0) runLines(unwrapping, frame, text.join(' '), powerShell, 'start-process');
  return null;
};

const isComparison = ([left = '', operator = '']: readonly string[]): boolean =>
  /^\$[\w.:]+$/.test(left) &&
  /^-[ic]?(?:eq|ne|gt|ge|lt|le|like|notlike|match|notmatch|contains|and|or|is)$/i.test(operator);

/** `-c`, `-Comm` and `-Command`: PowerShell takes a beginning of a name. */
const isParameter = (word: string, name: string, least: number): boolean => {
  const given = word.slice(1).toLowerCase();
  return /^[-/\u2013-\u2015]/.test(word) && given.length >= least && name.startsWith(given);
};

export const runPowerShell: Wrapper = (unwrapping, frame) => {
  const { words, bits } = frame;
  for (let at = frame.at + 1; at < words.length; at += 1) {
    const word = words[at] as string;
    const all = bits.slice(at).reduce((sum, one) => sum | one, 0);
    if (isParameter(word, 'encodedcommand', 1) || isParameter(word, 'ec', 2)) {
      const decoded = decoded16(words[at + 1] ?? '');
      if (decoded === null || all & UNSAFE) unwrapping.add(frame, true);
      else runLines(unwrapping, frame, decoded, powerShell, 'powershell');
      return null;
    }
    if (isParameter(word, 'file', 1) || isParameter(word, 'version', 1) || isParameter(word, 'help', 1))
      break;
    const isCommand = isParameter(word, 'command', 1) || isParameter(word, 'commandwithargs', 8);
    if (!isCommand && /^[-/\u2013-\u2015]./.test(word)) {
      // The other parameters have a value, but for a few.
      if (!/^.(?:no|s|m|login|inter)/i.test(word)) at += 1;
      continue;
    }
    const text = words.slice(isCommand ? at + 1 : at).join(' ');
    if (text === '' || text === '-' || all & UNSAFE) unwrapping.add(frame, true);
    if (text !== '' && text !== '-') runLines(unwrapping, frame, text, powerShell, 'powershell');
    return null;
  }
  const isFile = words
    .slice(frame.at + 1)
    .some(
      (word) =>
        isParameter(word, 'file', 1) || isParameter(word, 'version', 1) || isParameter(word, 'help', 1),
    );
  unwrapping.add(frame, !isFile);
  return null;
};

/** `iex text`; without a known text, what it runs is unknown. */
export const runInvoke: Wrapper = (unwrapping, frame) => {
  const { words, bits, at } = frame;
  const all = bits.slice(at + 1).reduce((sum, one) => sum | one, 0);
  const text = words
    .slice(at + 1)
    .filter((word) => !isParameter(word, 'command', 1))
    .join(' ');
  if (text === '' || all & UNSAFE) {
    unwrapping.add(frame, true);
  }
  if (text !== '') runLines(unwrapping, frame, text, powerShell, 'iex');
  return null;
};

/** `cmd /c text` */
export const runCmd: Wrapper = (unwrapping, frame) => {
  const { words, bits } = frame;
  const at = words.findIndex((word, index) => index > frame.at && /^\/{1,2}[ckr]$/i.test(word));
  const text = at < 0 ? '' : words.slice(at + 1).join(' ');
  const all = bits.slice(at + 1).reduce((sum, one) => sum | one, 0);
  if (text === '' || all & UNSAFE) unwrapping.add(frame, !words.includes('/?'));
  if (text !== '') runLines(unwrapping, frame, text, commandPrompt, 'cmd');
  return null;
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 of UTF-16; null when it is none. */
function decoded16(text: string): string | null {
  const digits = text.replace(/=+$/, '');
  const units: number[] = [];
  let held = 0;
  let count = 0;
  let bytes = 0;
  let low = 0;
  for (const digit of digits) {
    const value = ALPHABET.indexOf(digit);
    if (value < 0) return null;
    held = (held << 6) | value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    const byte = (held >> count) & 255;
    held &= (1 << count) - 1;
    if (bytes % 2 === 0) low = byte;
    else units.push(low | (byte << 8));
    bytes += 1;
  }
  if (units.length === 0) return null;
  let decoded = '';
  for (const unit of units) decoded += String.fromCharCode(unit);
  return decoded.toWellFormed();
}
