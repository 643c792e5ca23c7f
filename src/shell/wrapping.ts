import { type Frame, nameOf, opaque, type Unwrapping, type Wrapper } from './frame.ts';
import { type Options, readOptions, valuesOf } from './options.ts';
import { UNKNOWN, UNSAFE, type WordBits } from './word.ts';

// Makers of wrappers: most programs that run another one take it in one of a few forms. The wrappers that do more follow.

export const options = (short = '', long = ''): Options => ({ short, long: new Set(long.split(' ')) });

/** `name [options] [operands] command…`; `listed`: the program does something itself as well. */
export const prefix =
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
export function addAssignments(frame: Frame, at: number): number {
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

/** All words from `at` on as one text, as `eval` and `ssh` read them. */
export function joined({ words, bits }: Frame, at: number): { text: string; bits: WordBits } {
  return { text: words.slice(at).join(' '), bits: bits.slice(at).reduce((all, one) => all | one, 0) };
}

/** `name [options] [operands] words…`, whose words are joined to a text for a shell. */
export const joining =
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
export const scripted =
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

export const alone: Wrapper = () => Number.POSITIVE_INFINITY;

const HYPHEN = 45;

/** `tool … run command`: after one of these subcommands comes a command. */
export const subcommand =
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
export function runPackage(unwrapping: Unwrapping, frame: Frame, at: number, isPackage: boolean): void {
  const word = frame.words[at];
  if (word === undefined) return;
  const version = isPackage ? word.indexOf('@', 1) : -1;
  const words = version < 0 ? frame.words : frame.words.with(at, word.slice(0, version));
  unwrapping.runWords(frame, at, nameOf(frame), { words });
}

// Programs that run a command for each of many words: files that are found, lines that are read.

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
export const xargs: Wrapper = (unwrapping, frame) => {
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
export const parallel: Wrapper = (unwrapping, frame) => {
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
export const find: Wrapper = (unwrapping, frame) => {
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
export const fd: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const at = frame.words.findIndex((word, index) => index > frame.at && fdRuns.has(word));
  if (at >= 0) {
    const words = [...frame.words, '{}'];
    const bits = [...replacedIn(frame, '{}'), UNKNOWN];
    unwrapping.runWords(frame, at + 1, 'fd', { words, bits, input: null });
  }
  return null;
};

// Programs that run a command in another place: a host, a container, a terminal.

const sshOptions = options('BbcDEeFIiJLlmOoPpQRSWw', '');
export const ssh: Wrapper = (unwrapping, frame) => {
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
const composeOptions = options('fp', 'file project-name profile env-file project-directory');
export const docker: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const { words } = frame;
  let at = readOptions(frame, frame.at + 1, dockerOptions).at;
  if (words[at] === 'compose') {
    at = readOptions(frame, at + 1, composeOptions).at;
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
    let valued = 1;
    while (valued < word.length && containerFlags.has(word[valued] as string)) valued += 1;
    if (valued === word.length - 1) at += 1;
  }
  const entry = words.indexOf('--entrypoint');
  if (entry > frame.at && entry < at) {
    const inner = [words[entry + 1] as string, ...words.slice(at + 1)];
    unwrapping.runWords(frame, 0, 'docker', { words: inner, bits: inner.map(() => 0) });
  } else unwrapping.runWords(frame, at + 1, 'docker');
  return null;
};

const composeRunOptions = options('euvwlp', 'env user volume workdir name label publish entrypoint');
export const dockerCompose: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const found = readOptions(frame, frame.at + 1, composeOptions);
  const verb = frame.words[found.at];
  if (verb !== 'run' && verb !== 'exec') return null;
  const inner = readOptions(frame, found.at + 1, composeRunOptions);
  unwrapping.runWords(frame, inner.at + 1, 'docker-compose');
  return null;
};

const kubectlOptions = options(
  'nscfloL',
  'namespace context kubeconfig cluster user server container filename image token as overrides restart pod-running-timeout',
);
export const kubectl: Wrapper = (unwrapping, frame) => {
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

const tmuxOptions = options('Lcfsntxye', '');
export const tmux: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const found = readOptions(frame, frame.at + 1, tmuxOptions);
  const verb = frame.words[found.at] ?? '';
  if (!/^(?:new|split|respawn|run|send|neww|display-popup|popup)/.test(verb)) return null;
  const inner = readOptions(frame, found.at + 1, tmuxOptions);
  const { text, bits } = joined(frame, inner.at);
  if (text !== '') unwrapping.runText(frame, text, bits, 'tmux');
  return null;
};
