import t from 'tap';
import { AppError } from '../../src/errors.ts';
import { checkJson } from '../../src/http/json-checks.ts';
import { memberText } from '../../src/json/member-text.ts';

const refusal = (json: string, limits?: Parameters<typeof checkJson>[2]): string | null => {
  try {
    checkJson(JSON.parse(json), '', limits);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.details[0]?.path} ${error.message}`;
  }
};
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

t.test('accepts ordinary JSON', async (t) => {
  for (const json of [
    'null',
    'true',
    '1',
    '-1.5',
    '"x"',
    '[]',
    '{"a":{"constructor":1,"toString":[{}]}}',
    nested(64),
  ]) {
    t.equal(refusal(json), null, json.slice(0, 40));
  }
});

t.test('refuses what could not be kept or judged as meant, and names the place', async (t) => {
  const cases: [string, string, RegExp][] = [
    ['too deep', nested(65), /^(\/0){64} must not be nested deeper than 64 levels/],
    ['a prototype key', '{"a":{"__proto__":1}}', /^\/a\/__proto__ is not allowed/],
    ['half a surrogate pair', '{"a":"\\ud800"}', /^\/a must be Unicode/],
    ['half a surrogate pair in a key', '{"\\udc00":1}', /must be Unicode/],
    ['a key to be escaped', '{"a/b~c":"\\ud800"}', /^\/a~1b~0c must be Unicode/],
  ];
  for (const [name, json, expected] of cases) t.match(refusal(json), expected, name);
});

t.test('counts members, and tells of numbers whose digits JSON.parse may have lost', async (t) => {
  const contents = (json: string) => ({ ...checkJson(JSON.parse(json)) });
  t.strictSame(contents('[1,"x:"]'), { members: 0, hasLargeNumbers: false });
  t.strictSame(contents('{"a":[{"b":1},{"b":-9007199254740991}]}'), { members: 3, hasLargeNumbers: false });
  for (const large of ['9007199254740992', '-9007199254740993', '1e22', '1e400']) {
    t.strictSame(contents(`{"a":[${large}]}`), { members: 1, hasLargeNumbers: true }, large);
  }
  t.doesNotThrow(() => checkJson({ a: 2n ** 60n }));
  t.throws(() => checkJson({ a: [2n ** 60n] }, '', { depth: 9, noBigIntegers: true }), /must lie within/);
});

t.test('refuses NUL and nesting where the limits say so', async (t) => {
  const limits = { depth: 2, noNul: true };
  t.equal(refusal('{"a":"\\u0000"}'), null);
  t.match(refusal('{"a":"\\u0000"}', limits), /^\/a must not contain NUL/);
  t.match(refusal('{"\\u0000":1}', limits), /must not contain NUL/);
  t.match(refusal('{"a":{"b":{}}}', limits), /^\/a\/b must not be nested deeper than 2/);
  t.equal(refusal('{"a":{"b":1}}', limits), null);
});

t.test('finds the text of a member as it was sent', async (t) => {
  const cases: [string, string | null][] = [
    ['{}', null],
    ['{"other":{"metadata":1}}', null],
    ['{"metadata":{"b":1,"10":2,"2":3}}', '{"b":1,"10":2,"2":3}'],
    [' { "x" : "}{,\\"" , "metadata" : { "a" : [ 1 , "]" ] } , "y":2 } ', '{ "a" : [ 1 , "]" ] }'],
    ['{"meta\\u0064ata":{"a":1.0}}', '{"a":1.0}'],
    ['{"metadata":"x\\\\"}', '"x\\\\"'],
    ['{"a":1,"metadata":true}', 'true'],
    ['{\n\t"metadata":\r\n{}\n}', '{}'],
  ];
  for (const [json, expected] of cases) {
    JSON.parse(json);
    t.equal(memberText(json, 'metadata'), expected, json);
  }
});
