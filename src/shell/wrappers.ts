import { type Frame, nameOf, opaque, type Unwrapping, type Wrapper } from './frame.ts';
import { runsCode } from './interpreters.ts';
import { type Options, readOptions, valuesOf } from './options.ts';
import { shells } from './shells.ts';
import { runCmd, runInvoke, runPowerShell } from './windows.ts';
import { UNKNOWN, UNSAFE, type WordBits } from './word.ts';

/** The wrapper of this name; undefined for a program that runs no other. */
export const wrapperOf = (program: string): Wrapper | undefined => wrappers.get(program);

const options = (short = '', long = ''): Options => ({ short, long: new Set(long.split(' ')) });

/** `name [options] [operands] command…`; `listed`: the program does something itself as well. */
const prefix =
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
function addAssignments(frame: Frame, at: number): number {
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

/** All words from `at` on as one text, as `eval` and `ssh` read them. */
function joined({ words, bits }: Frame, at: number): { text: string; bits: WordBits } {
  return { text: words.slice(at).join(' '), bits: bits.slice(at).reduce((all, one) => all | one, 0) };
}

/** `name [options] [operands] words…`, whose words are joined to a text for a shell. */
const joining =
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
const scripted =
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

const alone: Wrapper = () => Number.POSITIVE_INFINITY;

const HYPHEN = 45;

/** `tool … run command`: after one of these subcommands comes a command. */
const subcommand =
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
function runPackage(unwrapping: Unwrapping, frame: Frame, at: number, isPackage: boolean): void {
  const word = frame.words[at];
  if (word === undefined) return;
  const version = isPackage ? word.indexOf('@', 1) : -1;
  const words = version < 0 ? frame.words : frame.words.with(at, word.slice(0, version));
  unwrapping.runWords(frame, at, nameOf(frame), { words });
}

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

/** Stands for words that are only known when it runs. */
const UNKNOWN_WORDS = '$@';

/** A word in which the given text is replaced by what is only known when it runs. */
const replacedIn = (frame: Frame, text: string): WordBits[] =>
  frame.words.map((word, index) =>
    word.includes(text) ? (frame.bits[index] ?? 0) | UNKNOWN | UNSAFE : (frame.bits[index] ?? 0),
  );

const xargsOptions = options(
  'IdEnLsPa',
  'replace delimiter eof max-args max-lines max-chars max-procs arg-file process-slot-var',
);
const xargs: Wrapper = (unwrapping, frame) => {
  const found = readOptions(frame, frame.at + 1, xargsOptions);
  if (found.isUnsafe) return opaque(unwrapping, frame);
  if (found.at >= frame.words.length) return found.at;
  const [replaced] = valuesOf(found, 'I', 'replace');
  const mark = replaced?.text ?? (found.flags.includes('i') || found.flags.includes('replace') ? '{}' : null);
  if (mark !== null)
    unwrapping.runWords(frame, found.at, 'xargs', { bits: replacedIn(frame, mark), input: null });
  else {
    const words = [...frame.words, UNKNOWN_WORDS];
    const bits = [...frame.words.map((_, index) => frame.bits[index] ?? 0), UNKNOWN | UNSAFE];
    unwrapping.runWords(frame, found.at, 'xargs', { words, bits, input: null });
  }
  return null;
};

const parallelOptions = options(
  'jINLPSna',
  'jobs max-args max-replace-args sshlogin sshloginfile timeout retries delay joblog results tmpdir colsep arg-file delimiter halt workdir wd basefile tagstring',
);
const parallel: Wrapper = (unwrapping, frame) => {
  const found = readOptions(frame, frame.at + 1, parallelOptions);
  if (found.isUnsafe) return opaque(unwrapping, frame);
  const { words, bits } = frame;
  const first = words.findIndex((word, index) => index >= found.at && /^:::[:+]*$/.test(word));
  const end = first < 0 ? words.length : first;
  const args = words.slice(end + 1).filter((word) => !/^:::[:+]*$/.test(word));
  if (end === found.at) {
    // Every argument is a command line.
    if (args.length === 0) return opaque(unwrapping, frame);
    const all = bits.slice(end).reduce((sum, one) => sum | one, 0);
    unwrapping.runText(frame, args.join('\n'), all, 'parallel', null);
    return null;
  }
  const isReplaced = words.slice(found.at, end).some((word) => word.includes('{'));
  const further = isReplaced ? [] : first < 0 ? [UNKNOWN_WORDS] : args;
  const command = [...words.slice(found.at, end), ...further].join(' ');
  const known = bits.slice(found.at).reduce((sum, one) => sum | one, 0);
  unwrapping.runText(frame, command, known | (first < 0 && isReplaced ? UNSAFE : 0), 'parallel', null);
  return null;
};

const findRuns: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const find: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const { words } = frame;
  for (let at = frame.at + 1; at < words.length; at += 1) {
    if (!findRuns.has(words[at] as string)) continue;
    let end = at + 1;
    while (end < words.length && words[end] !== ';' && !(words[end] === '+' && words[end - 1] === '{}'))
      end += 1;
    unwrapping.runWords({ ...frame, words: words.slice(0, end) }, at + 1, 'find', {
      words: words.slice(0, end),
      bits: replacedIn(frame, '{}'),
      input: null,
    });
    at = end;
  }
  return null;
};

