import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import {
  AMPERSAND,
  BACKSLASH,
  BLANK,
  COLON_SIGN,
  COMMA,
  DOUBLE_QUOTE,
  HYPHEN,
  LINE_FEED,
  PERCENT,
  SEMICOLON,
  SINGLE_QUOTE,
  SLASH,
  VERTICAL_BAR,
} from '../text/ascii.ts';
import { ALNUM, CLASS, LOWERED, SPACE } from '../text/bytes.ts';
import { isLabelled } from './label-value.ts';
import { QUOTE } from './labels.ts';
import { isFiller } from './plain-words.ts';

const PASSWORD = tagId('PASSWORD');
const LOWER_I = 105;
const LOWER_N = 110;
const LOWER_P = 112;
const LOWER_R = 114;
const LOWER_S = 115;
const CONNECTION_USERS = ':';
/** How far before a flag its command may begin. */
const REACH = 240;

/** How a flag gives a password: as its argument, attached to it, or after the user and a separator. */
type Form = 'argument' | 'attached' | typeof CONNECTION_USERS | ',' | '%';

interface Command {
  /** Flags once the word `login` was read; null where there is no such word. */
  login?: Command;
  flags: Readonly<Record<string, Form>>;
}

/** Commands whose one-letter flags take passwords, by the documentation of each. */
const COMMANDS = new Map<string, Command>();
const ROWS: readonly (readonly [names: string, flags: Readonly<Record<string, Form>>])[] = [
  ['curl', { u: ':', U: ':' }],
  ['http https xh', { a: ':' }],
  [
    'mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mariadb mariadb-dump mydumper',
    { p: 'attached' },
  ],
  ['7z 7za 7zr 7zz', { p: 'attached' }],
  ['rar unrar', { p: 'attached', h: 'attached' }],
  ['zip unzip zipcloak', { P: 'argument' }],
  [
    'sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh rdesktop psexec useradd usermod influx evil-winrm ' +
      'rpk clickhouse-client arangosh cbq couchbase-cli svn nuxeo kinit hydra',
    { p: 'argument' },
  ],
  ['redis-cli keydb-cli valkey-cli', { a: 'argument' }],
  ['sqlcmd bcp isql osql ipmitool dbt tsql', { P: 'argument' }],
  ['ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami', { w: 'argument' }],
  ['smbclient winexe rpcclient wmic smbget', { U: '%' }],
  ['openssl', { k: 'argument' }],
  ['snmpget snmpwalk snmpset snmpbulkwalk', { A: 'argument', X: 'argument' }],
  ['lftp', { u: ',' }],
  ['sudo', { S: 'argument' }],
  ['xfreerdp wfreerdp mstsc', {}],
];
for (const [names, flags] of ROWS) for (const name of names.split(' ')) COMMANDS.set(name, { flags });
const LOGIN: Command = { flags: { p: 'argument' } };
for (const name of 'docker podman buildah nerdctl skopeo crane helm oc cf az regctl oras'.split(' '))
  COMMANDS.set(name, { flags: {}, login: LOGIN });
const MAX_NAME = 17;

/** Ports, addresses and sizes. */
const NUMBERS = /^[\d.:/,]+$/;

/** The password that the flag whose dash is at `at` gives a command. Returns where it ends, 0 when it gives none. */
export function flagSecret(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (!isFlag(b, at)) return 0;
  const command = commandBefore(pass, at);
  if (command === null) return 0;
  const letter = b[at + 1] as number;
  const form = command.flags[String.fromCharCode(letter)];
  if (form === undefined) return 0;
  let i = at + 2;
  if (letter === 104) {
    if (b[i] !== 112) return 0; // rar -hp
    i++;
  }
  if (letter === 83) return pipedSecret(pass, at);
  if (form === 'attached') return (b[i] as number) > BLANK ? secretWord(pass, i, null) : 0;
  if (form === 'argument' && b[i] !== BLANK && letter !== 80) return 0;
  while (b[i] === BLANK && i - at < 8) i++;
  return secretWord(pass, i, form === 'argument' ? null : form);
}

/** The same for long flags that take user and password: `--user`, `--proxy-user`, `--auth`. */
export function userFlag(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  for (const name of ['user', 'proxy-user', 'auth']) {
    let i = 0;
    while (i < name.length && b[at + i] === name.charCodeAt(i)) i++;
    const next = b[at + i] as number;
    if (i < name.length || (next !== BLANK && next !== 61)) continue;
    return secretWord(pass, at + i + 1, ':');
  }
  return 0;
}

/** Whether a flag of one letter begins at the dash. */
function isFlag(b: Uint8Array, at: number): boolean {
  return b[at - 1] === BLANK && 'upPaAwUkXSh'.includes(String.fromCharCode(b[at + 1] as number));
}

