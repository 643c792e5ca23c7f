import { BARE } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import { QUOTE } from '../labels/labels.ts';
import { isFiller } from '../labels/plain-words.ts';
import { isLabelled } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import {
  ALNUM,
  afterBlanks,
  byteAt,
  CLASS,
  classOf,
  isAt,
  isExactly,
  LOWERED,
  SPACE,
  setOf,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { opensVendor, vendorToken } from '../tokens/vendor-tokens.ts';

const PASSWORD = tagId('PASSWORD');
const CONNECTION_USERS = ':';

/** How far before a flag its command may begin. */
const REACH = 240;

/** How a flag gives a password: as its argument, attached to it, or after the user and a separator. */
type Form = 'argument' | 'attached' | 'either' | typeof CONNECTION_USERS | ',' | '%';

/** Ports, addresses and sizes. */
const NUMBERS = /^[\d.:/,]+$/;

/** `echo secret | sudo -S …`: what is piped into the command before `at`. */
function pipedSecret(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let bar = at;
  while (at - bar < 60 && b[bar] !== Char.VERTICAL_BAR && b[bar] !== Char.LINE_FEED) bar--;
  return b[bar] === Char.VERTICAL_BAR && echoed(pass, bar) ? at + 2 : 0;
}

/** Whether the argument of the echo or printf that ends before the bar is a password. */
function echoed(pass: Pass, bar: number): boolean {
  const b = pass.text.bytes;
  for (let i = bar; bar - i < 120 && b[i] !== Char.LINE_FEED && i >= pass.text.start; i--) {
    if (!isAt(b, i, 'echo ') && !isAt(b, i, 'printf ')) continue;
    let from = i + (b[i] === Char.LOWER_E ? 5 : 7);
    while (b[from] === Char.HYPHEN && from < bar) from = nextWord(b, from);
    return secretWord(pass, from, null) !== 0;
  }
  return false;
}

function nextWord(b: Uint8Array, at: number): number {
  return afterBlanks(b, wordEnd(b, at));
}

function wordEnd(b: Uint8Array, at: number): number {
  const quote = QUOTE[byteAt(b, at)] === 1 ? byteAt(b, at) : 0;
  let i = quote === 0 ? at : at + 1;
  while (b[i] !== 0 && b[i] !== Char.LINE_FEED && (quote === 0 ? byteAt(b, i) > Char.BLANK : b[i] !== quote))
    i++;
  return quote !== 0 && b[i] === quote ? i + 1 : i;
}

/** A word of a command line as a password, in quotes or not; with `separator`, what stands behind it. */
export function secretWord(pass: Pass, at: number, separator: Form | null): number {
  const b = pass.text.bytes;
  const quote = QUOTE[byteAt(b, at)] === 1 ? byteAt(b, at) : 0;
  let from = quote === 0 ? at : at + 1;
  let to = from;
  const begin = from;
  for (; to - begin < 160 && to < pass.text.end; to++) {
    const c = byteAt(b, to);
    if (
      c === Char.LINE_FEED ||
      (quote === 0
        ? classOf(c) & SPACE || QUOTE[c] === 1 || c === Char.SEMICOLON || c === Char.VERTICAL_BAR
        : c === quote)
    )
      break;
    const isSeparator = separator !== null && c === separator.charCodeAt(0);
    if (isSeparator && from === begin && to > begin) from = to + 1;
  }
  if (separator !== null && (from === begin || b[from] === Char.SLASH)) return 0;
  return report(pass, from, to);
}

export function report(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (
    to - from < 4 ||
    b[from] === Char.HYPHEN ||
    b[from] === Char.PERCENT ||
    b[from] === Char.COMMA ||
    !pass.isOn(PASSWORD)
  )
    return 0;
  const token = opensVendor(b, from) ? vendorToken(pass, from) : 0;
  if (token !== 0) return token;
  const text = pass.slice(from, to);
  if (!isLabelled('password', text, false) || isFiller(text) || NUMBERS.test(text)) return 0;
  return pass.found(PASSWORD, BARE, from, to);
}

const USERNAME = tagId('USERNAME');

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
  ['sshpass', { p: 'either' }],
  ['plink pscp psftp putty pageant winscp', { pw: 'argument' }],
  ['ssh-keygen', { N: 'argument', P: 'argument' }],
  ['mosquitto', { P: 'argument' }],
  [
    'mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh rdesktop psexec useradd usermod influx evil-winrm ' +
      'rpk clickhouse-client arangosh cbq couchbase-cli svn nuxeo kinit hydra twine crackmapexec netexec nxc smbmap medusa ncrack',
    { p: 'argument' },
  ],
  ['redis-cli keydb-cli valkey-cli', { a: 'argument' }],
  ['sqlcmd bcp isql osql ipmitool dbt tsql', { P: 'argument' }],
  ['ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami', { w: 'argument' }],
  ['smbclient winexe rpcclient wmic smbget', { U: '%' }],
  ['openssl', { k: 'argument' }],
  ['snmpget snmpwalk snmpset snmpbulkwalk', { A: 'argument', X: 'argument', c: 'argument' }],
  ['lftp', { u: ',' }],
  ['sudo', { S: 'argument' }],
  ['xfreerdp xfreerdp3 wfreerdp wlfreerdp sdl-freerdp sdl-freerdp3 mstsc', { '/p': 'argument' }],
];

