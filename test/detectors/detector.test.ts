import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();

const found: readonly [name: string, input: unknown, redacted: unknown][] = [
  ['an e-mail address', 'to john.doe@example.com now', 'to [EMAIL_ADDRESS] now'],
  ['telephone numbers', 'call (415) 555-0132 or +44 20 7123 4567', 'call [PHONE_NUMBER] or [PHONE_NUMBER]'],
  ['a card in groups', '4111 1111 1111 1111', '[CREDIT_CARD]'],
  ['a card split by a line break', 'x 41111111\n11111111 y', 'x [CREDIT_CARD] y'],
  ['a card in full-width digits', '４１１１ １１１１ １１１１ １１１１', '[CREDIT_CARD]'],
  ['a bare number by its key', { ssn: '123456789' }, { ssn: '[US_SSN]' }],
  ['a JSON number by its key', { ssn: 123456789 }, { ssn: '[US_SSN]' }],
  ['an IBAN in groups', 'AL47 2121 1009 0000 0002 3569 8741', '[IBAN_CODE]'],
  ['addresses of both families', '10.0.0.1/8, fe80::1%eth0', '[IP_ADDRESS], [IP_ADDRESS]'],
  ['a key by its prefix', 'id AKIAQ3EGRXVNLZ7T2MPD', 'id [AWS_ACCESS_KEY]'],
  ['an address in a key', { 'bob@example.com': 1 }, { '[EMAIL_ADDRESS]': 1 }],
  ['an escaped address', String.raw`{"a":"john\u0040example.com"}`, '{"a":"[EMAIL_ADDRESS]"}'],
  ['an address with invisible characters', 'jo\u200bhn@exam\u200bple.com', '[EMAIL_ADDRESS]'],
];

for (const [name, input, redacted] of found) {
  test(`finds ${name} and leaves nothing of it`, async (t) => {
    const scan = detector.scan(input);
    t.not(scan.tags.length, 0);
    t.same(scan.redacted(), redacted);
    t.same(detector.scan(scan.redacted()).tags, []);
  });
}

test('findings stay those of their scan when another one ran in between', async (t) => {
  const first = detector.scan({ a: ['x', 'me@example.com'] });
  detector.scan({ b: '4111 1111 1111 1111' });
  t.same(first.detections(), [
    { tag: 'EMAIL_ADDRESS', strength: 'formatted', path: '/a/1', start: 0, end: 14 },
  ]);
  t.same(first.redacted(), { a: ['x', '[EMAIL_ADDRESS]'] });
});

test('custom patterns give their own tag and category', async (t) => {
  const own = createDetector({ custom: [{ tag: 'BADGE', category: 'STAFF', pattern: 'B-[0-9]{4}' }] });
  const scan = own.scan({ note: 'badge B-1234 and B-9999' });
  t.same(scan.tags, ['STAFF', 'BADGE']);
  t.same(scan.counts, [{ type: 'BADGE', count: 2 }]);
  t.same(scan.redacted(), { note: 'badge [BADGE] and [BADGE]' });
});

test('what is in a key is found however often the key was read', async (t) => {
  const own = createDetector();
  const record = {
    'for bob@example.com only': 1,
    'a key without anything in it, 2026': 2,
    dob: '1984-03-05',
  };
  for (let time = 0; time < 3; time++) {
    t.same(own.scan([record, record]).redacted(), [
      { 'for [EMAIL_ADDRESS] only': 1, 'a key without anything in it, 2026': 2, dob: '[DATE_OF_BIRTH]' },
      { 'for [EMAIL_ADDRESS] only': 1, 'a key without anything in it, 2026': 2, dob: '[DATE_OF_BIRTH]' },
    ]);
    // more keys than are kept
    own.scan(Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [`key ${time} ${i}`, i])));
  }
});

test('a version is passed over, but not what begins like one', async (t) => {
  const tags = (value: unknown): readonly string[] => detector.scan(value).tags;
  t.same(tags({ versions: ['1.2.3', '1.2.3-rc.1', '1.2.3"'] }), []);
  t.same(tags('at "8.8.8.8"'), ['NETWORK', 'IP_ADDRESS']);
  t.same(tags({ dob: '9.1.84' }), ['PII', 'DATE_OF_BIRTH']);
});