/** The command whose arguments are before `at`: the last one of the line. Each byte is read once. */
function commandBefore(pass: Pass, at: number): Command | null {
  const b = pass.text.bytes;
  let i = Math.max(pass.text.start, at - REACH, pass.commandRead);
  if (i > pass.commandRead) pass.command = null;
  while (i < at) {
    const c = b[i] as number;
    if (c === LINE_FEED || c === SEMICOLON || c === VERTICAL_BAR || c === AMPERSAND) {
      // a line may be continued
      if (b[i - 1] !== BACKSLASH) pass.command = null;
      i++;
      continue;
    }
    if (!isNameByte(c)) {
      i++;
      continue;
    }
    let end = i;
    let name = '';
    while (end < at && isNameByte(b[end] as number)) {
      if (end - i < MAX_NAME) name += String.fromCharCode(b[end] as number);
      end++;
    }
    const known = b[i - 1] === HYPHEN || b[end] === 61 ? undefined : COMMANDS.get(name);
    if (pass.command === null) pass.command = known ?? null;
    else if (name === 'login') pass.command = (pass.command as Command).login ?? pass.command;
    i = end + (end === i ? 1 : 0);
  }
  pass.commandRead = at;
  return pass.command as Command | null;
}

function isNameByte(c: number): boolean {
  return ((CLASS[c] as number) & ALNUM) !== 0 || c === HYPHEN;
}

/** `echo secret | sudo -S …`: what is piped into the command before `at`. */
function pipedSecret(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let bar = at;
  while (at - bar < 60 && b[bar] !== VERTICAL_BAR && b[bar] !== LINE_FEED) bar--;
  return b[bar] === VERTICAL_BAR && echoed(pass, bar, null) ? at + 2 : 0;
}

/** Whether the argument of the echo or printf that ends before the bar is a password; behind the user and a colon with `separator`. */
function echoed(pass: Pass, bar: number, separator: Form | null): boolean {
  const b = pass.text.bytes;
  for (let i = bar; bar - i < 120 && b[i] !== LINE_FEED && i > pass.text.start; i--) {
    if (!isAt(b, i, 'echo ') && !isAt(b, i, 'printf ')) continue;
    let from = i + (b[i] === 101 ? 5 : 7);
    while (b[from] === HYPHEN && from < bar) from = nextWord(b, from);
    return secretWord(pass, from, separator) !== 0;
  }
  const { start } = pass.text;
  return isAt(b, start, 'echo ') && bar - start < 120 && secretWord(pass, start + 5, separator) !== 0;
}

function isAt(b: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (LOWERED[b[at + i] as number] !== word.charCodeAt(i)) return false;
  return true;
}

/** Commands that take a password as a plain argument, noticed by their name between `from` and `to`. */
export function namedCommand(pass: Pass, word: number, to: number): number {
  const b = pass.text.bytes;
  switch (LOWERED[b[word] as number]) {
    case LOWER_P:
      return passwordCommand(pass, word, to);
    case LOWER_I:
      return isAt(b, word, 'identified ') ? identifiedBy(pass, word + 10) : 0;
    case LOWER_R:
      return isAt(b, word, 'rabbitmqctl ') ? rabbit(pass, word + 12) : 0;
    case LOWER_N:
      return isAt(b, word, 'net use') ? netUse(pass, word) : 0;
    case LOWER_S:
      return isAt(b, word, 'sqlplus ') ? slashed(pass, word + 8) : 0;
    default:
      return 0;
  }
}

/** Commands with the letters "pass" in their names. */
function passwordCommand(pass: Pass, word: number, to: number): number {
  const b = pass.text.bytes;
  let from = word;
  while (word - from < 16 && isNameByte(b[from - 1] as number)) from--;
  if (isAt(b, from, 'htpasswd ')) return isBatch(b, to) ? lastArgument(pass, to) : 0;
  if (isAt(b, from, 'wpa_passphrase ') || isAt(b, word - 4, 'wpa_passphrase ')) return lastArgument(pass, to);
  if (isAt(b, from, 'chpasswd')) return changedPasswords(pass, from, to);
  if (isAt(b, from, 'passwd --stdin') || isAt(b, from, '--password-stdin')) return pipedSecret(pass, from);
  return 0;
}

/** Whether the first flags of htpasswd say that the password is on the command line. */
function isBatch(b: Uint8Array, at: number): boolean {
  for (let i = at; i - at < 40 && b[i] !== LINE_FEED; i++)
    if (b[i] === HYPHEN && b[i - 1] === BLANK)
      for (let k = i + 1; (b[k] as number) > BLANK; k++) if (b[k] === 98) return true;
  return false;
}

/** The last argument of the command. */
function lastArgument(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let last = 0;
  let words = 0;
  for (let i = at; i - at < REACH; ) {
    i = skipBlanks(b, i);
    const c = b[i] as number;
    if (c < BLANK || c === LINE_FEED || c === VERTICAL_BAR || c === SEMICOLON || c === AMPERSAND || c === 62)
      break;
    if (c !== HYPHEN) {
      last = i;
      words++;
    }
    i = wordEnd(b, i);
  }
  return words < 2 ? 0 : secretWord(pass, last, null);
}

