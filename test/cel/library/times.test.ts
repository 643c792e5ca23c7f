import t from 'tap';
import { types } from '../../../src/cel/index.ts';
import { type Case, runCases } from '../cases.ts';
import { evaluate } from '../evaluate.ts';

const MOMENT = 'timestamp("2026-11-20T23:45:06.789Z")';

t.test('accessors read a moment in a zone', async (t) => {
  const cases: Case[] = [
    [`${MOMENT}.getFullYear()`, 2026],
    [`${MOMENT}.getMonth()`, 10],
    [`${MOMENT}.getDate()`, 20],
    [`${MOMENT}.getDayOfMonth()`, 19],
    [`${MOMENT}.getDayOfYear()`, 323],
    [`${MOMENT}.getDayOfWeek()`, 5],
    [`${MOMENT}.getHours()`, 23],
    [`${MOMENT}.getMinutes()`, 45],
    [`${MOMENT}.getSeconds()`, 6],
    [`${MOMENT}.getMilliseconds()`, 789],
    [`${MOMENT}.getDate("+02:00")`, 21],
    [`${MOMENT}.getHours("-01:30")`, 22],
    [`${MOMENT}.getHours("02:00")`, 1],
    [`${MOMENT}.getHours("UTC")`, 23],
    [`${MOMENT}.getHours("Europe/Berlin")`, 0],
    [`${MOMENT}.getHours("America/New_York")`, 18],
    ['timestamp("2026-07-01T12:00:00Z").getHours("Europe/Berlin")', 14],
    ['timestamp("0001-01-01T00:00:00Z").getFullYear("America/New_York")', 0],
    ['timestamp("1969-12-31T00:00:00Z").getDayOfWeek()', 3],
    [`${MOMENT}.getHours("Mars/Base")`, 'error: invalid_argument'],
    [`${MOMENT}.getHours("")`, 'error: invalid_argument'],
    [`${MOMENT}.getHours("+24:00")`, 'error: invalid_argument'],
    [`${MOMENT}.getHours("+01:60")`, 'error: invalid_argument'],
    [`${MOMENT}.getHours("${'A'.repeat(65)}")`, 'error: invalid_argument'],
  ];
  runCases(t, cases);
});

t.test('a named zone is paid for each time, and any number of them works', async (t) => {
  const setting = { variables: { at: types.dyn }, activation: { at: 1 } };
  t.equal(evaluate('timestamp(0).getHours("Asia/Tokyo")', { ...setting, steps: 100 }), 'error: budget_spent');
  const zones = Array.from({ length: 12 }, (_, index) => [`Etc/GMT+${index}`, `Etc/GMT-${index}`]).flat();
  for (const zone of [
    ...zones,
    ...zones,
    // biome-ignore format: short texts read better in rows
    ...[
      'Asia/Tokyo', 'Europe/Paris', 'Europe/Rome', 'Asia/Kolkata', 'Africa/Cairo', 'Africa/Lagos',
      'Asia/Dubai', 'Asia/Seoul', 'Europe/Oslo',
    ],
  ]) {
    t.type(evaluate(`timestamp(0).getHours("${zone}")`), 'number', zone);
  }
});

t.test('accessors read the length of a duration as a whole', async (t) => {
  const cases: Case[] = [
    ['duration("3h25m45.678s").getHours()', 3],
    ['duration("3h25m45.678s").getMinutes()', 205],
    ['duration("3h25m45.678s").getSeconds()', 12345],
    ['duration("3h25m45.678s").getMilliseconds()', 678],
    ['duration("-90s").getMinutes()', -1],
  ];
  runCases(t, cases);
});
