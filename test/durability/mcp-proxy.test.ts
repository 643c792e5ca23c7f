import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { adminKey, temporaryFolder } from '../helpers/app.ts';
import { freePort } from '../helpers/free-port.ts';
import { processEnvironment, program, root, serveProcess } from '../helpers/process.ts';

// Five hundred calls through `assize mcp wrap`, while one of the three processes is killed now and then. A client never repeats a call.

const calls = 500;
const atOnce = 8;

interface Wrapped {
  child: ChildProcess;
  /** False when no response came, because something was killed, or the call was not done. */
  call(text: string): Promise<boolean>;
}

function wrap(t: Test, folder: string, env: Record<string, string>): Wrapped {
  const server = [process.execPath, join(root, 'test/fixtures/mcp-server.mjs'), join(folder, 'done')];
  const args = [
    program,
    'mcp',
    'wrap',
    '--name',
    'crm',
    '--session',
    'kills',
    '--limit-ms',
    '60000',
    '--',
    ...server,
  ];
  const child = spawn(process.execPath, args, { env: { ...processEnvironment, HOME: folder, ...env } });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  child.stdin.on('error', () => undefined);
  const waiting = new Map<number, (line: string) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line);
    waiting.get(id)?.(line);
  });
  let last = 0;
  return {
    child,
    async call(text) {
      const id = ++last;
      const params = { name: 'send', arguments: { text } };
      const response = new Promise<string>((resolve) => waiting.set(id, resolve));
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
      const line = await Promise.race([response, ended.then(() => '')]);
      return line.includes(`sent ${text}`);
    },
  };
}

/** The server that a proxy started. */
function serverOf({ child }: Wrapped): number | null {
  const file = `/proc/${child.pid}/task/${child.pid}/children`;
  const [pid] = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
  return pid ? Number(pid) : null;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers the way clients do
type Ask = (path: string, body?: object) => Promise<any>;

/** Every call that the server has done was done once, and was allowed before. */
async function checkDone(
  t: Test,
  { folder, done, ask, sessions }: { folder: string; done: number; ask: Ask; sessions: string },
): Promise<void> {
  const executed: string[] = readFileSync(join(folder, 'done'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.equal(new Set(executed).size, executed.length, 'none twice');
  t.ok(executed.length >= done && done > calls / 2, `${done} responses, ${executed.length} done`);
  const allowed = new Set<string>();
  const { data: found } = await ask(`/v1/evaluation-sessions${sessions}`);
  for (const { id } of found)
    for (let page = 1; ; page++) {
      const { data: evaluations } = await ask(
        `/v1/evaluation-sessions/${id}/evaluations?size=200&page=${page}`,
      );
      for (const { phase, enforcementAction, input } of evaluations)
        if (phase === 'ACTION' && enforcementAction === 'ALLOW') allowed.add(input.arguments.text);
      if (evaluations.length < 200) break;
    }
  t.strictSame(
    executed.filter((text) => !allowed.has(text)),
    [],
    'none without an ALLOW',
  );
}

const askOf =
  (url: string): Ask =>
  async (path, body) => {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return response.json();
  };

t.test('whatever is killed, no call is done twice, and none without a recorded ALLOW', async (t) => {
  const folder = temporaryFolder(t);
  const url = `http://127.0.0.1:${await freePort()}`;
  const settings = {
    ASSIZE_DATABASE: join(folder, 'assize.db'),
    ASSIZE_PORT: new URL(url).port,
    ASSIZE_ADMIN_KEY: adminKey,
    ASSIZE_RATE_LIMIT_INTEGRATION: '0',
  };
  let service = serveProcess(t, settings);
  await service.url();
  const ask = askOf(url);
  const integration = { name: 'kills', kind: 'AGENT', settings: { contentRetention: 'full' } };
  const { data } = await ask('/v1/integrations', integration);
  const env = { ASSIZE_URL: url, ASSIZE_KEY: data.apiKey };
  let proxy = wrap(t, folder, env);

  const kills: Record<number, () => Promise<void>> = {
    80: async () => void proxy.child.kill('SIGKILL'),
    160: async () => {
      const pid = serverOf(proxy);
      t.ok(pid, 'the server runs');
      if (pid) process.kill(pid, 'SIGKILL');
    },
    240: async () => {
      await service.stop('SIGKILL');
      service = serveProcess(t, settings);
      await service.url();
    },
    320: async () => void proxy.child.kill('SIGKILL'),
    400: async () => {
      await service.stop('SIGKILL');
      proxy.child.kill('SIGKILL');
      service = serveProcess(t, settings);
      await service.url();
    },
  };
  let [next, done] = [0, 0];
  const lane = async () => {
    while (next < calls) {
      const number = next++;
      const kill = kills[number]?.();
      if (await proxy.call(`call ${number}.`)) done++;
      await kill;
      if (proxy.child.exitCode !== null || proxy.child.signalCode !== null) proxy = wrap(t, folder, env);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  // A server that lost its proxy still does what it has read.
  await setTimeout(500);

  await checkDone(t, { folder, done, ask, sessions: '?externalSessionId=kills' });
});

t.test('the same over HTTP, when the service or the server is killed', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'done'), '');
  const port = await freePort();
  const url = `http://127.0.0.1:${await freePort()}`;
  const settings = {
    ASSIZE_DATABASE: join(folder, 'assize.db'),
    ASSIZE_PORT: new URL(url).port,
    ASSIZE_ADMIN_KEY: adminKey,
    ASSIZE_RATE_LIMIT_INTEGRATION: '0',
    ASSIZE_CALLBACK_ALLOW: '127.0.0.1',
  };
  const startUpstream = async (): Promise<ChildProcess> => {
    const args = [join(root, 'test/fixtures/mcp-http-server.mjs'), join(folder, 'done'), String(port)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    t.teardown(() => child.kill('SIGKILL'));
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    return child;
  };
  let upstream = await startUpstream();
  let service = serveProcess(t, settings);
  await service.url();
  const ask = askOf(url);
  const { data } = await ask('/v1/integrations', {
    name: 'kills',
    kind: 'AGENT',
    settings: { contentRetention: 'full' },
  });
  await ask('/v1/mcp-servers', { name: 'crm', url: `http://127.0.0.1:${port}/mcp` });

  async function call(number: number): Promise<boolean> {
    const params = { name: 'send', arguments: { text: `call ${number}.` } };
    const response = await fetch(`${url}/v1/mcp-proxy/crm`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${data.apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: number, method: 'tools/call', params }),
    }).then(
      (response) => response.text(),
      () => '',
    );
    return response.includes(`sent call ${number}.`);
  }
  const restartUpstream = async () => {
    upstream.kill('SIGKILL');
    upstream = await startUpstream();
  };
  const restartService = async () => {
    await service.stop('SIGKILL');
    service = serveProcess(t, settings);
    await service.url();
  };
  const kills: Record<number, () => Promise<void>> = {
    80: restartUpstream,
    160: restartService,
    240: restartUpstream,
    320: restartService,
    400: async () => void (await Promise.all([restartUpstream(), restartService()])),
  };
  let [next, done] = [0, 0];
  let killing = Promise.resolve();
  const lane = async () => {
    while (next < calls) {
      const number = next++;
      const kill = kills[number];
      if (kill) killing = killing.then(kill);
      if (await call(number)) done++;
      // One is killed at a time: calls that fail at once would come to the next kill before the service is back.
      else await killing;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  await checkDone(t, { folder, done, ask, sessions: '' });
});
