import t from 'tap';
import type { StatsSeries } from '../../../src/features/stats/schema.ts';
import { countEvaluations } from '../../../src/features/stats/store.ts';
import { adminKey, startApp } from '../../helpers/app.ts';
import { run } from '../../helpers/command.ts';
import { recordHistory } from '../../helpers/record.ts';

const hourMs = 3_600_000;

t.test('statistics count every evaluation once, by what it is of, by hour and by day', async (t) => {
  const app = await startApp(t);
  await recordHistory(app, { sessions: 2, actions: 3 });
  // Hours that are read in different steps.
  app.clock.advance(8 * hourMs);
  await recordHistory(app, { sessions: 1, actions: 3 });
  const read = async (query: string) => {
    const { status, body, text } = await app.call(adminKey, 'GET', `/v1/stats?${query}`);
    t.equal(status, 200, text);
    return body.data;
  };
  // A session: read, its result, mail, pay; and one read without a session.
  const integrations = await read('by=integration&unit=day');
  t.strictSame(
    integrations.map(({ points, name: _, latency: __, ...counts }: StatsSeries) => [counts, points.length]),
    [
      [{ evaluations: 10, allowed: 6, warned: 2, held: 2, blocked: 0 }, 1],
      [{ evaluations: 5, allowed: 3, warned: 1, held: 1, blocked: 0 }, 1],
    ],
  );
  for (const { latency, points } of integrations as StatsSeries[]) {
    const { meanMs = 0, maxMs = 0 } = latency ?? {};
    t.ok(meanMs > 0 && maxMs >= meanMs, `${meanMs} of at most ${maxMs} ms until a decision`);
    t.strictSame(points[0]?.latency, latency, 'of the only day');
  }
  const tools = await read('by=tool');
  t.strictSame(
    tools.map(
      ({ name, evaluations, points }: { name: string; evaluations: number; points: { at: string }[] }) => [
        name,
        evaluations,
        points.map(({ at }) => at),
      ],
    ),
    [
      ['read', 9, ['2030-01-01T00:00:00.000Z', '2030-01-01T08:00:00.000Z']],
      ['mail', 3, ['2030-01-01T00:00:00.000Z', '2030-01-01T08:00:00.000Z']],
      ['pay', 3, ['2030-01-01T00:00:00.000Z', '2030-01-01T08:00:00.000Z']],
    ],
  );
  t.match(await read('by=rule'), [{ evaluations: 3 }, { evaluations: 3 }]);
  t.match(await read('by=tag'), [{ name: /PII|EMAIL_ADDRESS/ }, {}]);
  t.strictSame(await read('by=entity'), []);
  const one = integrations[1].name;
  t.match(await read(`by=tool&integrationId=${one}`), [{ name: 'read', evaluations: 3 }, {}, {}]);
  t.strictSame(await read('by=tool&to=2029-12-31T00:00:00Z'), []);
  t.strictSame(await read('by=tool'), tools, 'reading again counts nothing again');
  const long = await app.call(adminKey, 'GET', '/v1/stats?from=2020-01-01T00:00:00Z');
  t.equal(long.status, 400);

  const { code, out } = await run(['stats', '--by', 'tool', '--database', app.database]);
  t.equal(code, 0);
  t.match(out, /^read\t9\t9\t0\t0\t0\t[\d.]+\t[\d.]+\t/);
});

t.test('a time is that of the evaluations that were measured', (t) => {
  const evaluation = {
    integrationId: 'i',
    entityId: null,
    tool: '',
    enforcementAction: 'ALLOW',
    violations: [],
    dataTags: [],
    createdAt: 0,
  } as const;
  const [hour] = countEvaluations([300, null, 500].map((tookUs) => ({ ...evaluation, tookUs })));
  t.match(hour, { allowed: 3, timed: 2, tookUs: 800, slowestUs: 500 });
  t.end();
});

t.test('names of an hour are told apart up to a limit, and a day is the sum of its hours', (t) => {
  const hourMs = 3_600_000;
  const evaluations = Array.from({ length: 500 }, (_, place) => ({
    integrationId: place % 100 === 0 ? 'other' : 'i',
    entityId: null,
    tool: place < 250 ? `tool ${place}` : 'tool 1',
    enforcementAction: place % 2 === 0 ? ('ALLOW' as const) : ('BLOCK' as const),
    violations: [],
    dataTags: [],
    createdAt: place < 250 ? 23 * hourMs : 24 * hourMs + (place % 2) * hourMs,
    tookUs: place,
  }));
  const rows = countEvaluations(evaluations);
  const of = (wanted: object) =>
    rows.filter((row) => Object.entries(wanted).every(([name, value]) => row[name as 'slot'] === value));
  const tools = { integrationId: 'i', dimension: 'tool' };
  t.equal(of({ ...tools, unit: 'hour', slot: 23 }).length, 201);
  t.match(of({ ...tools, unit: 'hour', slot: 23, name: '(other)' }), [
    { allowed: 23, blocked: 24, timed: 47, slowestUs: 249 },
  ]);
  t.equal(of({ ...tools, unit: 'day', slot: 0 }).length, 201);
  const hours = of({ ...tools, name: 'tool 1', unit: 'hour' });
  t.match(hours, [{ slot: 23 }, { slot: 24 }, { slot: 25 }]);
  const after = hours.slice(1);
  t.match(of({ ...tools, name: 'tool 1', unit: 'day' }), [
    { slot: 0, blocked: 1, timed: 1, tookUs: 1 },
    {
      slot: 1,
      allowed: after.reduce((sum, { allowed }) => sum + allowed, 0),
      blocked: after.reduce((sum, { blocked }) => sum + blocked, 0),
      tookUs: after.reduce((sum, { tookUs }) => sum + tookUs, 0),
      slowestUs: 499,
    },
  ]);
  const all = of({ unit: 'day', dimension: 'integration' });
  t.equal(
    all.reduce((sum, { allowed, blocked }) => sum + allowed + blocked, 0),
    500,
  );
  t.end();
});
