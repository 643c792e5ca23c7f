import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import t from 'tap';
import { defaultFlags, type HookFlags, serverOf, thisProgram } from '../../../src/cli/hook/command-line.ts';
import { respondToHook } from '../../../src/cli/hook/run.ts';
import { temporaryFolder } from '../../helpers/app.ts';
import { payload } from './payload.ts';

const response = async (text: string, flags: Partial<HookFlags> = {}) => {
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  };
  const given = { ...defaultFlags, ...flags, url: 'http://127.0.0.1:9', key: 'asz_live_x' };
  await respondToHook(
    'claude-code',
    given,
    io,
    Object.assign(Readable.from([text]), { isTTY: false }) as NodeJS.ReadStream,
  );
  return { out: out.join(''), err: err.join('') };
};

t.test('prints one line of JSON, or nothing', async (t) => {
  const { out } = await response(payload('pre-tool-use-bash'));
  t.match(JSON.parse(out), { hookSpecificOutput: { permissionDecision: 'deny' } });
  t.match(out, /^[^\n]+\n$/);
  t.strictSame(await response(payload('stop')), { out: '', err: '' });
});

t.test('what is no input stops the action with exit code 2, unless the hook is open', async (t) => {
  await t.rejects(response('{'), { code: 2, message: /not JSON/ });
  await t.rejects(response('{', { onFailure: 'ask' }), { code: 2 });
  t.match(await response('{', { onFailure: 'allow' }), { out: '', err: /let pass without a decision/ });
});

t.test('an unknown event is stopped by the exit code, and by an output that Gemini CLI reads', async (t) => {
  const out: string[] = [];
  const io = { stdout: { write: (text: string) => out.push(text) }, stderr: { write: () => 0 } };
  const stdin = Object.assign(
    Readable.from([payload('pre-tool-use-bash', { hook_event_name: 'BeforeTool' })]),
    {
      isTTY: false,
    },
  ) as NodeJS.ReadStream;
  await t.rejects(respondToHook('claude-code', defaultFlags, io, stdin), {
    code: 2,
    message: /does not know this event/,
  });
  t.match(JSON.parse(out.join('')), { decision: 'deny', reason: /does not know this event/ });
});

t.test('an input that never ends is stopped in time', async (t) => {
  const io = { stdout: { write: () => 0 }, stderr: { write: () => 0 } };
  const endless = Object.assign(new PassThrough(), { isTTY: false }) as unknown as NodeJS.ReadStream;
  endless.push('{');
  await t.rejects(respondToHook('claude-code', { ...defaultFlags, limitMs: 20 }, io, endless), {
    code: 2,
    message: /no complete hook input within 20 ms/,
  });
});

t.test('does not wait for a person to type JSON', async (t) => {
  const io = { stdout: { write: () => 0 }, stderr: { write: () => 0 } };
  const terminal = Object.assign(Readable.from(['']), { isTTY: true }) as NodeJS.ReadStream;
  await t.rejects(respondToHook('claude-code', defaultFlags, io, terminal), {
    code: 2,
    message: /hook install/,
  });
});

t.test('a file that was named wins over the environment, and must be there', async (t) => {
  const config = join(temporaryFolder(t), 'hook.env');
  const given = { url: 'http://environment', key: 'environment' };
  t.throws(() => serverOf({ ...given, config }), /ENOENT/);
  writeFileSync(config, 'ASSIZE_URL=http://file\nASSIZE_KEY=file\n');
  t.strictSame(serverOf({ ...given, config }), { url: 'http://file', key: 'file' });
  t.strictSame(serverOf(given), given);
});

t.test('a key is sent only to the server that stands beside it', async (t) => {
  const config = join(temporaryFolder(t), 'hook.env');
  writeFileSync(config, 'ASSIZE_KEY=file\n');
  const usual = { url: 'http://127.0.0.1:3000', key: 'file' };
  t.strictSame(serverOf({ url: 'http://environment', key: 'environment', config }), usual);
  t.strictSame(serverOf({ url: 'http://environment', config }), usual);
  writeFileSync(config, 'ASSIZE_KEY=file\nASSIZE_CLIENT_CERT=cert\n');
  const other = { key: 'environment', serverCa: 'environment' };
  t.strictSame(serverOf({ ...other, config }), { ...usual, clientCert: 'cert' });
  writeFileSync(config, 'ASSIZE_URL=http://file\n');
  const given = { url: 'http://environment', key: 'environment' };
  t.strictSame(serverOf({ ...given, config }), given);
  t.strictSame(serverOf({ url: 'http://environment', config }), { url: 'http://file', key: undefined });
});

t.test('names itself by its full path, quoted for a shell, and never a copy of npx', async (t) => {
  t.equal(
    thisProgram(['/usr/bin/node', '/opt/assize/dist/main.js']),
    '/usr/bin/node /opt/assize/dist/main.js',
  );
  t.equal(thisProgram(['/a "b"/node', '/c $d/main.js']), '"/a \\"b\\"/node" "/c \\$d/main.js"');
  for (const argv of [
    ['/opt/assize', 'hook'],
    ['/opt/assize', '/opt/assize', 'hook'],
  ]) {
    t.equal(thisProgram(argv), '/opt/assize');
  }
  t.throws(() => thisProgram(['/usr/bin/node', '/home/a/.npm/_npx/1/node_modules/.bin/assize']), { code: 2 });
});
