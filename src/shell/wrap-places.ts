import type { Wrapper } from './frame.ts';
import { readOptions, valuesOf } from './options.ts';
import { joined, options } from './wrapping.ts';

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
