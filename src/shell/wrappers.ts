import { nameOf, opaque, type Wrapper } from './frame.ts';
import { runCmd, runForfiles, runInvoke, runPowerShell, runStart, runsCode, shells } from './interpreters.ts';
import { readOptions, valuesOf } from './options.ts';

import { UNSAFE, type WordBits } from './word.ts';
import {
  addAssignments,
  alone,
  docker,
  dockerCompose,
  fd,
  find,
  joined,
  joining,
  kubectl,
  options,
  parallel,
  prefix,
  runPackage,
  scripted,
  ssh,
  subcommand,
  tmux,
  xargs,
} from './wrapping.ts';

// Programs with options whose value is a command line: `tar -I 'zstd -19'`, `rsync -e ssh`.

/** Reads the value of each such option as a command of its own, beside the program itself. */
const commandOptions =
  (short: string, long: readonly string[] = []): Wrapper =>
  (unwrapping, frame) => {
    unwrapping.add(frame, false);
    const { words, bits } = frame;
    const run = (value = '', known: WordBits = 0): void => {
      if (value !== '') unwrapping.runText(frame, value, known, words[frame.at] as string);
    };
    for (let at = frame.at + 1; at < words.length; at += 1) {
      const word = words[at] as string;
      if (word === '--') break;
      if (word.startsWith('--')) {
        const equals = word.indexOf('=');
        const name = word.slice(2, equals < 0 ? undefined : equals);
        if (!long.includes(name)) continue;
        const value = equals < 0 ? words[at + 1] : word.slice(equals + 1);
        run(name === ACTION ? execOf(value) : value, bits[equals < 0 ? at + 1 : at]);
      } else if (word.startsWith('-') && word.length > 1) {
        if (short.includes(word.at(-1) as string)) run(words[at + 1], bits[at + 1]);
        else if (short.includes(word[1] as string)) run(word.slice(2), bits[at]);
      }
    }
    return null;
  };

/** Its value is a command after `exec=`. */
const ACTION = 'checkpoint-action';
const execOf = (value = ''): string | undefined => /^exec=(.*)$/s.exec(value)?.[1];

const tar = commandOptions('I', [
  ACTION,
  'use-compress-program',
  'to-command',
  'rsh-command',
  'info-script',
  'new-volume-script',
]);

const runsOptions: readonly (readonly [string, Wrapper])[] = [
  ['tar', tar],
  ['gtar', tar],
  ['bsdtar', tar],
  ['rsync', commandOptions('e', ['rsh', 'rsync-path'])],
  ['sort', commandOptions('', ['compress-program'])],
  ['split', commandOptions('', ['filter'])],
  ['rg', commandOptions('', ['pre'])],
  ['man', commandOptions('P', ['pager'])],
  ['zip', commandOptions('', ['unzip-command'])],
  ['tcpdump', commandOptions('z')],
  ['scp', commandOptions('S')],
  ['sftp', commandOptions('S')],
];

const gitOptions = options('cC', 'git-dir work-tree namespace exec-path config-env');
/** Settings of git that are commands. */
const gitCommands =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|diff\.external|pager\..*|credential\..*helper|gpg\.program|.*\.(?:textconv|command|cmd|clean|smudge|process))=(.*)$/is;
const git: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const { words } = frame;
  const found = readOptions(frame, frame.at + 1, gitOptions);
  for (const { text, bits } of valuesOf(found, 'c')) {
    const [, command] = /^alias\.[^=]*=!(.*)$/is.exec(text) ?? gitCommands.exec(text) ?? [];
    if (command !== undefined) unwrapping.runText(frame, command, bits, 'git');
    const [, aliased] = /^alias\.[^=]*=([^!].*)$/is.exec(text) ?? [];
    if (aliased !== undefined)
      unwrapping.runText(frame, `git ${aliased} ${words.slice(found.at + 1).join(' ')}`, bits, 'git');
  }
  const { at } = found;
  const text = (value: string | undefined, bits: WordBits | undefined): void => {
    if (value !== undefined) unwrapping.runText(frame, value, bits ?? 0, 'git');
  };
  const after = (index: number) => text(words[index + 1], frame.bits[index + 1]);
  switch (words[at]) {
    case 'config': {
      const key = words.findIndex((word, index) => index > at && /^(?:alias\.|core\.)/i.test(word));
      const value = words[key + 1];
      if (key > 0 && value?.startsWith('!')) text(value.slice(1), frame.bits[key + 1]);
      else if (key > 0 && gitCommands.test(`${words[key]}=${value ?? ''}`) && value) after(key);
      break;
    }
    case 'rebase':
    case 'difftool':
    case 'filter-branch':
      for (let index = at + 1; index < words.length; index += 1) {
        const word = words[index] as string;
        const [, inOne] = /^--(?:exec|extcmd)=(.*)$/s.exec(word) ?? [];
        if (inOne !== undefined) text(inOne, frame.bits[index]);
        else if (/^(?:-x|--exec|--extcmd|.*-filter)$/.test(word)) after(index);
      }
      break;
    case 'bisect':
      if (words[at + 1] === 'run') unwrapping.runWords(frame, at + 2, 'git');
      break;
    case 'submodule':
      if (words[at + 1] === 'foreach') {
        const { text: all, bits } = joined(frame, words[at + 2] === '--recursive' ? at + 3 : at + 2);
        text(all, bits);
      }
      break;
    default:
  }
  return null;
};