for (const [names, flags] of ROWS) for (const name of names.split(' ')) COMMANDS.set(name, { flags });
const LOGIN: Command = { flags: { p: 'argument' } };
for (const name of 'docker podman buildah nerdctl skopeo crane helm oc cf az regctl oras'.split(' '))
  COMMANDS.set(name, { flags: {}, login: LOGIN });

/** For the length and the first letter of these names, 1: tells most words of a line without a string. */
const NAMED = new Uint8Array(1 << 13);
const slotOf = (length: number, first: number): number => (length << 8) | first;
for (const name of COMMANDS.keys()) NAMED[slotOf(name.length, name.charCodeAt(0))] = 1;

/** sudo runs another command, whose flags then count. */
const SUDO = COMMANDS.get('sudo');

const MAX_NAME = 17;
const MAX_USER = 40;
const LOGIN_WORD = 'login';

/** Whether a program takes `value` as a password, perhaps behind a user: the argument of a flag, or the flag that it is attached to. */
export function takesPassword(program: string, flag: string, value: string): boolean {
  const form = COMMANDS.get(program)?.flags[flag.slice(1, 2)];
  if (form === undefined) return false;
  const isAttached = form === 'attached' || form === 'either';
  if (flag === value) return isAttached && value.length > MIN_ATTACHED;
  if (flag.length > 2 || form === 'attached') return false;
  return form === 'argument' || form === 'either' || value.includes(form);
}

/** Characters of the shortest flag with a password attached to it. */
const MIN_ATTACHED = 5;

/** The password that the flag whose dash is at `at` gives a command. Returns where it ends, 0 when it gives none. */
export function flagSecret(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const letter = byteAt(b, at + 1);
  if (letter === Char.UPPER_S && isAt(b, at, '-securestring ')) return securedText(pass, at + 14);
  if (!isFlag(b, at)) return 0;
  const isPw = letter === Char.LOWER_P && b[at + 2] === Char.LOWER_W && b[at + 3] === Char.BLANK;
  const form = commandBefore(pass, at)?.flags[isPw ? 'pw' : String.fromCharCode(letter)];
  if (form === undefined) return isPw || !followsUser(b, at) ? 0 : secretWord(pass, at + 3, null);
  return flagValue(pass, at, at + (isPw ? 3 : 2), form);
}

/** The value of the flag whose dash is at `at` and whose name ends at `end`, in the form that its command gives it. */
function flagValue(pass: Pass, at: number, end: number, form: Form): number {
  const b = pass.text.bytes;
  const letter = byteAt(b, at + 1);
  let i = end;
  if (letter === Char.LOWER_H) {
    if (b[i] !== Char.LOWER_P) return 0; // rar -hp
    i++;
  }
  if (letter === Char.UPPER_S) return pipedSecret(pass, at) || hereString(pass, i);
  if (form === 'attached') return byteAt(b, i) > Char.BLANK ? secretWord(pass, i, null) : 0;
  if (form === 'argument' && b[i] !== Char.BLANK && b[i] !== Char.EQUALS_SIGN && letter !== Char.UPPER_P)
    return 0;
  if (b[i] === Char.EQUALS_SIGN) i++;
  while (b[i] === Char.BLANK && i - at < 8) i++;
  if (form === 'argument' || form === 'either') return secretWord(pass, i, null);
  // the user before it may be an address or a key
  return secretWord(pass, i, form) && (account(pass, i, form) || i);
}

/** The name of an account before the separator, in quotes or not. Returns where it ends, or 0. */
function account(pass: Pass, at: number, separator: Form): number {
  const b = pass.text.bytes;
  const from = QUOTE[byteAt(b, at)] === 1 ? at + 1 : at;
  let to = from;
  while (to - from < MAX_USER && byteAt(b, to) > Char.BLANK && b[to] !== separator.charCodeAt(0)) to++;
  if (!isLabelled('username', pass.slice(from, to), false)) return 0;
  return pass.found(USERNAME, BARE, from, to);
}

