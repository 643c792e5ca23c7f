import { join } from 'node:path';
import t from 'tap';
import { adminKey, temporaryFolder } from '../../helpers/app.ts';
import { program, root, serveProcess } from '../../helpers/process.ts';
import { createDatabase } from './open.ts';

t.test('replicas whose clocks are 5 s ahead and 5 s behind record the time of the server', async (t) => {
  const env = {
    ASSIZE_DATABASE: await createDatabase(t),
    ASSIZE_ADMIN_KEY: adminKey,
    ASSIZE_DEMO: 'false',
    ASSIZE_RECORD_KEY_FILE: join(temporaryFolder(t), 'record-key.pem'),
  };
  const args = ['--import', join(root, 'test/fixtures/shifted-clock.mjs'), program];
  const shifts = [5_000, -5_000];
  const served = shifts.map((shift) => serveProcess(t, { ...env, CLOCK_SHIFT_MS: String(shift) }, { args }));
  const replicas = await Promise.all(served.map((one) => one.url()));
  const [ahead = 0, behind = 0] = served.map((one) => Number(/"time":(\d+)/.exec(one.stdout())?.[1]));
  t.ok(ahead - behind > 5_000, `the clocks of the processes differ: ${ahead - behind} ms`);
  const ask = async (replica: number, method: string, path: string, key: string, body?: object) => {
    const response = await fetch(`${replicas[replica % 2]}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers the way clients do
    return ((await response.json()) as any).data;
  };
  const asked = { name: 'one', kind: 'AGENT' };
  const { apiKey } = await ask(0, 'POST', '/v1/integrations', adminKey, asked);
  const began = Date.now();
  const session = await ask(1, 'POST', '/v1/evaluation-sessions', apiKey, {});
  for (let count = 0; count < 10; count++)
    await ask(count, 'POST', '/v1/evaluate', apiKey, { sessionId: session.id, input: { tool: 'x' } });
  const ended = Date.now();
  const list = `/v1/evaluation-sessions/${session.id}/evaluations?size=50`;
  const listed = await ask(0, 'GET', list, apiKey);
  const times = [session.startedAt, ...listed.map(({ createdAt }: { createdAt: string }) => createdAt)]
    .map((at) => Date.parse(at))
    .sort((left, right) => left - right);
  t.equal(times.length, 11);
  t.ok((times[0] ?? 0) >= began - 100, `the first at ${(times[0] ?? 0) - began} ms`);
  t.ok((times.at(-1) ?? 0) <= ended + 100, `the last at ${(times.at(-1) ?? 0) - ended} ms after the end`);
});
