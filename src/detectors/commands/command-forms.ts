import { mayBePlainPassword } from '../labels/plain-words.ts';
import { isSecret } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { report, secretWord } from './command-flags.ts';

/**
 * A command, or a line in the file of a program, in which only its place tells that a word is a password. It is noticed at
 * a word or sign of its own; the value begins where `after` ends, or where `before` ends when it stands before that word.
 */
interface Form {
  /** The text up to the word or sign. */
  readonly before?: RegExp;
  /** From it on. */
  readonly after: RegExp;
  /** Whether the value stands before the word. */
  readonly isBefore?: true;
  /** The sign between the user and the password. */
  readonly separator?: ':';
  /** The characters that the value has, where it does not end with its word. */
  readonly value?: RegExp;
  /** The beginning of the lines below, up to their values, where each line has one. */
  readonly lines?: RegExp;
  /** Whether the value must look like a password. */
  readonly mayBeOther?: true;
  /** Whether the user before the value is still to be read. */
  readonly hasUser?: true;
}

const ACCOUNT = String.raw`(?:^|\n) *(?:quote user|user|username|login)[ :][^\n]{0,70}\n`;
/** The value is the last word of its line. */
const ENDS_LINE = String.raw`(?=[^\s]{1,160}[ \t]*\r?(?:\n|$))`;
/** The command before a pipe that prints the value. */
const ECHO = String.raw`(?:echo|printf) +(?:-\S+ +)*(?=(?:(?!echo |printf )[^|\n]){1,120}\|`;
const WORD = String.raw`(?:"[^"\n]*"|'[^'\n]*'|[^\s|;&>"'-]\S*)`;
const FLAGS = String.raw`(?: +-\S+)*`;
/** The arguments of a command up to the last one. */
const UP_TO_LAST = `(?:${FLAGS} +${WORD})+?${FLAGS} +(?=${WORD}${FLAGS} *(?:[\\n|;&>]|$))`;

const at = (...parts: readonly string[]): RegExp => new RegExp(`^(?:${parts.join('')})`, 'i');
const upTo = (...parts: readonly string[]): RegExp => new RegExp(`(?:${parts.join('')})$`, 'i');
const printed = (rest: string): RegExp => new RegExp(`${ECHO}${rest}$)`, 'i');

/** An argument of a call: an object in one line, a literal, a name. */
const ARGUMENT = String.raw` *(?:\{[^}\n]{0,160}\}|"[^"\n]*"|'[^'\n]*'|[.-Z\[-~]{0,160}),`;