// The programs that run other programs, by name.

/** The wrapper of this name; undefined for a program that runs no other. */
export const wrapperOf = (program: string): Wrapper | undefined => wrappers.get(program);

const envOptions = options('uCSa', 'unset chdir split-string argv0');

/** `env`, whose -S is a command line of its own. */
const env: Wrapper = (unwrapping, frame) => {
  const found = readOptions(frame, frame.at + 1, envOptions);
  if (found.isUnsafe) return opaque(unwrapping, frame);
  const [split] = valuesOf(found, 'S', 'split-string');
  if (split === undefined) return addAssignments(frame, found.at);
  const rest = frame.words.slice(found.at).map((word) => ` '${word.replaceAll("'", "'\\''")}'`);
  unwrapping.runText(frame, `env ${split.text}${rest.join('')}`, split.bits, '');
  return null;
};

const npxOptions = options(
  'pcw',
  'package call workspace cache userconfig registry from python with index-url',
);
const npx: Wrapper = (unwrapping, frame) => {
  const found = readOptions(frame, frame.at + 1, npxOptions);
  if (found.isUnsafe) return opaque(unwrapping, frame);
  unwrapping.add(frame, false);
  const [script] = valuesOf(found, 'c', 'call');
  if (script !== undefined) unwrapping.runText(frame, script.text, script.bits, nameOf(frame));
  else runPackage(unwrapping, frame, found.at, true);
  return null;
};

/** Command lines that run later: `alias x='…'`, `trap '…' EXIT`. */
const alias: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  for (let at = frame.at + 1; at < frame.words.length; at += 1) {
    const word = frame.words[at] as string;
    const equals = word.indexOf('=');
    if (equals > 0) unwrapping.runText(frame, word.slice(equals + 1), frame.bits[at] ?? 0, 'alias');
  }
  return null;
};
const trap: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const at = frame.words[frame.at + 1] === '--' ? frame.at + 2 : frame.at + 1;
  const word = frame.words[at];
  if (word !== undefined && word !== '' && !word.startsWith('-') && frame.words.length > at + 1)
    unwrapping.runText(frame, word, frame.bits[at] ?? 0, 'trap');
  return null;
};

const source: Wrapper = (unwrapping, frame) => {
  const bits = frame.bits[frame.at + 1] ?? 0;
  const word = frame.words[frame.at + 1] ?? '';
  unwrapping.add(frame, (bits & UNSAFE) !== 0 || /^\/(?:dev|proc)\//.test(word));
  return null;
};

/** Every argument is a command line: `hyperfine 'a' 'b'`, `concurrently "a" "b"`. */
const lines: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  for (let at = frame.at + 1; at < frame.words.length; at += 1) {
    const word = frame.words[at] as string;
    // `npm:build` is a script of package.json.
    if (!/^(?:-|(?:npm|pnpm|yarn|bun|node):)/.test(word))
      unwrapping.runText(frame, word, frame.bits[at] ?? 0, nameOf(frame));
  }
  return null;
};

