import t from 'tap';
import {
  CelError,
  createBudget,
  isPrintable,
  Optional,
  parseDuration,
  parseTimestamp,
  toText,
  types,
} from '../../src/cel/index.ts';

t.test('values print as people write them, lists with commas, maps as compact JSON', async (t) => {
  const cases: [unknown, string][] = [
    ['a "b"', 'a "b"'],
    [5, '5'],
    [1.5, '1.5'],
    [true, 'true'],
    [null, 'null'],
    [parseTimestamp('2026-11-20T10:00:00Z'), '2026-11-20T10:00:00Z'],
    [parseDuration('90m'), '5400s'],
    [[], ''],
    [['PII', 'EMAIL_ADDRESS'], 'PII, EMAIL_ADDRESS'],
    [1234567890123456789n, '1234567890123456789'],
    [{}, '{}'],
    [[1, 'a"', [null]], '1, a", [null]'],
    [{ a: 1, 'b"': [true] }, '{"a":1,"b\\"":[true]}'],
    [
      new Map<unknown, unknown>([
        ['k', 1],
        [2, parseDuration('1s')],
      ]),
      '{"k":1,"2":"1s"}',
    ],
    [[parseTimestamp('2026-11-20T10:00:00Z'), parseDuration('1s')], '2026-11-20T10:00:00Z, 1s'],
  ];
  for (const [value, expected] of cases) t.equal(toText(value, createBudget()), expected);
});

t.test('what has no text, or too much, is an error and never shortened', async (t) => {
  const long = 'x'.repeat(65_537);
  let deep: unknown = 1;
  for (let level = 0; level < 40; level += 1) deep = [deep];
  const cases: [unknown, string][] = [
    [long, 'budget_spent'],
    [[long], 'budget_spent'],
    [{ [long]: 1 }, 'budget_spent'],
    [Array(65_537).fill(''), 'budget_spent'],
    [['x'.repeat(65_535), ''], 'budget_spent'],
    [deep, 'too_deep'],
    [[new Optional(true, 1)], 'no_such_overload'],
    [() => 1, 'no_such_overload'],
    [undefined, 'no_such_overload'],
    [new CelError('no_value', 'gone'), 'no_value'],
  ];
  for (const [value, code] of cases) t.match(toText(value, createBudget()), { code }, code);
});

t.test('a type is printable unless it may be empty', async (t) => {
  t.ok(isPrintable(types.int) && isPrintable(types.list(types.string)) && isPrintable(types.map(types.dyn)));
  t.ok(isPrintable(types.object('O', {})));
  t.notOk(isPrintable(types.optional(types.int)));
  t.notOk(
    isPrintable(types.list(types.optional(types.int))) || isPrintable(types.map(types.optional(types.int))),
  );
});
