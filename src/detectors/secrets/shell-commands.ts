import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { COLON_SIGN, FULL_STOP, HYPHEN, LOW_LINE_SIGN, SEMICOLON, SLASH } from '../text/ascii.ts';
import { UPPER, WORD } from '../text/bytes.ts';
import { byteAt, is, isAt } from '../text/read.ts';
import { report } from './command-words.ts';
import { isLabelled } from './label-value.ts';
import { isFiller } from './plain-words.ts';
import { SHELL_RULES, type ShellRule } from './shell-rules.ts';
import { echoed, type ShellCommand, ShellReader, type Word } from './shell-words.ts';
import { opensVendor, vendorToken } from './vendor-match.ts';

/** Characters of the longest script that is read. */
const MAX_SCRIPT = 8192;
const MIN_SCRIPT = 10;
/** How deep scripts inside the arguments of commands are read: ssh h 'sudo sh -c "…"'. */
const MAX_DEPTH = 2;
/** What runs the command behind it. */
const WRAPPERS = new Set(
  '$ sudo doas env time nohup exec command then do else if while ! watch xargs timeout nice stdbuf setsid'.split(
    ' ',
  ),
);
/** What runs a script that is one of its arguments, or a command behind `--`. */
const RUNNERS = new Set(
  'sh bash zsh dash ksh ssh su docker podman kubectl oc nerdctl vagrant aws-vault systemd-run pkexec'.split(
    ' ',
  ),
);
/** Words with which scripts begin, beside the programs that take secrets. */
const OPENINGS = new Set([
  ...SHELL_RULES.keys(),
  ...WRAPPERS,
  ...RUNNERS,
  ...(
    'echo printf cd export set source cat for mkdir apt apt-get yum dnf brew pip curl wget git test umask unset rsync tar mount ftp sftp scp nc ' +
    'telnet java node python python3 php ruby go make terraform systemctl service mysql psql useradd chmod chown cp mv rm ls read'
  ).split(' '),
]);
/** These, paths and prompts. */
export const SCRIPT_OPENINGS = [...OPENINGS, '#!', '$ ', '/u', '/b', '/o', './'];
/** Characters of the longest of them, with its path. */
const MAX_OPENING = 40;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
/** What is no secret where one is expected: a path, an address, a variable, a member of another program's syntax. */
const NO_SECRET = /^(?:[-/~@<$&]|\.{1,2}\/|[a-z][a-z0-9+.-]*:\/\/)|^[A-Za-z_]\w*=\S/;

/** The secrets among the arguments and inputs of programs, in a text that begins as a script does. */
export function shellSecrets(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (end - start > MAX_SCRIPT || end - start < MIN_SCRIPT) return;
  if (isAt(b, start, '#!') || opensScript(pass)) readScript(pass, pass.slice(start, end), start, 0);
}

/** Whether the first word is the name of a program or a word of a shell, with a path or a prompt before it. */
function opensScript(pass: Pass): boolean {
  const { bytes: b, start } = pass.text;
  const from = isAt(b, start, '$ ') ? start + 2 : start;
  let to = from;
  let name = from;
  while (to - from < MAX_OPENING && (is(b, to, WORD) || OF_PATHS.includes(byteAt(b, to)))) {
    if (b[to] === SLASH) name = to + 1;
    to++;
  }
  const next = byteAt(b, to);
  // most often https:
  if (next === COLON_SIGN || next > SEMICOLON || to === name) return false;
  // modules of JavaScript begin with the same word
  if (isAt(b, name, EXPORT)) return is(b, name + EXPORT.length, UPPER);
  return OPENINGS.has(pass.slice(name, to).toLowerCase());
}

const EXPORT = 'export ';
const OF_PATHS: readonly number[] = [SLASH, FULL_STOP, HYPHEN, LOW_LINE_SIGN];

function readScript(pass: Pass, text: string, start: number, depth: number): void {
  const commands = new ShellReader(text).read();
  commands.forEach((command, k) => {
    readCommand(pass, command, start, depth);
    const word = echoed(command);
    // --password-file=<(echo v)
    const before = commands[k - 1]?.words.at(-1)?.text;
    if (word !== null && before !== undefined && /pass[\w-]*=$/.test(before))
      found(pass, 'PASSWORD', word, start);
  });
}

function readCommand(pass: Pass, command: ShellCommand, start: number, depth: number): void {
  const words = command.words;
  let first = 0;
  while (first < words.length && isBefore(words, first)) first++;
  const name = programName(words[first]?.text ?? '');
  const rest = words.slice(first + 1);
  for (const rule of SHELL_RULES.get(name) ?? []) applyRule(pass, rule, rest, command.input, start);
  if (depth === MAX_DEPTH) return;
  for (const { text, from } of rest) {
    const nested = text.indexOf('$(');
    if (nested >= 0) readScript(pass, text.slice(nested + 2), start + from + nested + 2, depth + 1);
  }
  if (!RUNNERS.has(name)) return;
  for (const { text, from } of rest) if (text.includes(' ')) readScript(pass, text, start + from, depth + 1);
  const behind = rest.findIndex(({ text }) => text === '--');
  if (behind >= 0)
    readCommand(pass, { words: rest.slice(behind + 1), input: command.input }, start, depth + 1);
}

