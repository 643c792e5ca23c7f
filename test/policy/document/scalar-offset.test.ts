import t from 'tap';
import { readDocument, sourceOffset } from '../../../src/policy/document/read-document.ts';

/** Where the character `mark` of the value of key `v` is found in the source, as line:column. */
function find(source: string, mark: string): string {
  const { value, report } = readDocument(source);
  const inner = (value as { v: string }).v.indexOf(mark);
  if (inner === -1) throw new Error('the mark is not in the value');
  const { line, column } = report(['v'], { code: 'c', message: 'm' }, inner);
  return `${line}:${column}`;
}

t.test('finds a character of a text again in the document, or the start of the text', async (t) => {
  const cases: [name: string, source: string, found: string][] = [
    ['plain', 'v: a == @b', '1:9'],
    ['plain behind a comment line', '# c\nv:  a @b # @', '2:7'],
    ['plain over two lines: start', 'v: a\n  @b', '1:4'],
    ['double quoted', 'v: "a @b"', '1:7'],
    ['double quoted with an escape: start', 'v: "a \\" @b"', '1:4'],
    ['single quoted', "v: 'a @b'", '1:7'],
    ['single quoted with a quote before', "v: 'it''s @b'", '1:11'],
    ['single quoted over two lines: start', "v: 'a\n  @b'", '1:4'],
    ['literal, first line', 'v: |\n  a @b\n', '2:5'],
    ['literal, third line, deeper', 'v: |\n  a\n\n    @b\n', '4:5'],
    ['literal behind an empty line', 'v: |\n\n  @b\n', '3:3'],
    ['literal, stripped, with a comment', 'v: |- # c 2\n    a\n    @b', '3:5'],
    ['literal with a declared indent: start', 'v: |2\n   @b\n', '1:4'],
    ['literal with CRLF', 'v: |\r\n  a\r\n  @b\r\n', '3:3'],
    ['folded: start', 'v: >\n  a\n  @b\n', '1:4'],
    ['JSON', '{"w": 1, "v": "a @b"}', '1:18'],
  ];
  for (const [name, source, found] of cases) t.equal(find(source, '@'), found, name);
});

t.test('a place behind the last line of a block is the end of the source', async (t) => {
  const source = 'v: |\n  a';
  const scalar = { source, start: 3, end: 8, style: 'literal' as const, value: 'a\n' };
  t.equal(sourceOffset(scalar, 2), source.length);
  t.equal(
    sourceOffset({ ...scalar, source: 'v: |+\n\n', end: 7, value: '\n' }, 0),
    6,
    'a block of empty lines',
  );
});
