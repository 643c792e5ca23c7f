import t from 'tap';
import { JsonMistake, JsonReader, readExactly, UNFINISHED } from '../../src/json/read-exactly.ts';
import { random } from './random.ts';

const mistakeIn = (text: string): JsonMistake | null => {
  try {
    readExactly(text);
    return null;
  } catch (error) {
    if (error instanceof JsonMistake) return error;
    throw error;
  }
};
const mistake = (text: string): string | null => {
  const found = mistakeIn(text);
  return found && `${found.kind} @${found.offset} ${found.path} ${found.message}`;
};

const end = 'found the end of the text';
const badJson: [text: string, mistake: string][] = [
  ['', `syntax @0  expected a value, ${end}`],
  [' \n', `syntax @2  expected a value, ${end}`],
  ['{', `syntax @1 / expected a key in double quotes, ${end}`],
  ['{"a"', `syntax @4 /a expected ":" after a key, ${end}`],
  ['{"a":', `syntax @5 /a expected a value, ${end}`],
  ['{"a":1', `syntax @6 /a expected "," or "}", ${end}`],
  ['{"a":1,}', 'syntax @7 /a expected a key in double quotes'],
  ["{'a':1}", 'syntax @1 / expected a key in double quotes'],
  ['{"a" 1}', 'syntax @5 /a expected ":" after a key'],
  ['{"a":1 "b":2}', 'syntax @7 /a expected "," or "}"'],
  ['[1,2,]', 'syntax @5 /2 expected a value'],
  ['[1 2]', 'syntax @3 /1 expected "," or "]"'],
  ['[{"a":[1,tru]}]', 'syntax @9 /0/a/1 expected a value'],
  ['{}{}', 'syntax @2  expected nothing after the value'],
  ['{}//', 'syntax @2  expected nothing after the value'],
  ['01', 'syntax @1  expected nothing after the value'],
  ['[1.]', 'syntax @2 /1 expected "," or "]"'],
  ['[.5]', 'syntax @1 /0 expected a value'],
  ['[+1]', 'syntax @1 /0 expected a value'],
  ['NaN', 'syntax @0  expected a value'],
  ['\ufeff{}', 'syntax @0  expected a value'],
  ['"abc', `syntax @4  expected the end of a string, ${end}`],
  ['"a\nb"', 'syntax @2  a control character in a string must be escaped'],
  ['"a\\x"', 'syntax @2  not an escape sequence of JSON'],
  ['"a\\', 'syntax @2  not an escape sequence of JSON'],
  ['"\\u12g4"', 'syntax @1  expected four hexadecimal digits after "\\u"'],
];

t.test('says where JSON breaks, and what was expected there', async (t) => {
  for (const [text, expected] of badJson) {
    t.throws(() => JSON.parse(text), text);
    t.equal(mistake(text), expected, text);
  }
  t.match(mistake('['.repeat(500_000)), /^syntax @500000 /, 'at any depth');
});

t.test('finds the first duplicate key, whatever its spelling', async (t) => {
  const cases: [string, string | null][] = [
    ['{"a":{"b":1},"b":[{"b":1},{"b":2}]}', null],
    ['{"tool":1,"tool":2}', 'value @10 /tool the key occurs twice in its object'],
    ['{"tool":1,"to\\u006fl":2}', 'value @10 /tool the key occurs twice in its object'],
    ['{"x":[0,{"a/b":1,"c":{},"a\\/b":2}]}', 'value @24 /x/1/a~1b the key occurs twice in its object'],
    ['{"":1,"":2}', 'value @6 / the key occurs twice in its object'],
    ['{"__proto__":1,"__proto__":2}', 'value @15 /__proto__ the key occurs twice in its object'],
  ];
  for (const [text, expected] of cases) t.equal(mistake(text), expected, text);
});

t.test('reads what JSON.parse reads, and refuses what it refuses', async (t) => {
  const good = '{"a":[1,-0.5e+3,"x\\n\\u00e9\\\\\\"",{"b":null,"c":[]}],"d":{"e":true,"f":false}}';
  const below = random(7);
  const parts = [...'{}[],:"\\u0eE+-.1 \n\t\0', 'true', 'nul', '\ud83d\ude00'];
  let refused = 0;
  for (let round = 0; round < 20_000; round++) {
    const at = below(good.length);
    const text = good.slice(0, at) + parts[below(parts.length)] + good.slice(at + below(3));
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      refused++;
      if (mistakeIn(text)?.kind !== 'syntax') t.fail(text);
      continue;
    }
    const found = mistakeIn(text);
    const same = found === null && JSON.stringify(readExactly(text)) === JSON.stringify(parsed);
    if (!same && found?.kind !== 'value') t.fail(text);
  }
  t.ok(refused > 1_000 && refused < 19_000);
});

t.test('keeps integers digit for digit, and all other numbers as JSON.parse reads them', async (t) => {
  const cases: [string, unknown][] = [
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['1234567890123456789', 1234567890123456789n],
    [`1${'0'.repeat(400)}`, 10n ** 400n],
    ['9007199254740993.0', 9007199254740992],
    ['1e22', 1e22],
    ['-0', -0],
  ];
  for (const [text, value] of cases) t.equal(readExactly(text), value, text);
  t.match(mistake(`[1,${'9'.repeat(1_025)}]`), /^value @3 \/1 must have at most 1024 digits$/);
  t.equal(mistake('[-1e400]'), 'value @1 /0 must lie within ±1.7976931348623157e308');
});

t.test('reads keys that V8 reads as others', async (t) => {
  for (const [first, second] of [
    ['t\\\\u0', 't\\u006fol'],
    ['\\\\', '\\"'],
  ]) {
    JSON.parse(`{"${first}x":1,"${first}":2}`);
    t.strictSame(readExactly(`{"${first}x":1,"${second}":2}`), {
      [JSON.parse(`"${first}x"`)]: 1,
      [JSON.parse(`"${second}"`)]: 2,
    });
  }
  t.strictSame(Object.keys(readExactly('{"__proto__":1,"a":2}') as object), ['__proto__', 'a']);
});

t.test('reads a text in parts', async (t) => {
  const text = '{"a":[1,{"b":[]},9007199254740993],"c":"d"}';
  const reader = new JsonReader(text);
  let [value, parts] = [reader.read(1), 1];
  for (; value === UNFINISHED; parts++) value = reader.read(1);
  t.equal(parts, 7);
  t.strictSame(value, readExactly(text));
});
