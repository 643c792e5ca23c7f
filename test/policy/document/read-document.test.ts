import t from 'tap';
import { readDocument } from '../../../src/policy/document/read-document.ts';

const where = (source: string) =>
  readDocument(source).issues.map(({ line, column, path, code }) => `${line}:${column} ${path} ${code}`);

t.test('reads YAML and JSON into the same plain values', async (t) => {
  const value = { a: [1, 'x', null, { b: true }], 'c d': 'two\nlines\n' };
  t.strictSame(readDocument(JSON.stringify(value)).value, value);
  t.strictSame(
    readDocument('a:\n  - 1\n  - x\n  -\n  - { b: true }\n"c d": |\n  two\n  lines\n').value,
    value,
  );
  t.strictSame(readDocument('\uFEFFa: 1\r\nb: 2\r\n').value, { a: 1, b: 2 }, 'byte order mark and CRLF');
  t.strictSame(readDocument('1: one\ntrue: yes\n').value, { 1: 'one', true: 'yes' }, 'keys are texts');
  t.strictSame(readDocument('{ a, b: , c: 1 }').value, { a: null, b: null, c: 1 });
  const digits = '[9007199254740993, -9223372036854775808, 123456789012345678901234567890]';
  const exactly = [9007199254740993n, -9223372036854775808n, 123456789012345678901234567890n];
  t.strictSame(readDocument(`a: ${digits}\n`).value, { a: exactly }, 'integers digit for digit');
  t.strictSame(readDocument(`{"a":${digits}}`).value, { a: exactly });
  t.strictSame(readDocument('a: 0x1F\nb: 1e3\nc: ~\n').value, { a: 31, b: 1_000, c: null });
});

t.test('refuses all YAML that is not JSON in another dress, at its place', async (t) => {
  const cases: [name: string, source: string, issues: string[]][] = [
    ['an anchor', 'a: &x 1\n', ['1:7 /a unsupported_yaml']],
    ['an alias', 'a: &x 1\nb: *x\n', ['1:7 /a unsupported_yaml', '2:4 /b unsupported_yaml']],
    ['a merge key', 'a: &x {}\nb: { <<: *x }\n', ['1:7 /a unsupported_yaml', '2:10 /b/<< unsupported_yaml']],
    ['a tag', 'a: !!str 1\n', ['1:10 /a unsupported_yaml']],
    ['a tag on a map', 'a: !!map { b: 1 }\n', ['1:10 /a unsupported_yaml']],
    ['an unknown tag', 'a: !secret x\n', ['1:4  invalid_yaml', '1:12 /a unsupported_yaml']],
    ['a YAML directive', '%YAML 1.1\n---\na: 1\n', ['1:1  unsupported_yaml']],
    ['a TAG directive', '%TAG !e! tag:e,2000:\n---\na: 1\n', ['1:1  unsupported_yaml']],
    ['a second document', 'a: 1\n---\nb: 2\n', ['2:1  unsupported_yaml']],
    ['a second document behind an empty one', '---\n---\nb: 2\n', ['2:1  unsupported_yaml']],
    ['an anchor on a key', '&x a: 1\n', ['1:4 /a unsupported_yaml']],
    ['a tag on a key', '!!str a: 1\n', ['1:7 /a unsupported_yaml']],
    ['an alias as a key', 'a: &x b\n*x : 1\n', ['2:1  invalid_yaml', '1:7 /a unsupported_yaml']],
    ['a key given twice', 'a: 1\nb: { c: 1, c: 2 }\n', ['2:12 /b/c duplicate_key']],
    ['__proto__', 'a:\n  __proto__: { x: 1 }\n', ['2:3 /a/__proto__ forbidden_key']],
    ['a key that is a list', '? [a]\n: 1\n', ['1:3  invalid_yaml']],
    ['not a number', 'a: .nan\n', ['1:4 /a not_json']],
    ['infinity', 'a: -.inf\n', ['1:4 /a not_json']],
    ['an integer of too many digits', `a: ${'9'.repeat(1_025)}\n`, ['1:4 /a not_json']],
    ['a tab as indentation', 'a:\n\tb: 1\n', ['2:1  invalid_yaml']],
    ['an unclosed list', 'a: [1, 2\n', ['2:1  invalid_yaml']],
    ['nothing', '', ['1:1  empty']],
    ['a comment only', '# nothing\n', ['1:1  empty']],
    ['two mistakes', 'a: .nan\nb: &x 1\n', ['1:4 /a not_json', '2:7 /b unsupported_yaml']],
  ];
  for (const [name, source, issues] of cases) {
    t.strictSame(where(source), issues, name);
    t.equal(readDocument(source).value, undefined, `${name}: gives no value`);
  }
});

