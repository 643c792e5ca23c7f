import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../helpers/app.ts';
import { auditDatabase } from './audit.ts';
import { createWorld } from './kills.ts';
import { budget, type Caller, createCaller, sendUntilServed } from './load.ts';
import { startService } from './process.ts';
import { auditBudget } from './proofs.ts';
import { createRandom } from './random.ts';

t.test('two processes on one file let exactly as many through as one, also when one is killed', async (t) => {
  const folder = temporaryFolder(t);
  const database = join(folder, 'assize.db');
  const services = [await startService(database), await startService(database)] as const;
  t.teardown(() => Promise.all(services.map((service) => service.kill())));
  const world = await createWorld(services[0]);
  const [one, two] = [createCaller(services[0].url, 32), createCaller(services[1].url, 32)];
  const allowed = new Map<string, number>();

  const send = (caller: Caller, path: string, body: object) =>
    sendUntilServed(caller, { path, apiKey: world.apiKey, body });
  async function evaluate(caller: Caller, sessionId: string): Promise<void> {
    const { enforcementAction } = await send(caller, '/v1/evaluate', {
      sessionId,
      input: { tool: 'limited' },
    });
    if (enforcementAction === 'ALLOW') allowed.set(sessionId, (allowed.get(sessionId) ?? 0) + 1);
  }
  const random = createRandom(31);
  const callers = [one, two];
  const sessions = [world.hot];
  while (sessions.length < 12) {
    sessions.push((await send(random.pick(callers), '/v1/evaluation-sessions', {})).id);
  }
  const some = (count: number) => Array.from({ length: count }, () => random.pick(sessions));

  const turns = some(900);
  await Promise.all(turns.map((session) => evaluate(random.pick(callers), session)));
  const asked = Map.groupBy(turns, (session) => session);
  t.strictSame(
    sessions.map((session) => allowed.get(session) ?? 0),
    sessions.map((session) => Math.min(budget, asked.get(session)?.length ?? 0)),
  );

  sessions.push((await send(one, '/v1/evaluation-sessions', {})).id);
  const answered = some(300).map((session) => evaluate(one, session));
  const cutOff = some(300).map((session) => evaluate(two, session).catch(() => undefined));
  await Promise.race(cutOff);
  await services[1].kill();
  await Promise.all([...answered, ...cutOff]);
  // More than the budget for each, so that what was cut off after it was recorded counts as well.
  await Promise.all(
    sessions.flatMap((session) => Array.from({ length: budget }, () => evaluate(one, session))),
  );
  t.ok(sessions.every((session) => (allowed.get(session) ?? 0) <= budget));
  t.strictSame([...auditBudget(database, world), ...auditDatabase(database)], []);
  await Promise.all(callers.map((caller) => caller.close()));
});
