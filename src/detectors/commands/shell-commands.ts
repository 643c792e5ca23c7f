import { BARE } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import { isFiller } from '../labels/plain-words.ts';
import { isLabelled } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { byteAt, CLASS, endsWith, is, isAt, setOf, UPPER, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { opensVendor, vendorToken } from '../tokens/vendor-tokens.ts';
import { report } from './command-flags.ts';
import { echoed, type ShellCommand, ShellReader, type Word } from './shell-words.ts';

/**
 * Where the arguments of programs are secrets, by the documentation of each. A rule names the subcommands that must come
 * first, and then what is secret: `#2` the second argument behind them, `#*` the last one, `-w` the argument of a flag,
 * `/rp` of a flag of Windows, `--from-literal=` what stands behind the name in the argument of a flag, `=` behind the name in
 * any argument, `pass:` what follows that prefix, `:@` the password in `user:password@host`, `<` the standard input.
 */
type Rows = readonly (readonly [names: string, ...rules: string[]])[];

const PASSWORDS: Rows = [
  ['isql', '#3'],
  ['qpdf', '--encrypt', '--encrypt#2'],
  ['samba-tool', 'user create #2', 'user add #2'],
  ['bw', 'unlock #1', 'login #2'],
  ['mc mcli', 'alias set #4', 'config host add #4', 'admin user add #3'],
  ['rclone', 'obscure #1', 'config create pass', 'config create password', 'config update pass'],
  ['openssl', 'passwd #*', 'pass:', '-k', 's_client <'],
  ['mkpasswd', '#1'],
  ['smbclient', '#2'],
  ['kadmin kadmin.local', '-w', 'addprinc -pw', 'cpw -pw', 'add_principal -pw'],
  ['kubectl oc', 'create secret generic --from-literal=', 'create secret docker-registry --docker-password'],
  ['fly flyctl', 'secrets set ='],
  ['heroku', 'config:set ='],
  ['dokku', 'config:set ='],
  ['gh', 'secret set --body', 'secret set -b', 'secret set <'],
  ['az', 'keyvault secret set --value', 'login -p'],
  ['aws', 'secretsmanager create-secret --secret-string', 'secretsmanager put-secret-value --secret-string'],
  ['pulumi', 'config set --secret#2'],
  ['ansible-vault', 'encrypt_string #1', 'encrypt_string <'],
  ['chamber', 'write #3'],
  ['credstash', 'put #2'],
  ['security', 'add-generic-password -w', 'add-internet-password -w', 'unlock-keychain -p', 'import -P'],
  ['cmdkey', '/pass'],
  ['schtasks', '/rp', '/p'],
  ['signtool', '/p'],
  ['certutil', '-p'],
  ['wbadmin', '-password'],
  ['networksetup', '-setairportnetwork#3'],
  ['dscl', '-passwd#2'],
  ['iwconfig', 'key s:'],
  ['pdftk', 'user_pw', 'owner_pw', 'input_pw'],
  ['pdftotext pdftoppm pdfimages pdfinfo', '-upw', '-opw'],
  ['steghide', '-p'],
  ['outguess', '-k'],
  ['poetry', 'config #3'],
  ['composer', 'config #3'],
  ['lftp', '-u,'],
  ['ncftpput ncftpget ncftp', '-p'],
  ['restic', '--password-command'],
  ['su', '<'],
  ['ldapsearch ldapmodify ldapadd ldapdelete ldappasswd', '-w', '-s'],
  ['rdesktop freerdp', '-p'],
  ['mongosh mongo mongodump mongorestore', '-p'],
  ['cqlsh', '-p'],
  ['vncdo vncviewer vncconnect', '-passwd'],
  ['keytool jarsigner', '-storepass', '-keypass', '-srcstorepass', '-deststorepass'],
  ['airdecap-ng', '-p'],
  ['hydra medusa', '-p'],
  ['nmcli', 'password', 'wifi-sec.psk', '802-11-wireless-security.psk'],
  ['netsh', 'key', 'keyMaterial'],
  ['kinit', '<'],
  ['cryptsetup veracrypt', '<'],
  ['smbpasswd', '<'],
  ['passwd', '<'],
  ['vncpasswd x11vnc', '<'],
  ['secret-tool', 'store <'],
  ['pass gopass', 'insert <'],
  ['keyctl', 'padd user <', 'add user #2'],
  ['gcloud', 'secrets create <', 'secrets versions <'],
  ['gpg gpg2', '--passphrase-fd<'],
  ['docker podman nerdctl helm crane skopeo oras buildah', '--password-stdin<'],
  ['hdiutil', '-stdinpass<'],
  ['htpasswd', '-i<'],
  ['ecryptfs-add-passphrase ecryptfs-unwrap-passphrase', '<'],
  [
    'secretsdump.py psexec.py wmiexec.py smbexec.py dcomexec.py atexec.py lookupsid.py mssqlclient.py getuserspns.py',
    ':@',
  ],
  [
    'impacket-secretsdump impacket-psexec impacket-wmiexec impacket-smbexec impacket-mssqlclient impacket-lookupsid',
    ':@',
  ],
  ['mysqladmin', 'password #1'],
  ['grafana-cli grafana', 'admin reset-admin-password #1'],
  ['wp', '--user_pass', '--dbpass', '--admin_password'],
  ['occ', '<'],
  ['adduser useradd usermod', '-p'],
];

const TOKENS: Rows = [
  ['ngrok', 'authtoken #1', 'config add-authtoken #1'],
  ['confluent ccloud', 'api-key store #2'],
  ['snyk', 'auth #1'],
  ['wandb', 'login #1'],
  ['vault', 'login #1'],
  ['poetry', 'config #2'],
  ['doctl', 'auth init -t', '-t'],
  ['cloudflared', 'service install #1'],
  ['yarn npm pnpm', 'config set #2'],
  ['gh glab', 'auth login <'],
  ['wrangler', 'secret put <'],
  ['stripe', 'config --set#2'],
  ['tailscale', 'up --authkey', 'up --auth-key'],
  ['infisical doppler', '--token'],
  ['sentry-cli', '--auth-token'],
];

/** The place of the secret behind the words of a rule. */
interface ShellRule {
  readonly tag: 'PASSWORD' | 'API_KEY';
  /** Subcommands, in order. */
  readonly path: readonly string[];
  /** A flag, a prefix or a word before the secret; empty for none. */
  readonly mark: string;
  /** The place of an argument, behind the mark where there is one; 0 for the last, -1 for none. */
  readonly place: number;
  readonly form: 'argument' | 'named' | 'prefix' | 'input' | 'login' | 'list';
}

/** The rules of each program. */
const SHELL_RULES: ReadonlyMap<string, readonly ShellRule[]> = readRules();

function readRules(): Map<string, ShellRule[]> {
  const rules = new Map<string, ShellRule[]>();
  for (const [tag, rows] of [
    ['PASSWORD', PASSWORDS],
    ['API_KEY', TOKENS],
  ] as const)
    for (const [names, ...texts] of rows)
      for (const name of names.split(' '))
        rules.set(name, [...(rules.get(name) ?? []), ...texts.map((text) => ruleOf(tag, text))]);
  return rules;
}

function ruleOf(tag: ShellRule['tag'], text: string): ShellRule {
  const words = text.split(' ');
  const last = words.pop() ?? '';
  const [, mark = '', end = '', digits = ''] = /^(.*?)(|=|<|:@|,|#([\d*]))$/.exec(last) ?? [];
  const rule = { tag, path: words, mark, place: -1 };
  if (end === '=') return { ...rule, form: 'named' };
  if (end === '<') return { ...rule, form: 'input' };
  if (end === ':@') return { ...rule, form: 'login' };
  if (end === ',') return { ...rule, form: 'list' };
  if (end.startsWith('#')) return { ...rule, form: 'argument', place: digits === '*' ? 0 : Number(digits) };
  if (mark.endsWith(':')) return { ...rule, form: 'prefix' };
  return { ...rule, form: 'argument', place: 1 };
}

/** Characters of the longest script that is read. */
const MAX_SCRIPT = 8192;
const MIN_SCRIPT = 10;
/** How deep scripts inside the arguments of commands are read: ssh h 'sudo sh -c "…"'. */
const MAX_DEPTH = 2;
/** Programs that run the command after them; the second set are also ordinary words of sentences. */
const PREFIXES = '$ sudo doas env nohup exec xargs timeout nice stdbuf setsid'.split(' ');
const KEYWORDS = 'time command then do else if while ! watch'.split(' ');
const WRAPPERS = new Set([...PREFIXES, ...KEYWORDS]);
/** Programs that run a script that is one of their arguments, or a command behind `--`. */
const RUNNERS = new Set(
  'sh bash zsh dash ksh ssh su docker podman kubectl oc nerdctl vagrant aws-vault systemd-run pkexec'.split(
    ' ',
  ),
);
/** Words with which scripts begin that have the secret in their first command, and those behind which another command must follow. */
const PROGRAMS = new Set([...SHELL_RULES.keys(), ...PREFIXES, ...RUNNERS]);
const OTHERS = new Set([
  ...KEYWORDS,
  ...(
    'echo printf cd export set source cat for mkdir apt apt-get yum dnf brew pip curl wget git test umask unset rsync tar mount ftp sftp scp nc ' +
    'telnet java node python python3 php ruby go make terraform systemctl service mysql psql useradd chmod chown cp mv rm ls read'
  ).split(' '),
]);
/** These, paths and prompts. */
export const SCRIPT_OPENINGS = [...PROGRAMS, ...OTHERS, '#!', '$ ', '/u', '/b', '/o', './'];
/** Characters of the longest of them, with its path. */
const MAX_OPENING = 40;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
/** Words that are no secret where one is expected: a path, an address, a variable, a member of another program's syntax. */
const NO_SECRET = /^(?:[-/~@<$&]|\.{1,2}\/|[a-z][a-z0-9+.-]*:\/\/)|^[A-Za-z_]\w*=\S/;

/** The secrets among the arguments and inputs of programs, in a text that begins as a script does. */
export function shellSecrets(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (end - start > MAX_SCRIPT || end - start < MIN_SCRIPT) return;
  if (!isAt(b, start, '#!') && !opensScript(pass)) return;
  const script = pass.slice(start, end);
  if (mayHaveRule(pass, script)) readScript(pass, script, start, 0);
}

/** For the length, the first and the last letter of programs with rules, and of those that run others, 1: most scripts have none. */
const NAMED = new Uint8Array(1 << 15);
const slotOf = (length: number, first: number, last: number): number =>
  ((length & 31) << 10) | ((first & 31) << 5) | (last & 31);
for (const name of [...SHELL_RULES.keys(), ...RUNNERS])
  NAMED[slotOf(name.length, name.charCodeAt(0), name.charCodeAt(name.length - 1))] = 1;
/** The same for all words with which scripts begin, in any case: most sentences begin with another. */
const OPENS = new Uint8Array(1 << 15);
for (const word of [...PROGRAMS, ...OTHERS])
  OPENS[slotOf(word.length, word.charCodeAt(0), word.charCodeAt(word.length - 1))] = 1;
const EXE = '.exe';
/** For each byte of the name of a program: whether one may begin with it, or only go on. */
const OPENS_NAME = 1;
const OF_NAMES = Uint8Array.from(CLASS, (bits) => (bits & WORD ? OPENS_NAME : 0));
for (const c of [Char.HYPHEN, Char.FULL_STOP]) OF_NAMES[c] = 2;

/** Whether any word is the name of a program with a rule for what the script has, or a command gives its output as a file: <(echo v). */
function mayHaveRule({ text: { bytes: b, start, end } }: Pass, script: string): boolean {
  for (let i = start; i < end; i++) {
    const first = byteAt(b, i);
    if (first === Char.LESS_THAN && b[i + 1] === Char.LEFT_PARENTHESIS) return true;
    if (OF_NAMES[first] !== OPENS_NAME) continue;
    const from = i;
    do i++;
    while (OF_NAMES[byteAt(b, i)] !== 0);
    const to = b[i - EXE.length] === Char.FULL_STOP && endsWith(b, i, EXE) ? i - EXE.length : i;
    if (NAMED[slotOf(to - from, first, byteAt(b, to - 1))] === 0) continue;
    const name = script.slice(from - start, to - start).toLowerCase();
    if (RUNNERS.has(name)) return true;
    const rules = SHELL_RULES.get(name) ?? [];
    if (rules.some(({ path: [first = ''] }) => script.includes(first))) return true;
  }
  return false;
}

/** Whether the first word is the name of a program or a word of a shell, with a path or a prompt before it. */
function opensScript(pass: Pass): boolean {
  const { bytes: b, start } = pass.text;
  const from = isAt(b, start, '$ ') ? start + 2 : start;
  let to = from;
  let name = from;
  while (to - from < MAX_OPENING && (is(b, to, WORD) || OF_PATHS.includes(byteAt(b, to)))) {
    if (b[to] === Char.SLASH) name = to + 1;
    to++;
  }
  const next = byteAt(b, to);
  // most often https:
  if (next === Char.COLON_SIGN || next > Char.SEMICOLON || to === name) return false;
  // modules of JavaScript begin with the same word
  if (isAt(b, name, EXPORT)) return is(b, name + EXPORT.length, UPPER);
  if (OPENS[slotOf(to - name, byteAt(b, name), byteAt(b, to - 1))] === 0) return false;
  const word = pass.slice(name, to);
  // sentences begin with a capital, and have no other command
  return PROGRAMS.has(word.toLowerCase()) || (OTHERS.has(word) && hasSeparator(pass, to));
}

/** Whether another command may begin behind `from`. */
function hasSeparator({ text: { bytes: b, end } }: Pass, from: number): boolean {
  for (let i = from; i < end; i++) if (SEPARATES[byteAt(b, i)] === 1) return true;
  return false;
}

const SEPARATES = setOf('\n;|&(`');

const EXPORT = 'export ';
const OF_PATHS: readonly number[] = [Char.SLASH, Char.FULL_STOP, Char.HYPHEN, Char.LOW_LINE_SIGN];

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
  if (at > 0 && (text.startsWith('-') || words[at - 1]?.text === '-u')) return true;
  return WRAPPERS.has(text) || (text.includes('=') && ASSIGNMENT.test(text));
}

function programName(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).toLowerCase();
  return name.endsWith('.exe') ? name.slice(0, -4) : name;
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

/** The rest of a word behind its first separator. */
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