/** Whether a word stands before the program: a wrapper and its flags, a variable that is set for it. */
function isBefore(words: readonly Word[], at: number): boolean {
  const { text } = words[at] as Word;
  const isFlagOrUser = text.startsWith('-') || words[at - 1]?.text === '-u';
  return WRAPPERS.has(text) || ASSIGNMENT.test(text) || (at > 0 && isFlagOrUser);
}

function programName(text: string): string {
  return text
    .slice(text.search(/[^/\\]*$/))
    .toLowerCase()
    .replace(/\.exe$/, '');
}

function applyRule(
  pass: Pass,
  { tag, path, mark, place, form }: ShellRule,
  all: readonly Word[],
  input: Word | null,
  start: number,
): void {
  const words = behindPath(all, path);
  if (words === null) return;
  const give = (word: Word | undefined): void => {
    if (word !== undefined) found(pass, tag, word, start);
  };
  switch (form) {
    case 'input':
      if (input !== null && (mark === '' || words.some(({ text }) => isFlag(text, mark))))
        linesOf(input).forEach(give);
      return;
    case 'named':
      for (const word of words)
        if (mark === '' || isFlag(word.text, mark)) give(behind(flagWord(words, word, mark), '='));
      return;
    case 'prefix':
      for (const word of words) if (word.text.startsWith(mark)) give(part(word, mark.length));
      return;
    case 'login':
      for (const word of words) if (word.text.includes('@')) give(password(word));
      return;
    case 'list':
      for (const word of words) if (isFlag(word.text, mark)) give(behind(flagWord(words, word, mark), ','));
      return;
    default:
      argument(words, mark, place).forEach(give);
  }
}

/** The lines of an input, which are parted by a line break or what stands for one. */
function linesOf({ text, from }: Word): readonly Word[] {
  const lines: Word[] = [];
  let at = 0;
  for (const line of text.split(/\\n|\n/)) {
    lines.push({ text: line, from: from + at, to: from + at + line.length });
    at += line.length + (text[at + line.length] === '\n' ? 1 : 2);
  }
  return lines;
}

/** The arguments behind the subcommands of a rule, with flags among them; null when others are called. */
function behindPath(words: readonly Word[], path: readonly string[]): readonly Word[] | null {
  let at = 0;
  for (const name of path) {
    while (words[at]?.text.startsWith('-')) at++;
    if (words[at]?.text !== name) return null;
    at++;
  }
  return words.slice(at);
}

/** The argument in a place, behind the mark where there is one. */
function argument(words: readonly Word[], mark: string, place: number): readonly Word[] {
  if (mark === '') {
    const plain = words.filter(({ text }) => !text.startsWith('-'));
    const word = place === 0 ? plain.at(-1) : plain[place - 1];
    return word === undefined ? [] : [word];
  }
  return words.flatMap((word, k) => {
    if (!isFlag(word.text, mark)) return [];
    const attached = attachedTo(word, mark);
    const value = attached ?? words[k + place];
    return value === undefined ? [] : [value];
  });
}

/** Whether a word is this flag, with its argument or without. */
function isFlag(text: string, mark: string): boolean {
  const lower = mark.startsWith('/') ? text.toLowerCase() : text;
  return (
    lower === mark || lower.startsWith(`${mark}=`) || (mark.startsWith('/') && lower.startsWith(`${mark}:`))
  );
}

function attachedTo(word: Word, mark: string): Word | null {
  return word.text.length > mark.length ? part(word, mark.length + 1) : null;
}

/** The word that holds the argument of a flag, or the word itself where it is none. */
function flagWord(words: readonly Word[], word: Word, mark: string): Word | undefined {
  if (mark === '') return word;
  return attachedTo(word, mark) ?? words[words.indexOf(word) + 1];
}

/** The rest of a word from a character on, without quotes around it. */
function part({ text, from, to }: Word, at: number): Word {
  const quote = text.charAt(at);
  const isQuoted = (quote === '"' || quote === "'") && text.endsWith(quote) && text.length > at + 1;
  const begin = isQuoted ? at + 1 : at;
  return {
    text: text.slice(begin, isQuoted ? -1 : undefined),
    from: from + begin,
    to: isQuoted ? to - 1 : to,
  };
}

/** What stands behind the first separator in a word. */
function behind(word: Word | undefined, separator: string): Word | undefined {
  const at = word?.text.indexOf(separator) ?? -1;
  return word === undefined || at < 1 ? undefined : part(word, at + 1);
}

/** The password of `domain/user:password@host`. */
function password(word: Word): Word | undefined {
  const colon = word.text.indexOf(':');
  const host = word.text.lastIndexOf('@');
  if (colon < 1 || host <= colon) return undefined;
  return part({ text: word.text.slice(0, host), from: word.from, to: word.from + host }, colon + 1);
}

function found(pass: Pass, tag: ShellRule['tag'], { text, from, to }: Word, start: number): void {
  const echo = /^echo (?:-n )?/.exec(text)?.[0].length ?? 0;
  const value = text.slice(echo);
  const begin = start + from + echo;
  if (NO_SECRET.test(value) || /\s/.test(value)) return;
  if (opensVendor(pass.text.bytes, begin) && vendorToken(pass, begin) !== 0) return;
  if (tag === 'PASSWORD') report(pass, begin, start + to);
  else if (value.length > 7 && isLabelled('token', value, false) && !isFiller(value))
    pass.found(tagId(tag), BARE, begin, start + to);
}
