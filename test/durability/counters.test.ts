import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startApp, type TestApp, temporaryFolder } from '../helpers/app.ts';
import { auditDatabase } from './audit.ts';
import { type Caller, createCaller, sendUntilServed } from './load.ts';
import { startService } from './process.ts';
import { createRandom } from './random.ts';

const unlimited = { ASSIZE_RATE_LIMIT_INTEGRATION: '0' };
const person = '00000000-0000-4000-8000-0000000000aa';

const limit = (most: number) => `
schemaVersion: 1
name: at-most-${most}
counters:
  calls: { over: entity, within: 24h, where: tool == "limited" }
  seen: { over: entity, within: 24h, where: tool == "limited", distinct: input.place, cap: 1000 }
rules:
  - id: limit
    when: tool == "limited" && (counters.calls >= ${most} || counters.seen >= ${most})
    effect: BLOCK
`;

/** All in one tree, four deep. */
async function openSessions(app: TestApp, key: string, count = 10): Promise<string[]> {
  const ids: string[] = [];
  for (let place = 0; place < count; place++) {
    const of = place === 0 ? { entityId: person } : { parentSessionId: ids[(place - 1) >> 1] };
    const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', of);
    ids.push(body.data.id);
  }
  return ids;
}

/**
 * Blocks as well when counters over other scopes and windows, which count the same actions here, say something else. One policy
 * has at most 50 counters.
 */
const limits = (from: number, to: number) => {
  const all = Array.from({ length: to - from + 1 }, (_, place) => from + place);
  const others = (most: number) => `[counters.day${most}, counters.tree[tool], counters.hour[tool]]`;
  return `
schemaVersion: 1
name: from-${from}
counters:
  own: { over: session, per: tool }
  tree: { over: tree, per: tool }
  hour: { over: integration, within: 1h, per: tool }
${all
  .map(
    (most) => `  upTo${most}: { over: entity, within: 24h, where: tool == "t${most}" }
  day${most}: { over: integration, per: day, where: tool == "t${most}" }`,
  )
  .join('\n')}
rules:
${all
  .map(
    (most) => `  - id: up-to-${most}
    when: tool == "t${most}" && (counters.upTo${most} >= ${most} || ${others(most)}.exists(one, one != counters.upTo${most}))
    effect: BLOCK`,
  )
  .join('\n')}
  - { id: own, when: tool == "show", effect: WARN, message: '${all.map((most) => `{{counters.own["t${most}"]}}`).join(' ')}' }
`;
};

/** Returns what is enforced. */
type Evaluate = (body: object) => Promise<string>;

const inThisProcess =
  (app: TestApp, key: string): Evaluate =>
  async (body) =>
    (await app.call(key, 'POST', '/v1/evaluate', body)).body.data?.enforcementAction;

async function inProcesses(t: Test, database: string, apiKey: string): Promise<Evaluate[]> {
  const services = [await startService(database), await startService(database)];
  t.teardown(() => Promise.all(services.map((service) => service.kill())));
  return services.map(({ url }) => {
    const caller = createCaller(url, 32);
    return (body) => evaluateBy(caller, apiKey, body);
  });
}

const evaluateBy = async (caller: Caller, apiKey: string, body: object): Promise<string> =>
  (await sendUntilServed(caller, { path: '/v1/evaluate', apiKey, body })).enforcementAction;

t.test(
  'of 64 parallel actions in ten sessions of one entity, exactly as many pass as any limit over any scope',
  async (t) => {
    for (const processes of [1, 2]) {
      const database = join(temporaryFolder(t), 'assize.db');
      const app = await startApp(t, unlimited, { database });
      const { id, key } = await app.integration();
      for (const from of [1, 22, 43]) await app.policy(id, limits(from, from + 20));
      const sessions = await openSessions(app, key);
      const evaluateIn = processes === 1 ? [inThisProcess(app, key)] : await inProcesses(t, database, key);
      const random = createRandom(41);
      const tried = processes === 1 ? [1, 2, 31, 63] : Array.from({ length: 63 }, (_, place) => place + 1);
      for (const most of tried) {
        const actions = await Promise.all(
          Array.from({ length: 64 }, (_, place) =>
            random.pick(evaluateIn)({ sessionId: random.pick(sessions), input: { tool: `t${most}`, place } }),
          ),
        );
        t.equal(actions.filter((action) => action === 'ALLOW').length, most, `${processes} processes`);
        t.equal(actions.filter((action) => action === 'BLOCK').length, 64 - most);
      }
      const sums = new Array<number>(63).fill(0);
      for (const sessionId of sessions) {
        const { body } = await app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'show' } });
        const shown = body.data.violations.map(({ message }: { message: string }) => message).join(' ');
        for (const [place, count] of shown.split(' ').entries())
          sums[place] = Number(sums[place]) + Number(count);
      }
      t.strictSame(
        sums,
        Array.from(sums, (_, place) => (tried.includes(place + 1) ? place + 1 : 0)),
        'what the sessions counted',
      );
      t.strictSame(auditDatabase(database), []);
    }
  },
);

t.test('two processes count as one, and a kill loses nothing that was answered', async (t) => {
  const database = join(temporaryFolder(t), 'assize.db');
  const setUp = await startApp(t, unlimited, { database });
  const { id, key } = await setUp.integration();
  await setUp.policy(id, limit(120));
  const sessions = await openSessions(setUp, key);
  const services = [await startService(database), await startService(database)] as const;
  t.teardown(() => Promise.all(services.map((service) => service.kill())));
  const callers = services.map(({ url }) => createCaller(url, 32));
  const random = createRandom(43);
  let allowed = 0;
  let place = 0;
  async function evaluate(caller = random.pick(callers)): Promise<void> {
    const body = { sessionId: random.pick(sessions), input: { tool: 'limited', place: place++ } };
    if ((await evaluateBy(caller, key, body)) === 'ALLOW') allowed++;
  }
  await Promise.all(Array.from({ length: 80 }, () => evaluate()));
  t.equal(allowed, 80);
  const [one, two] = callers as [(typeof callers)[number], (typeof callers)[number]];
  const answered = Array.from({ length: 20 }, () => evaluate(one));
  const cutOff = Array.from({ length: 20 }, () => evaluate(two).catch(() => undefined));
  await Promise.race(cutOff);
  await services[1].kill();
  await Promise.all([...answered, ...cutOff]);
  await Promise.all(Array.from({ length: 130 }, () => evaluate(one)));
  const { default: Database } = await import('better-sqlite3');
  const recorded = new Database(database, { readonly: true })
    .prepare("SELECT count(*) FROM evaluations WHERE tool = 'limited' AND enforcement_action = 'ALLOW'")
    .pluck()
    .get();
  t.equal(recorded, 120, 'the record has exactly as many as the limit');
  t.ok(allowed <= 120, `${allowed} were answered`);
  await Promise.all(callers.map((caller) => caller.close()));
});