/** `su [options] [user] [args]`: without -c it is a shell. */
const su = scripted(
  options('cgGsw', 'command session-command group supp-group shell whitelist-environment'),
  ['c', 'command', 'session-command'],
  (unwrapping, frame) => opaque(unwrapping, frame),
);

const plain = prefix(options());
const sudoOptions = options(
  'ugpCDhRrtTU',
  'user group prompt close-from chdir host chroot role type other-user command-timeout',
);
const packageOptions = options(
  'pwCFnc',
  'package python with extra group project directory env-file name prefix workspace filter dir cwd call command config from',
);

const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ...[
    'nohup',
    'setsid',
    'builtin',
    'noglob',
    'nocorrect',
    '-',
    'busybox',
    'toybox',
    'unbuffer',
    'winpty',
    'rlwrap',
    'catchsegv',
    'tini',
    'dumb-init',
    'firejail',
    'setarch',
    'linux64',
    'coproc',
  ].map((name): [string, Wrapper] => [name, plain]),
  ['env', env],
  ['cross-env', prefix(options(), { assigns: true })],
  ['dotenv', prefix(options('efvp', ''), { assigns: true })],
  ['env-cmd', prefix(options('fre', 'file'))],
  ['sudo', prefix(sudoOptions, { assigns: true, queries: 'e edit l list v validate k K' })],
  ['doas', prefix(options('uCa', ''))],
  ['pkexec', prefix(options('', 'user'))],
  ['gosu', prefix(options(), { operands: 1 })],
  ['su-exec', prefix(options(), { operands: 1 })],
  ['fakeroot', prefix(options('lfisub', 'lib faked'))],
  ['command', prefix(options(), { queries: 'v V' })],
  ['exec', prefix(options('a', ''))],
  ['nice', prefix(options('n', 'adjustment'))],
  ['ionice', prefix(options('cnpPu', 'class classdata'))],
  ['chrt', prefix(options('TPD', ''), { operands: 1 })],
  ['taskset', prefix(options(), { operands: 1 })],
  ['time', prefix(options('fo', 'format output'), { assigns: true })],
  ['timeout', prefix(options('ks', 'kill-after signal'), { operands: 1 })],
  ['gtimeout', prefix(options('ks', 'kill-after signal'), { operands: 1 })],
  ['stdbuf', prefix(options('ioe', 'input output error'))],
  ['gstdbuf', prefix(options('ioe', 'input output error'))],
  ['faketime', prefix(options('f', ''), { operands: 1 })],
  ['strace', prefix(options('eoPpsSuEabIOUX', 'trace output'))],
  ['ltrace', prefix(options('eoplsuanADFw', ''))],
  ['valgrind', prefix(options())],
  ['caffeinate', prefix(options('tw', ''))],
  ['arch', prefix(options('', ''))],
  ['proxychains', prefix(options('f', ''))],
  ['proxychains4', prefix(options('f', ''))],
  ['torsocks', prefix(options('uapP', ''))],
  ['torify', plain],
  ['dbus-run-session', prefix(options('', 'config-file dbus-daemon'))],
  ['xvfb-run', prefix(options('enfspw', 'error-file server-num auth-file server-args wait'))],
  [
    'systemd-run',
    prefix(
      options(
        'pugGEMHtdr',
        'unit property uid gid nice setenv machine host slice description working-directory on-active on-boot on-calendar on-unit-active service-type',
      ),
      { listed: true },
    ),
  ],
  ['systemd-inhibit', prefix(options('', 'what who why mode'))],
  ['setpriv', prefix(options('', 'reuid regid groups inh-caps ambient-caps bounding-set securebits'))],
  ['chroot', prefix(options('', 'userspec groups'), { operands: 1, listed: true })],
  ['unshare', prefix(options('SGRwlB', 'setuid setgid root wd map-user map-group'), { listed: true })],
  ['nsenter', prefix(options('tSGW', 'target setuid setgid wdns'), { listed: true })],
  ['bwrap', plain],
  [
    'flock',
    scripted(
      options('cwE', 'command timeout wait conflict-exit-code'),
      ['c', 'command'],
      prefix(options('wE', 'timeout wait conflict-exit-code'), { operands: 1 }),
    ),
  ],
  [
    'script',
    scripted(
      options('cIOBETom', 'command log-in log-out log-io log-timing echo output-limit'),
      ['c', 'command'],
      prefix(options('IOBETom', ''), { operands: 1, listed: true }),
    ),
  ],
  ['su', su],
  [
    'runuser',
    scripted(
      options('cugGs', 'command user group'),
      ['c', 'command', 'session-command'],
      prefix(options('ugGs', 'user group supp-group shell')),
    ),
  ],
  ['sg', scripted(options('c', ''), ['c'], joining(options(), { operands: 1 }))],
  ['nix-shell', scripted(options('pIA', 'run command packages'), ['run', 'command'], alone)],
  ['vagrant', scripted(options('c', 'command'), ['c', 'command'], alone)],
  [
    'gcloud',
    scripted(options('', 'command project account configuration format zone region'), ['command'], alone, 9),
  ],
  ['eval', joining(options())],
  ['watch', joining(options('nq', 'interval equexit'))],
  ['ssh', ssh],
  ['mosh', joining(options('p', 'ssh port'), { operands: 1, listed: true })],
  ['xargs', xargs],
  ['gxargs', xargs],
  ['parallel', parallel],
  ['find', find],
  ['gfind', find],
  ['fd', fd],
  ['fdfind', fd],
  ['docker', docker],
  ['podman', docker],
  ['nerdctl', docker],
  ['docker-compose', dockerCompose],
  ['kubectl', kubectl],
  ['oc', kubectl],
  ['npx', npx],
  ['bunx', npx],
  ['uvx', npx],
  ['pnpx', npx],
  ['npm', subcommand(['exec', 'x'], packageOptions, { scripts: ['c', 'call'], isPackage: true })],
  ['pnpm', subcommand(['exec', 'dlx'], options('CF', 'dir filter package'), { isPackage: true })],
  ['yarn', subcommand(['exec', 'dlx'], options('p', 'cwd package'), { isPackage: true })],
  ['bun', subcommand(['x'], options(), { isPackage: true })],
  ['pipx', subcommand(['run'], options('', 'spec python pip-args'), { isPackage: true })],
  ['uv', subcommand(['run'], packageOptions)],
  ...['poetry', 'pipenv', 'pdm', 'hatch', 'rye'].map((name): [string, Wrapper] => [
    name,
    subcommand(['run'], options('Cp', 'directory project python')),
  ]),
  ...['conda', 'mamba', 'micromamba'].map((name): [string, Wrapper] => [
    name,
    subcommand(['run'], options('npc', 'name prefix cwd')),
  ]),
  ...['bundle', 'rbenv', 'pyenv', 'asdf'].map((name): [string, Wrapper] => [
    name,
    subcommand(['exec'], options()),
  ]),
  ['mise', subcommand(['exec', 'x'], options('cC', 'command cd'), { scripts: ['c', 'command'] })],
  ['direnv', subcommand(['exec'], options(), { operands: 1 })],
  ['doppler', subcommand(['run'], options('pc', 'project config command'), { scripts: ['command'] })],
  ['op', subcommand(['run'], options('', 'env-file account'))],
  ['aws-vault', subcommand(['exec'], options('d', 'duration region'), { operands: 1 })],
  ['nix', subcommand(['develop', 'shell', 'run'], options('', ''), {})],
  ['wsl', prefix(options('dnu', 'distribution user cd'))],
  ['hyperfine', lines],
  ['concurrently', lines],
  ...['fly', 'flyctl'].map((name): [string, Wrapper] => [
    name,
    scripted(options('Ca', 'command app'), ['C', 'command'], alone, 9),
  ]),
  ['heroku', subcommand(['run'], options('a', 'app'))],
  ['entr', joining(options())],
  ['shx', plain],
  ['tmux', tmux],
  ['screen', prefix(options('SctTsph', ''), { listed: true })],
  ['git', git],
  ['alias', alias],
  ['trap', trap],
  ['source', source],
  ['.', source],
  ...shells,
  ...runsCode,
  ...runsOptions,
  ['powershell', runPowerShell],
  ['pwsh', runPowerShell],
  ['iex', runInvoke],
  ['invoke-expression', runInvoke],
  ['cmd', runCmd],
  ['forfiles', runForfiles],
  ['start-process', runStart],
  ['saps', runStart],
]);