/** Reports the here-string of the command whose flag ends at `at`: `sudo -S <<< 'secret'`. Returns where it ends, or 0. */
function hereString(pass: Pass, at: number): number {
  return isAt(pass.text.bytes, at, HERE) ? secretWord(pass, at + HERE.length, null) : 0;
}

const HERE = ' <<< ';

/** The password in a flag of Windows whose colon is at `at`, of a command that takes one there: `xfreerdp /u:bob /p:secret`. */
export function slashFlag(pass: Pass, at: number): number {
  const form = commandBefore(pass, at)?.flags['/p'];
  return form === undefined ? 0 : secretWord(pass, at + 1, null);
}

/** `-u bob -p secret` of any command: whether the flag at `at` gives the password of the user right before it. */
function followsUser(b: Uint8Array, at: number): boolean {
  if (LOWERED[byteAt(b, at + 1)] !== Char.LOWER_P || b[at + 2] !== Char.BLANK) return false;
  let i = at - 1;
  while (b[i - 1] === Char.BLANK) i--;
  while (at - i < MAX_USER && byteAt(b, i - 1) > Char.BLANK && b[i - 1] !== Char.SLASH) i--;
  if (b[i - 1] !== Char.BLANK || b[i] === Char.HYPHEN) return false;
  return ['-u', '-user', '-username', '-login'].some((flag) => isAt(b, i - 1 - flag.length, flag));
}

/** PowerShell: `ConvertTo-SecureString 'secret' -AsPlainText`, with `-String` before it too. */
function securedText(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  for (const flag of ['-asplaintext ', '-string ', '-force ']) if (isAt(b, i, flag)) i += flag.length;
  return QUOTE[byteAt(b, i)] === 1 && b[i + 1] !== Char.DOLLAR ? secretWord(pass, i, null) : 0;
}

/** The same for long flags that take user and password: `--user`, `--proxy-user`, `--auth`. */
export function userFlag(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  for (const name of ['user', 'proxy-user', 'auth']) {
    let i = 0;
    while (i < name.length && b[at + i] === name.charCodeAt(i)) i++;
    const next = byteAt(b, at + i);
    if (i < name.length || (next !== Char.BLANK && next !== Char.EQUALS_SIGN)) continue;
    return secretWord(pass, at + i + 1, ':') && at + i + 1;
  }
  return 0;
}

/** 1 for the letters that are flags of any of them. */
const FLAG_LETTERS = setOf('upPaAwUkXShNc');

/** Whether a flag of one letter begins at the dash. */
function isFlag(b: Uint8Array, at: number): boolean {
  return b[at - 1] === Char.BLANK && byteAt(FLAG_LETTERS, byteAt(b, at + 1)) === 1;
}

/** Bytes of a command line: those that end a command, and those of a name. 0 for all others. */
const ENDS_COMMAND = 1;
const OF_NAME = 2;
const IN_LINE = Uint8Array.from(CLASS, (bits) => (bits & ALNUM ? OF_NAME : 0));
IN_LINE[Char.HYPHEN] = OF_NAME;
for (const c of '\n;|&') IN_LINE[c.charCodeAt(0)] = ENDS_COMMAND;

/** Where the command begins whose arguments are before `at`, not before `floor`; a line may be continued. */
function commandStart(b: Uint8Array, floor: number, at: number): number {
  let i = at;
  while (i > floor && (IN_LINE[byteAt(b, i - 1)] !== ENDS_COMMAND || b[i - 2] === Char.BACKSLASH)) i--;
  return i;
}

/** The command whose arguments are before `at`: the last one of the line. Each byte is read once forwards and once backwards. */
function commandBefore(pass: Pass, at: number): Command | null {
  const b = pass.text.bytes;
  const floor = Math.max(pass.text.start, at - REACH, pass.commandRead);
  let i = commandStart(b, floor, at);
  if (i > pass.commandRead) pass.command = null;
  while (i < at) {
    if (IN_LINE[byteAt(b, i)] !== OF_NAME) {
      i++;
      continue;
    }
    let end = i;
    while (end < at && IN_LINE[byteAt(b, end)] === OF_NAME) end++;
    const isName =
      end - i <= MAX_NAME &&
      NAMED[slotOf(end - i, byteAt(b, i))] === 1 &&
      b[i - 1] !== Char.HYPHEN &&
      b[end] !== Char.EQUALS_SIGN;
    if (pass.command === null || pass.command === SUDO)
      pass.command = (isName ? COMMANDS.get(pass.slice(i, end)) : undefined) ?? pass.command;
    else if (end - i === LOGIN_WORD.length && isExactly(b, i, LOGIN_WORD))
      pass.command = (pass.command as Command).login ?? pass.command;
    i = end;
  }
  pass.commandRead = at;
  return pass.command as Command | null;
}