t.test('prototype keys are ordinary keys or refused, never act', async (t) => {
  const { value } = readDocument('constructor: 1\nprototype: 2\ntoString: 3\n');
  t.strictSame(Object.entries(value as object), [
    ['constructor', 1],
    ['prototype', 2],
    ['toString', 3],
  ]);
  readDocument('__proto__: { polluted: true }\n');
  t.notOk('polluted' in {});
});

t.test('refuses what is too long or nests too deep, before it is composed', async (t) => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  const indented = Array.from({ length: 40 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('');
  t.strictSame(where(nested(32)), []);
  const inside = Array.from({ length: 32 }, () => '/0').join('');
  t.strictSame(where(nested(33)), [`1:33 ${inside} too_deep`]);
  t.strictSame(where(nested(40)), ['1:1  too_deep']);
  t.strictSame(where(`${'- '.repeat(32)}a`), []);
  t.strictSame(where(`${'- '.repeat(33)}a`), ['1:1  too_deep']);
  t.strictSame(where('['.repeat(200_000)), ['1:1  too_deep']);
  t.strictSame(where(`${'- '.repeat(100_000)}a`), ['1:1  too_deep']);
  t.strictSame(where(`${'? '.repeat(100_000)}a`), ['1:1  too_deep']);
  t.strictSame(where(indented), ['1:1  too_deep']);
  t.strictSame(where(`a: ${'x'.repeat(256 * 1_024)}`), ['1:1  too_large']);
  t.strictSame(where(`a: ${'x'.repeat(256 * 1_024 - 3)}`), []);
});

t.test('a large flat document is read in linear time', async (t) => {
  const keys = Array.from({ length: 36_000 }, (_, index) => `${index.toString(36)}:`).join('\n');
  const before = process.cpuUsage();
  t.strictSame(where(keys), []);
  const { user } = process.cpuUsage(before);
  t.ok(user < 5_000_000, 'µs of processor time; comparing every pair of keys takes ten times as long');
});

t.test('reports places: values, keys, absent keys, offsets in texts', async (t) => {
  const source = 'name: x\nrules:\n  - id: a\n    when: |\n      one &&\n      two\n    empty:\n';
  const { report } = readDocument(source);
  const at = (...[path, place]: [Parameters<typeof report>[0], Parameters<typeof report>[2]?]) => {
    const { line, column } = report(path, { code: 'c', message: 'm' }, place);
    return `${line}:${column}`;
  };
  t.equal(at([]), '1:1');
  t.equal(at(['name']), '1:7');
  t.equal(at(['name'], 'key'), '1:1');
  t.equal(at(['rules', 0]), '3:5');
  t.equal(at(['rules', 0, 'id'], 'key'), '3:5');
  t.equal(at(['rules', 0, 'when'], 9), '6:9');
  t.equal(at(['rules', 0, 'effect']), '3:5', 'an absent key: what should hold it');
  t.equal(at(['rules', 7]), '1:1', 'an absent entry');
  t.equal(at(['rules', 0, 'empty']), '7:5', 'an empty value: its key');
  t.equal(at(['name', 'deeper']), '1:7');
  t.equal(at(['rules'], 3), '3:3', 'no text');
  t.strictSame(report(['rules', 0, 'a/b~c'], { code: 'c', message: 'm', hint: 'h' }), {
    line: 3,
    column: 5,
    path: '/rules/0/a~1b~0c',
    code: 'c',
    message: 'm',
    hint: 'h',
  });
  t.equal(readDocument('').report([], { code: 'c', message: 'm' }).line, 1);
});