/** `user:password` that is given to chpasswd: by a pipe, a here-string or a here-document. */
function changedPasswords(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  let i = to;
  while (b[i] === BLANK) i++;
  if (b[i] === 60 && b[i + 1] === 60 && b[i + 2] === 60) {
    i += 3;
    while (b[i] === BLANK) i++;
    return secretWord(pass, i, ':');
  }
  if (b[i] === 60 && b[i + 1] === 60) {
    while (b[i] !== LINE_FEED && b[i] !== 0) i++;
    return secretWord(pass, i + 1, ':');
  }
  let bar = from - 1;
  while (from - bar < 30 && b[bar] !== VERTICAL_BAR && b[bar] !== LINE_FEED) bar--;
  return b[bar] === VERTICAL_BAR && echoed(pass, bar, ':') ? to : 0;
}

/** SQL: `IDENTIFIED BY 'secret'`, with a plugin between the words too. */
function identifiedBy(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  for (let i = at; i - at < 60 && b[i] !== LINE_FEED; i++)
    if (isAt(b, i, ' by ') || isAt(b, i, ' as '))
      return b[i + 4] === SINGLE_QUOTE || b[i + 4] === DOUBLE_QUOTE ? secretWord(pass, i + 4, null) : 0;
  return 0;
}

/** `rabbitmqctl add_user bob secret` and `change_password`. */
function rabbit(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (!isAt(b, at, 'add_user ') && !isAt(b, at, 'change_password ') && !isAt(b, at, 'authenticate_user '))
    return 0;
  let i = wordEnd(b, at);
  while (b[i] === BLANK) i++;
  i = wordEnd(b, i);
  while (b[i] === BLANK) i++;
  return secretWord(pass, i, null);
}

/** `net use \\server\share password /user:bob` and `net user bob password /add`. */
function netUse(pass: Pass, word: number): number {
  const b = pass.text.bytes;
  if ((CLASS[b[word - 1] as number] as number) & ALNUM) return 0;
  const isUser = isAt(b, word, 'net user ');
  let sawShare = isUser;
  let names = 0;
  let i = word + (isUser ? 9 : 8);
  for (let words = 0; words < 6; words++) {
    while (b[i] === BLANK) i++;
    const end = wordEnd(b, i);
    if (end === i) return 0;
    if (b[i] === BACKSLASH) sawShare = true;
    else if (b[i] !== SLASH && b[end - 1] !== COLON_SIGN) {
      names++;
      if (sawShare && (!isUser || names === 2)) return secretWord(pass, i, null);
    }
    i = end;
  }
  return 0;
}

/** `sqlplus user/password@database`. */
function slashed(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while (b[i] === BLANK || b[i] === HYPHEN || (b[i - 1] === HYPHEN && (b[i] as number) > BLANK)) i++;
  const from = i;
  while ((CLASS[b[i] as number] as number) & ALNUM) i++;
  if (i === from || b[i] !== SLASH) return 0;
  let to = i + 1;
  while ((b[to] as number) > BLANK && b[to] !== 64) to++;
  return report(pass, i + 1, to);
}

function skipBlanks(b: Uint8Array, at: number): number {
  let i = at;
  while (b[i] === BLANK) i++;
  return i;
}

function nextWord(b: Uint8Array, at: number): number {
  return skipBlanks(b, wordEnd(b, at));
}

function wordEnd(b: Uint8Array, at: number): number {
  const quote = QUOTE[b[at] as number] === 1 ? (b[at] as number) : 0;
  let i = quote === 0 ? at : at + 1;
  while (b[i] !== 0 && b[i] !== LINE_FEED && (quote === 0 ? (b[i] as number) > BLANK : b[i] !== quote)) i++;
  return quote !== 0 && b[i] === quote ? i + 1 : i;
}

/** A word of a command line as a password, in quotes or not; with `separator`, what stands behind it. */
function secretWord(pass: Pass, at: number, separator: Form | null): number {
  const b = pass.text.bytes;
  const quote = QUOTE[b[at] as number] === 1 ? (b[at] as number) : 0;
  let from = quote === 0 ? at : at + 1;
  let to = from;
  const begin = from;
  for (; to - begin < 160 && to < pass.text.end; to++) {
    const c = b[to] as number;
    if (
      c === LINE_FEED ||
      (quote === 0
        ? (CLASS[c] as number) & SPACE || QUOTE[c] === 1 || c === SEMICOLON || c === VERTICAL_BAR
        : c === quote)
    )
      break;
    const isSeparator = separator !== null && c === separator.charCodeAt(0);
    if (isSeparator && from === begin && to > begin) from = to + 1;
  }
  if (separator !== null && (from === begin || b[from] === SLASH)) return 0;
  return report(pass, from, to);
}

function report(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (to - from < 4 || b[from] === HYPHEN || b[from] === PERCENT || b[from] === COMMA || !pass.isOn(PASSWORD))
    return 0;
  const text = pass.slice(from, to);
  if (!isLabelled('password', text, false) || isFiller(text) || NUMBERS.test(text)) return 0;
  pass.found(PASSWORD, BARE, from, to);
  return to;
}