const fdRuns: ReadonlySet<string> = new Set(['-x', '-X', '--exec', '--exec-batch']);
const fd: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const at = frame.words.findIndex((word, index) => index > frame.at && fdRuns.has(word));
  if (at >= 0) {
    const words = [...frame.words, '{}'];
    const bits = [...replacedIn(frame, '{}'), UNKNOWN];
    unwrapping.runWords(frame, at + 1, 'fd', { words, bits, input: null });
  }
  return null;
};

const sshOptions = options('BbcDEeFIiJLlmOoPpQRSWw', '');
const ssh: Wrapper = (unwrapping, frame) => {
  const found = readOptions(frame, frame.at + 1, sshOptions);
  unwrapping.add(frame, found.isUnsafe);
  for (const { text, bits } of valuesOf(found, 'o')) {
    const [, command] = /^(?:ProxyCommand|LocalCommand)[= ]+(.*)$/i.exec(text) ?? [];
    if (command !== undefined) unwrapping.runText(frame, command, bits, 'ssh');
  }
  // Options may also come after the host.
  const after = readOptions(frame, found.at + 1, sshOptions);
  if (after.at < frame.words.length) {
    const { text, bits } = joined(frame, after.at);
    unwrapping.runText(frame, text, bits, 'ssh');
  }
  return null;
};

const dockerOptions = options('Hcl', 'host context config log-level tlscacert tlscert tlskey connection url');
const containerFlags: ReadonlySet<string> = new Set(
  'd i t P T q rm privileged init detach interactive tty read-only no-healthcheck oom-kill-disable publish-all sig-proxy quiet help no-deps service-ports use-aliases build remove-orphans'.split(
    ' ',
  ),
);
const docker: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const { words } = frame;
  let at = readOptions(frame, frame.at + 1, dockerOptions).at;
  if (words[at] === 'compose') {
    at = readOptions(frame, at + 1, options('fp', 'file project-name profile env-file project-directory')).at;
  } else if (words[at] === 'container') at += 1;
  if (!['run', 'exec', 'create'].includes(words[at] as string)) return null;
  at += 1;
  // Options are those with a value, but for a few.
  for (; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === '--') {
      at += 1;
      break;
    }
    if (!word.startsWith('-')) break;
    if (word.startsWith('--')) {
      if (!word.includes('=') && !containerFlags.has(word.slice(2))) at += 1;
      continue;
    }
    const valued = [...word.slice(1)].findIndex((letter) => !containerFlags.has(letter));
    if (valued === word.length - 2) at += 1;
  }
  const entry = words.indexOf('--entrypoint');
  if (entry > frame.at && entry < at) {
    const inner = [words[entry + 1] as string, ...words.slice(at + 1)];
    unwrapping.runWords(frame, 0, 'docker', { words: inner, bits: inner.map(() => 0) });
  } else unwrapping.runWords(frame, at + 1, 'docker');
  return null;
};

const kubectlOptions = options(
  'nscfloL',
  'namespace context kubeconfig cluster user server container filename image token as overrides restart pod-running-timeout',
);
const kubectl: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const found = readOptions(frame, frame.at + 1, kubectlOptions);
  if (!['exec', 'run', 'debug'].includes(frame.words[found.at] as string)) return null;
  const dashes = frame.words.indexOf('--', found.at);
  if (dashes > 0) unwrapping.runWords(frame, dashes + 1, 'kubectl');
  else if (frame.words[found.at] === 'exec') {
    const pod = readOptions(frame, found.at + 1, kubectlOptions);
    unwrapping.runWords(frame, readOptions(frame, pod.at + 1, kubectlOptions).at, 'kubectl');
  }
  return null;
};

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
    if (!word.startsWith('-')) unwrapping.runText(frame, word, frame.bits[at] ?? 0, nameOf(frame));
  }
  return null;
};

const tmuxOptions = options('Lcfsntxye', '');
const tmux: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const found = readOptions(frame, frame.at + 1, tmuxOptions);
  const verb = frame.words[found.at] ?? '';
  if (!/^(?:new|split|respawn|run|send|neww|display-popup|popup)/.test(verb)) return null;
  const inner = readOptions(frame, found.at + 1, tmuxOptions);
  const { text, bits } = joined(frame, inner.at);
  if (text !== '') unwrapping.runText(frame, text, bits, 'tmux');
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
  [
    'docker-compose',
    (unwrapping, frame) => {
      unwrapping.add(frame, false);
      const found = readOptions(frame, frame.at + 1, options('fp', 'file project-name profile env-file'));
      if (!['run', 'exec'].includes(frame.words[found.at] as string)) return null;
      const inner = readOptions(
        frame,
        found.at + 1,
        options('euvwlp', 'env user volume workdir name label publish entrypoint'),
      );
      unwrapping.runWords(frame, inner.at + 1, 'docker-compose');
      return null;
    },
  ],
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
  ['powershell', runPowerShell],
  ['pwsh', runPowerShell],
  ['iex', runInvoke],
  ['invoke-expression', runInvoke],
  ['cmd', runCmd],
]);
