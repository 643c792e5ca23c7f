import t from 'tap';
import { memberText } from '../../src/json/member-text.ts';
import { hasDuplicateKeys, hasEscapedKeys, isNestedDeeper, membersOf } from '../../src/json/members.ts';
import { parseForWriting, parseJson, parseStrictly } from '../../src/json/parse.ts';
import { readExactly } from '../../src/json/read-exactly.ts';
import { random } from './random.ts';

const duplicates = (text: string): boolean => hasDuplicateKeys(text, membersOf(JSON.parse(text)));

t.test('tells a text with duplicate keys from one without', async (t) => {
  const none = [
    '1',
    '"a:b"',
    '{}',
    '[{"a":1},{"a":1}]',
    '{"a":{"a":{"a":1}}}',
    '{"url":"https://example.com:80/","b:c":"\\":"}',
    `{"a":"${'x'.repeat(100)}:\\\\","b":"${'\\\\'.repeat(50)}","c":"${'\\"'.repeat(100)}:"}`,
    `{"a":"${'x'.repeat(31)}","b":"${'x'.repeat(32)}","c":"${'x'.repeat(33)}\\"","d":"::::"}`,
    '{"constructor":1,"toString":2,"1":3,"01":4}',
  ];
  for (const text of none) t.notOk(duplicates(text), text);
  const some = [
    '{"tool":"git.push","tool":"safe"}',
    '{"tool":"git.push","to\\u006fl" : "safe"}',
    '{"a":":::","b":{"c":1,"c":1}}',
    '[[[{"a":1,"b":2,"a":{"d":"\\"","e":":"}}]]]',
    '{"1":1,"1":1}',
    '{"a":null,"a":null}',
    `{"a":"${'x'.repeat(40)}\\":\\\\","a":1}`,
  ];
  for (const text of some) t.ok(duplicates(text), text);
});

t.test('agrees with a reader that remembers all keys, on random texts', async (t) => {
  const below = random(3);
  const plain = ['"a"', '"b"', '":"', '"1"', '""', `"${'k'.repeat(40)}:"`];
  const escaped = ['"\\u0061"', '"\\""', '"\\\\"', `"${'k'.repeat(40)}\\":"`];
  const pick = (texts: readonly string[]): string => texts[below(texts.length)] as string;
  const text = (depth: number, keys: readonly string[]): string => {
    const kind = depth === 0 ? 2 + below(2) : below(4);
    if (kind > 1) return below(2) === 0 ? String(below(9)) : pick([...plain, ...escaped]);
    const items = Array.from({ length: below(4) }, () => text(depth - 1, keys));
    if (kind === 0) return `[${items.join(' ,')}]`;
    return `{${items.map((item) => `${pick(keys)}${' '.repeat(below(2))}:${item}`).join(',')}}`;
  };
  let found = 0;
  for (let round = 0; round < 20_000; round++) {
    const json = text(4, plain);
    let expected = false;
    try {
      readExactly(json);
    } catch {
      expected = true;
      found++;
    }
    if (duplicates(json) !== expected) t.fail(json);
    if (hasEscapedKeys(json)) t.fail(`escaped: ${json}`);
  }
  t.ok(found > 1_000);
  for (let round = 0; round < 5_000; round++) {
    const key = pick(escaped);
    const json = `{"x":[${text(3, plain)}],"y":{${key}${' \n'.slice(below(3))}:${text(3, plain)}}}`;
    if (!hasEscapedKeys(json)) t.fail(json);
  }
});

t.test('what JSON.parse reads wrong is never read with it', async (t) => {
  JSON.parse('{"zz":1,"t\\\\u0":2}');
  t.strictSame(parseJson('{"zz":1,"t\\u006fol":"git.push"}'), { zz: 1, tool: 'git.push' });
  t.strictSame(parseJson('{"id":1234567890123456789}'), { id: 1234567890123456789n });
  t.strictSame(parseJson('{"id":"x\\"y","n":1}'), { id: 'x"y', n: 1 });
});

t.test('colons in strings, however many, make no difference', async (t) => {
  const colons = ':'.repeat(5_000);
  t.notOk(duplicates(`{"a":"${colons}","b":1}`));
  t.ok(duplicates(`{"a":"${colons}","a":1}`));
  t.notOk(hasEscapedKeys(`{"a":"${colons}\\n","b":1}`));
  t.ok(hasEscapedKeys(`{"a":"${colons}","\\u0062":1}`));
  t.ok(hasEscapedKeys(`{"a":"x\\"${colons}","b\\\\":1}`));
  t.notOk(hasEscapedKeys('{"a":"x\\\\","b":"\\":"}'));
});

t.test('a text that is not JSON is refused, however it breaks off', async (t) => {
  const bodies = ['"\\":', `{"${'k'.repeat(40)}\\":`, '{"a\\', '"a":"\\\\\\":', '{"a":1,"\\u0061'];
  for (const text of bodies) {
    for (const parse of [parseJson, parseStrictly, parseForWriting]) t.throws(() => parse(text), text);
    // Nothing calls them with such a text; they must end all the same.
    t.equal(typeof hasEscapedKeys(text), 'boolean', text);
    t.equal(typeof hasDuplicateKeys(text, 1), 'boolean', text);
  }
  for (const text of ['"a","b"', '{"a', '{"a":[1', '{"a":"\\', '{"a":1,', '{', '']) {
    t.throws(() => memberText(text, 'z'), SyntaxError, text);
  }
});

t.test('parseStrictly refuses what is not JSON, and duplicate keys', async (t) => {
  t.strictSame(parseStrictly('{"a":[1,{"b":9007199254740993}]}'), { a: [1, { b: 9007199254740993n }] });
  t.throws(() => parseStrictly('{"a":1,"a":2}'), /the key occurs twice/);
  t.throws(() => parseStrictly('{"a":1,'), /expected a key/);
});

t.test('tells how deeply a text is nested, whatever stands in its strings', async (t) => {
  t.ok(isNestedDeeper('[[{"a":[]}]]', 3));
  t.notOk(isNestedDeeper('[[{"a":[]}]]', 4));
  t.notOk(isNestedDeeper(`[[],{},[],"[[[","\\"[[[${'x'.repeat(40)}\\\\",{"[[":{}}]`, 3));
});
