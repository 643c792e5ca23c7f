import t from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { escapeSize } from '../../src/detectors/text/escapes.ts';

t.test('a value that is spelled out in an array is among the values found, as text shows it', (t) => {
  const scan = createDetector().scan({ card: [...'4111111111111111'].map(Number) });
  t.ok(scan.tags.includes('CREDIT_CARD'));
  t.strictSame(scan.values(), [['4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1', '[CREDIT_CARD]']]);
  t.end();
});

t.test('commands that carry no password are no secrets', (t) => {
  for (const text of ['ALTER USER bob IDENTIFIED externally;', 'net use a: b: c: d: e: f: g:']) {
    t.strictSame(createDetector().scan({ text }).tags, [], text);
  }
  t.end();
});

t.test('a plain character is no escape sequence', (t) => {
  t.equal(escapeSize(Uint16Array.of(97, 98), 0, 2), 0);
  t.end();
});
