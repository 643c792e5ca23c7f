import t from 'tap';
import { commandOf, defaultFlags, type HookFlags } from '../../../src/cli/hook/command-line.ts';
import { readInstalled } from '../../../src/cli/hook/installed.ts';

/** The words behind `hook` in a command that `install` writes. */
const wordsOf = (flags: HookFlags) =>
  (/ hook (.*?) \|\| /.exec(`${commandOf('assize', 'codex', flags)} || `)?.[1] ?? '').split(' ');

t.test('a command is read as install writes it', async (t) => {
  const changes: Partial<HookFlags>[] = [
    {},
    { onAllow: 'allow', onHold: 'wait', onFailure: 'ask', limitMs: 2_500, waitSeconds: 60 },
    { onHold: 'deny', onFailure: 'allow', config: '/home/ada/.config/assize/hook.env' },
  ];
  for (const change of changes) {
    const flags = { ...defaultFlags, ...change };
    t.match(readInstalled(wordsOf(flags), {}), { agent: 'codex', flags });
  }
});

t.test('the address, the key and the certificates come from the environment', async (t) => {
  const env = { ASSIZE_URL: 'https://assize.example.com', ASSIZE_KEY: 'k', ASSIZE_SERVER_CA: 'ca.pem' };
  t.match(readInstalled(['codex'], env), {
    flags: { url: 'https://assize.example.com', key: 'k', serverCa: 'ca.pem' },
  });
});

t.test('every other command line is left to the program, with its help and its messages', async (t) => {
  for (const words of [
    [],
    ['install', 'codex'],
    ['constructor'],
    ['codex', '--help'],
    ['codex', '--on-hold'],
    ['codex', '--on-hold', 'sometimes'],
    ['codex', '--limit-ms', '0'],
    ['codex', '--limit-ms', '5s'],
    ['codex', '--limit-ms', '1000000'],
    ['codex', '--config', '--on-hold'],
    ['codex', '--url', 'http://127.0.0.1:3000'],
    ['codex', '--on-hold=deny'],
    ['codex', 'constructor', 'x'],
  ]) {
    t.equal(readInstalled(words, {}), null, words.join(' '));
  }
});
