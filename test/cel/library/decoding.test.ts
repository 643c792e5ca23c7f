import t from 'tap';
import { types } from '../../../src/cel/index.ts';
import { type Case, plain, runCases } from '../cases.ts';
import { evaluate } from '../evaluate.ts';

const decode = (source: string, s: string, steps?: number): unknown =>
  plain(
    evaluate(source, {
      variables: { s: types.string },
      activation: { s },
      ...(steps === undefined ? {} : { steps }),
    }),
  );

t.test('JSON in a text is read as JSON of a request is', async (t) => {
  t.same(decode('json(s)', '{"a": [1, "b", null, true, 1.5]}'), { a: [1, 'b', null, true, 1.5] });
  t.equal(decode('json(s).a.b > 1', '{"a": {"b": 2}}'), true);
  t.equal(decode('json(s)', '9007199254740993'), 9_007_199_254_740_993n);
  t.equal(decode('json(s).?__proto__.hasValue()', '{"__proto__": 1}'), true);
  t.equal(decode('json(s).?toString.hasValue()', '{}'), false);
  t.equal(Array.isArray(decode('json(s)', `${'['.repeat(64)}${']'.repeat(64)}`)), true);
  t.equal(Array.isArray(decode('json(s)', '["[[", "\\"[", "]"]')), true, 'brackets in texts nest nothing');
});

t.test('a text that is not JSON, or could be read in two ways, is an error', async (t) => {
  for (const text of [
    '',
    '{',
    '{"a":1}x',
    "{'a':1}",
    'NaN',
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '01',
    '"\n"',
    '"\\":',
  ])
    t.equal(decode('json(s)', text), 'error: invalid_argument', text);
  t.equal(decode('json(s)', `${'['.repeat(65)}${']'.repeat(65)}`), 'error: too_deep');
  t.equal(decode('json(s)', '[{"a":'.repeat(20_000).slice(0, 60_000)), 'error: too_deep');
  t.equal(decode('json(s)', `"${'a'.repeat(65_536)}"`), 'error: budget_spent');
  t.equal(decode('json(s)', `"${'a'.repeat(200)}"`, 500), 'error: budget_spent');
});

t.test('base64 of a text is decoded in either alphabet, padded or not', async (t) => {
  const cases: Case[] = [
    ['base64.decode("aGVsbG8=")', 'hello'],
    ['base64.decode("aGVsbG8")', 'hello'],
    ['base64.decode("")', ''],
    ['base64.decode("w6nwn5iA")', 'é😀'],
    ['base64.decode("Pz8_Pj4-")', '???>>>'],
    ['base64.decode("Pz8/Pj4+")', '???>>>'],
    ['base64.decode("aGVsbG8==")', 'error: invalid_argument'],
    ['base64.decode("aGVsb=G8")', 'error: invalid_argument'],
    ['base64.decode("aGVs bG8=")', 'error: invalid_argument'],
    ['base64.decode("a")', 'error: invalid_argument'],
    ['base64.decode("_+8=")', 'error: invalid_argument'],
    ['base64.decode("/////w==")', 'error: invalid_argument'],
  ];
  runCases(t, cases);
  t.equal(decode('base64.decode(s)', 'YWFh'.repeat(100), 500), 'error: budget_spent');
  t.equal(decode('base64.decode(s)', 'YWFh'.repeat(20_000)), 'error: budget_spent');
});
