import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../../helpers/app.ts';
import { listeningApp } from '../../helpers/listen.ts';
import { rule } from '../../helpers/policies.ts';
import { processEnvironment, program, root } from '../../helpers/process.ts';

const server = join(root, 'test/fixtures/mcp-server.mjs');

/** `assize mcp wrap` before a server, with what it was sent and what it did. */
function wrapped(t: Test, env: Record<string, string>, ...flags: string[]) {
  const folder = temporaryFolder(t);
  const file = join(folder, 'done');
  const args = [program, 'mcp', 'wrap', '--name', 'crm', ...flags, '--', process.execPath, server, file];
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...processEnvironment, HOME: folder, ...env },
  });
  const messages: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => (stderr += text));
  if (child.stdout === null || child.stdin === null) throw new Error('no pipes');
  const { stdin } = child;
  stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    messages.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const responseTo = (id: unknown) =>
    // biome-ignore lint/suspicious/noExplicitAny: tests read messages the way clients do
    new Promise<any>((resolve) => {
      const look = () => {
        const found = messages.find((message) => message.id === id);
        if (found) resolve(found);
        if (found) waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  return {
    child,
    ended,
    stdin,
    responseTo,
    stderr: () => stderr,
    done: (): unknown[] =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
    write: (bytes: string | Uint8Array) => stdin.write(bytes),
    call(id: unknown, text: string) {
      const params = { name: 'send', arguments: { text } };
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
      return responseTo(id);
    },
  };
}

async function served(t: Test, when: string, effect = 'BLOCK') {
  const app = await listeningApp(t);
  const { id, key } = await app.integration('AGENT');
  await app.policy(id, rule(when, effect));
  return { ...app, key, env: { ASSIZE_URL: app.url, ASSIZE_KEY: key } };
}

t.test('a wrapped server gets what is let through, and nothing of the key', async (t) => {
  const { env } = await served(t, 'arguments.text == "bad"');
  const proxy = wrapped(t, env);
  t.match(await proxy.call(1, 'good'), { result: { content: [{ text: 'sent good' }] } });
  t.match(await proxy.call(2, 'bad'), { result: { isError: true } });
  t.match(await proxy.call(3, 'env'), { result: { content: [{ text: '' }] } });
  t.same(proxy.done(), ['good', 'env']);
  proxy.stdin.end();
  t.equal(await proxy.ended, 0);
});

t.test('bytes decide nothing: chunks, several lines at once, bad UTF-8 and large messages', async (t) => {
  const { env } = await served(t, 'arguments.text == "bad"');
  const proxy = wrapped(t, env);
  const line = (id: number, text: string) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'send', arguments: { text } } })}\n`;
  for (const byte of Buffer.from(line(1, 'grün'))) proxy.write(Uint8Array.of(byte));
  t.match(await proxy.responseTo(1), { result: { content: [{ text: 'sent grün' }] } });
  proxy.write(`\n\r\n${line(2, 'two')}${line(3, 'bad')}${line(4, 'four')}`);
  t.match(await Promise.all([2, 3, 4].map(proxy.responseTo)), [{}, { result: { isError: true } }, {}]);
  const broken = Buffer.from(line(5, 'bad?')).map((byte) => (byte === 0x3f ? 0xff : byte));
  proxy.write(broken);
  t.match(await proxy.responseTo(null), { error: { code: -32_700 } });
  proxy.write(line(6, 'x'.repeat(5_000_000)));
  t.match(await proxy.responseTo(6), { error: { code: -32_600, message: /larger than 4194304 bytes/ } });
  t.match(await proxy.call(7, 'huge'), { id: 7, error: { message: /refused: the message is larger/ } });
  proxy.write(line(8, `a\u2028${line(66, 'bad').trim()}\u2028b`));
  await proxy.responseTo(8);
  t.notOk(proxy.done().includes('bad'));
  t.equal(proxy.done().length, 5);
});

t.test('servers of one client share a session, so that a rule sees what another of them did', async (t) => {
  const { env, key, call } = await served(t, 'session.toolCounts[?"mcp__crm__send"].orValue(0) >= 1');
  const [one, two] = [wrapped(t, env), wrapped(t, env)];
  t.match(await one.call(1, 'first'), { result: { content: [{ text: 'sent first' }] } });
  t.match(await two.call(1, 'second'), { result: { isError: true } });
  t.equal((await call(key, 'GET', '/v1/evaluation-sessions')).body.data.length, 1);
  const other = wrapped(t, env, '--session', 'another');
  t.match(await other.call(1, 'third'), { result: { content: [{ text: 'sent third' }] } });
});

t.test('a server that ends, or cannot start, ends the wait of its client', async (t) => {
  const { env } = await served(t, 'false');
  const proxy = wrapped(t, env);
  await proxy.call(1, 'die');
  t.equal(await proxy.ended, 7);
  const none = spawn(process.execPath, [program, 'mcp', 'wrap', '--', './no-such-server'], {
    env: { ...processEnvironment, ...env },
  });
  let said = '';
  none.stderr.on('data', (text) => (said += text));
  t.equal(await new Promise((resolve) => none.on('close', resolve)), 1);
  t.match(said, /the server cannot be started/);
});

t.test('without a service, a key or a good name nothing is called', async (t) => {
  const dead = wrapped(t, { ASSIZE_URL: 'http://127.0.0.1:9', ASSIZE_KEY: 'asz_live_x' });
  t.match(await dead.call(1, 'x'), { result: { isError: true } });
  t.same(dead.done(), []);
  const keyless = wrapped(t, {});
  t.equal(await keyless.ended, 2);
  t.match(keyless.stderr(), /no key: set ASSIZE_KEY/);
  for (const name of ['a__b', 'a_', '_a', 'a b', '']) {
    const misnamed = wrapped(t, { ASSIZE_KEY: 'asz_live_x' }, '--name', name);
    t.equal(await misnamed.ended, 2, name);
  }
});
