import t from 'tap';
import { createLineIndex } from '../../../src/policy/document/read-document.ts';

t.test('finds line and column of every offset, the end included', async (t) => {
  const source = 'ab\n\r\n\n😀c';
  const at = createLineIndex(source);
  const places = Array.from({ length: source.length + 1 }, (_, offset) => at(offset));
  t.strictSame(
    places.map(({ line, column }) => `${line}:${column}`),
    ['1:1', '1:2', '1:3', '2:1', '2:2', '3:1', '4:1', '4:2', '4:3', '4:4'],
  );
  t.strictSame(createLineIndex('')(0), { line: 1, column: 1 });
});
