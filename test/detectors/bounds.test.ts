import { test } from 'tap';
import { ATTACKS } from '../../bench/detection/adversarial.ts';
import { HELD, harmless } from '../../bench/detection/harmless.ts';
import { createDetector } from '../../src/detectors/index.ts';

test('two megabytes of harmless JSON give no more than two findings', async (t) => {
  const detector = createDetector();
  let found = 0;
  for (const { value, kind } of harmless(3, 2_000_000)) {
    found += detector
      .scan(value)
      .detections()
      .filter(({ tag }) => tag !== HELD[kind]).length;
  }
  t.ok(found <= 2, `${found} findings`);
});

for (const [name, make] of Object.entries(ATTACKS)) {
  test(`reads and masks ${name} without leaving anything to find`, async (t) => {
    const detector = createDetector({ enabledTags: ['URL'] });
    const input = make(20_000);
    const scan = detector.scan(input);
    t.ok(scan.detections().every(({ start, end, path }) => start < end && typeof path === 'string'));
    const again = detector.scan(scan.redacted()).counts.filter(({ type }) => type !== 'CRYPTO');
    t.same(again, []);
  });
}

test('beyond the hashes computed for one document, words of the form of an address count unchecked', async (t) => {
  const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD ';
  const base58 = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLz ';
  const detector = createDetector();
  t.same(detector.scan({ a: wrong.repeat(10) + base58.repeat(10) }).tags, []);
  t.same(detector.scan({ a: wrong.repeat(80) }).tags, ['FINANCIAL', 'CRYPTO']);
  t.same(detector.scan({ a: base58.repeat(80) }).tags, ['FINANCIAL', 'CRYPTO']);
});

test('a hundred thousand findings are kept, and what follows counts as not scanned', async (t) => {
  const scan = createDetector().scan({ a: 'a@b.co '.repeat(100_010), b: { 'c@d.co': ['e@f.co', 5] } });
  t.same(scan.counts, [
    { type: 'EMAIL_ADDRESS', count: 100_000 },
    { type: 'UNSCANNED', count: 1 },
  ]);
  t.same(
    JSON.stringify(scan.redacted()).slice(-60),
    '"[UNSCANNED]","[UNSCANNED]":{"[UNSCANNED]":["[UNSCANNED]","[UNSCANNED]"]}}'.slice(-60),
  );
  t.equal(scan.detections().length, 100_001);
});

test('a cache of keys that overflows begins anew', async (t) => {
  const detector = createDetector();
  const many = Object.fromEntries(Array.from({ length: 10_050 }, (_, i) => [`ssn_${i}`, '536221847']));
  t.same(detector.scan(many).counts, [{ type: 'US_SSN', count: 10_050 }]);
});