/** A call that takes a user and a password as literals, with so many arguments before the password. */
function login(name: string, before: number): Form {
  const call = name.replaceAll(/[(.]/g, String.raw`\$&`);
  return { after: at(call, `(?:${ARGUMENT}){${before}} *(?:some\\()?(?=["'\`])`), hasUser: true };
}

/** By the word at which they are noticed: see `trigger-words.ts`. */
const FORMS: Readonly<Record<string, readonly Form[]>> = {
  pass: [
    { before: /(?<![\w-])ht$/i, after: at(String.raw`passwd(?=[^\n]{0,40}? -\S*b)`, UP_TO_LAST) },
    { before: /wpa_$/i, after: at('passphrase', UP_TO_LAST) },
    // OpenVPN: the second line below <auth-user-pass>
    { before: /<auth-user-$/, after: at(String.raw`pass>\r?\n[^\n]{0,63}\n`, ENDS_LINE) },
    // what chpasswd is given: by a here-string, a here-document, a pipe, a list of cloud-init
    { before: /(?<![\w-])ch$/, after: /^passwd *<<< */, separator: ':' },
    { before: /(?<![\w-])ch$/, after: /^passwd *<<(?!<)[^\n]*\n/, separator: ':' },
    {
      before: printed(String.raw`[^|\n]{0,28}(?<![\w-])ch`),
      after: /^passwd/,
      isBefore: true,
      separator: ':',
    },
    {
      before: /(?<![\w-])ch$/,
      after: /^passwd:\s{0,30}list:[^\n]*\n/,
      lines: /^ *(?:- *)?(?=\S+:)/,
      separator: ':',
    },
    { before: printed(' (?:sudo )?'), after: /^passwd /, isBefore: true },
    { before: printed(String.raw`[^|\n]{0,58}`), after: /^passwd --stdin/, isBefore: true },
    { before: printed(String.raw`[^|\n]{0,58}--`), after: /^password-stdin/, isBefore: true },
    // FTP and POP3: below the line that names the user, and in a script
    { before: upTo('quote '), after: at('pass +', ENDS_LINE) },
    { before: upTo(ACCOUNT), after: new RegExp(`^P(?:ASS|ass) +${ENDS_LINE}`) },
    // debconf: d-i passwd/root-password password v
    { before: /\/[^\s/]*pass[^\s/]*[ \t]+$/i, after: /^pass[a-z]{4}[ \t]+/i },
  ],
  credential: [{ before: /(?:network|usernamepassword)$/i, after: /^credentials?\("[^"\n]*", *(?=")/i }],
  // SQL; not prose: a problem identified by "bob"
  identified: [
    { after: /^[A-Z]{10}[^\n]{0,60}? (?:BY|AS|by|as) (?=['"])/ },
    {
      before: /(?:^|[ \n])(?:user|grant|role) [^\n]{0,120}$/i,
      after: /^identified[^\n]{0,60}? (?:by|as) (?=['"])/i,
    },
    {
      before: /(?:^|[ \n])(?:create user|alter user|grant|create database link) [^\n]{0,120}$/i,
      after: /^identified[^\n]{0,60}? (?:by|as) (?!['"]|(?:values|password|random|globally|externally) )/i,
    },
  ],
  rabbitmqctl: [{ after: /^rabbitmqctl (?:add_user|change_password|authenticate_user) +\S+ +/i }],
  'net use': [
    {
      before: /(?:^|[^A-Za-z0-9])$/,
      after: /^net use (?: *(?:\/\S+|\S+:)(?= ))* *\\\\\S+(?: +(?:\/\S+|\S+:(?= )))* +(?=[^\s/\\])/i,
    },
    { before: /(?:^|[^A-Za-z0-9])$/, after: /^net user +[^\s/]\S* +(?=[^\s/])/i },
  ],
  // routers: snmp-server community v RO
  snmp: [{ after: /^snmp(?:-server)? community /i }],
  secret: [
    // pppd: lines below # client server secret
    {
      before: /(?:^|\n)#[ \t]*client[^\n]{0,60}[ \t]$/i,
      after: /^secrets?[^\n]{0,200}\n/i,
      lines: /^(?!#)\S+[ \t]+\S+[ \t]+(?=\S)/,
    },
    { after: /^secret set [^\n]{0,80}? (?:--body[ =]|-b )/ },
  ],
  sqlplus: [{ after: /^sqlplus +(?:-\S* +)*[a-z0-9]+\//i, value: /^[^\s@]+/ }],
  'auth ': [
    { before: /stats $/, after: /^auth /, separator: ':' },
    // Redis, with a user or without, and SMTP behind the mechanism
    {
      before: /(?:^|[\n>]|(?<![\w-])(?:redis|valkey|keydb)[\w-]{0,20}) *$/i,
      after: new RegExp(String.raw`^AUT[Hh] +(?:\S+ +)?${ENDS_LINE}`),
      mayBeOther: true,
    },
  ],
  login: [login('login(', 1)],
  'auth(': [login('auth(', 1)],
  'getconnection(': [login('getconnection(', 2)],
  'new pdo(': [login('new pdo(', 2)],
  'wifi.begin(': [login('wifi.begin(', 1)],
  'mysqli(': [login('mysqli(', 2)],
  'mysql.connect(': [login('mysql.connect(', 2)],
  'mysqli_connect(': [login('mysqli_connect(', 2)],
  'dbi->connect(': [login('dbi->connect(', 2)],
  'jwt.sign(': [login('jwt.sign(', 1)],
  'jwt.encode(': [login('jwt.encode(', 1)],
  'jwt.verify(': [login('jwt.verify(', 1)],
  'jwt.decode(': [login('jwt.decode(', 1)],
  'hmac(': [login('hmac(', 1)],
  'ftp(': [login('ftp(', 2)],
  '-': [{ before: /ftp $/i, after: at(String.raw`-[^\0]{0,300}?\n *user +\S+ +`, ENDS_LINE) }],
  ':': [
    // Postfix: [smtp.example.net]:587 bob:v
    { before: /[\]A-Za-z0-9]$/, after: at(String.raw`:(?:25|465|587|2525)[ \t]+[^\s:/]{1,63}:`, ENDS_LINE) },
    // Sendmail: AuthInfo:smtp.example.net "U:bob" "P:v"
    { before: /"[ui]:[^\n]{0,60}"P$/i, after: /^:/, value: /^[^"\n]{1,160}/ },
    // PostgreSQL's .pgpass: host:5432:database:user:v
    { before: /:5432$/, after: /^:[\w*-]{1,64}:[\w*-]{1,64}:/ },
  ],
  // Redis: user bob on >v ~* +@all
  '@': [
    { before: /(?:^|\n)(?:acl setuser|user) [^\n@]*? >(?=\S[^\n]*$)/i, after: /^/, isBefore: true },
    { before: /(?:^|\n)(?:acl setuser|user) [^\n@>]*$/i, after: /^@[^\n]{0,200}? >/ },
  ],
};

/** Characters before and behind the word that are read. */
const REACH_BEFORE = 240;
const REACH_AFTER = 480;
const MAX_LINES = 256;
const MAX_LINE = 240;

/** The password that the form which has this word or sign at `at` gives. Returns where to go on, or 0. */
export function formSecret(pass: Pass, word: string, at: number): number {
  const forms = FORMS[word];
  if (forms === undefined) return 0;
  const { start } = pass.text;
  const from = Math.max(start, at - REACH_BEFORE);
  // a byte that no text has stands in front where it is cut off
  const before = (from === start ? '' : '\x01') + pass.plain(from, at);
  const after = pass.plain(at, at + REACH_AFTER);
  for (const form of forms) {
    const matched = form.after.exec(after);
    if (matched === null) continue;
    const found = form.before?.exec(before);
    if (found === null) continue;
    if (form.isBefore === true && found !== undefined) {
      const value = at - before.length + found.index + found[0].length;
      if (secretWord(pass, value, form.separator ?? null) !== 0) return at + word.length;
      continue;
    }
    const value = at + matched[0].length;
    const end =
      form.lines === undefined ? valueAt(pass, form, value) : linesAt(pass, form, form.lines, value);
    if (end !== 0) return form.hasUser === true ? at + word.length : end;
  }
  return 0;
}

function valueAt(pass: Pass, { value, separator, mayBeOther }: Form, at: number): number {
  if (value !== undefined) {
    const text = value.exec(pass.plain(at, at + MAX_LINE))?.[0] ?? '';
    return report(pass, at, at + text.length);
  }
  if (mayBeOther === true) {
    const text = /^\S*/.exec(pass.plain(at, at + MAX_LINE))?.[0] ?? '';
    const isPlain =
      isSecret('password', pass.text.bytes, at, at + text.length, false) || mayBePlainPassword(text);
    return isPlain ? report(pass, at, at + text.length) : 0;
  }
  return secretWord(pass, at, separator ?? null);
}

/** Where the last value ends in the lines from `at` on; 0 for none. */
function linesAt(pass: Pass, form: Form, lines: RegExp, at: number): number {
  let last = 0;
  let line = at;
  for (let count = 0; count < MAX_LINES; count++) {
    const text = pass.plain(line, line + MAX_LINE);
    const matched = lines.exec(text);
    if (matched === null) break;
    last = secretWord(pass, line + matched[0].length, form.separator ?? null) || last;
    const size = text.indexOf('\n') + 1;
    if (size === 0) break;
    line += size;
  }
  return last;
}

const SENT = /^[^\0]{0,40}?send (?:-- )?"(?=([^"\\\r\n]{1,80}))/i;

/** Expect: `expect "assword:"; send "v\\r"`, whose prompt ends at `at`. Returns where the password ends, or 0. */
export function answer(pass: Pass, at: number): number {
  const sent = SENT.exec(pass.plain(at, at + REACH_AFTER));
  if (sent === null) return 0;
  const from = at + sent[0].length;
  return report(pass, from, from + (sent[1] ?? '').length);
}

const MAX_LIST = 65_536;
const USER_LIST = /^(?:"[\w.@-]{1,64}" "[^"\n]{1,256}"[ \r]*(?:\n|$))+$/;
const USERS = /^("[\w.@-]+" ")([^"\n]+)/gm;

/** PgBouncer: a text that is nothing but lines `"bob" "password"`; a plain word counts in two lines or more. */
export function userList(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  const list = end - start > MAX_LIST ? '' : pass.slice(start, end);
  if (!USER_LIST.test(list)) return;
  const users = [...list.matchAll(USERS)];
  for (const { 1: user = '', 2: password = '', index } of users) {
    const from = start + index + user.length;
    const to = from + password.length;
    const isPlain = users.length > 1 && mayBePlainPassword(password);
    if (isPlain || isSecret('password', b, from, to, false)) report(pass, from, to);
  }
}
