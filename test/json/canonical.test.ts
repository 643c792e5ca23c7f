import t from 'tap';
import { canonicalJson } from '../../src/json/stringify.ts';

// The examples of RFC 8785.

t.test('numbers are written as in appendix B', async (t) => {
  const bits: [string, string][] = [
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ];
  for (const [hex, text] of bits) t.equal(canonicalJson(Buffer.from(hex, 'hex').readDoubleBE()), text, hex);
});

t.test('texts and the order of keys are those of section 3.2', async (t) => {
  const value = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"\u002f',
    literals: [null, true, false],
  };
  t.equal(
    canonicalJson(value),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const keys = { '\u20ac': 5, '\r': 1, '\ufb33': 7, '1': 2, '\ud83d\ude00': 6, '\u0080': 3, '\u00f6': 4 };
  t.strictSame(Object.values(JSON.parse(canonicalJson(keys))).sort(), [1, 2, 3, 4, 5, 6, 7]);
  const order = [...canonicalJson(keys).matchAll(/:(\d)/g)].map(([, place]) => Number(place));
  t.strictSame(order, [1, 2, 3, 4, 5, 6, 7]);
});

t.test('integers beyond 2^53 are written digit for digit, which goes beyond the RFC', async (t) => {
  t.equal(canonicalJson({ id: 2n ** 63n }), '{"id":9223372036854775808}');
});

t.test('objects of the same keys, in any order and number, are written alike', async (t) => {
  const plain = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(plain).join(',')}]`;
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${plain(member)}`).join(',')}}`;
  };
  const many = (count: number, name: (place: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, place) => [name(place), place]));
  const values = [
    {},
    { a: {}, b: [] },
    { b: 1, c: 2, a: 3 },
    { b: 1, a: 2, c: 3 },
    { b: 1, c: { b: 1, c: 2, a: null }, a: false },
    { b: 1, c: 2 },
    { 'a"': 1, '\ud800': 2, '': 3 },
    { 10: 1, 9: 2, b: 3 },
    { ['x'.repeat(65)]: 1, a: 2 },
    many(12, (place) => `k${place}`),
    many(13, (place) => `k${place}`),
    many(40, (place) => `k${place}`),
    ...Array.from({ length: 130 }, (_, place) => ({ [`of ${place}`]: 1, a: 2 })),
  ];
  for (const value of [...values, ...values]) t.equal(canonicalJson(value), plain(value));
});
