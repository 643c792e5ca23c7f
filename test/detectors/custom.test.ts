import { test } from 'tap';
import { checkCustomDetectors, createDetector, taxonomy } from '../../src/detectors/index.ts';

const one = (over: Partial<{ tag: string; category: string; pattern: string }>) => [
  { tag: 'BADGE', category: 'STAFF', pattern: 'B-[0-9]{4}', ...over },
];

const refused: readonly [why: string, field: string, over: Parameters<typeof one>[0], message: RegExp][] = [
  ['a tag in lower case', 'tag', { tag: 'badge' }, /upper case/],
  ['a built-in tag', 'tag', { tag: 'US_SSN' }, /built-in/],
  ['a category with spaces', 'category', { category: 'MY STAFF' }, /upper case/],
  ['an empty pattern', 'pattern', { pattern: '' }, /empty/],
  ['a pattern too long', 'pattern', { pattern: 'a'.repeat(501) }, /500 characters/],
  ['a look-behind', 'pattern', { pattern: '(?<=a)b' }, /not RE2 syntax/],
  ['a back reference', 'pattern', { pattern: String.raw`(a)\1` }, /not RE2 syntax/],
  ['an open group', 'pattern', { pattern: '(a' }, /not RE2 syntax/],
  ['a pattern that matches nothing', 'pattern', { pattern: 'a*' }, /empty string/],
  ['a program too large', 'pattern', { pattern: '(?:[a-z]{1,40}-){1,25}q' }, /too large/],
];

for (const [why, field, over, message] of refused) {
  test(`refuses ${why} and says where`, async (t) => {
    const [problem] = checkCustomDetectors(one(over));
    t.match(problem, { index: 0, field, message });
  });
}

test('accepts detectors within the limits', async (t) => {
  t.same(checkCustomDetectors([]), []);
  t.same(
    checkCustomDetectors(one({}), () => 0),
    [],
  );
});

test('refuses more than fifty detectors, and fifty that are too large together', async (t) => {
  const many = (n: number, pattern: string) =>
    Array.from({ length: n }, (_, i) => ({ tag: `TAG_${i}`, category: 'OWN', pattern: `${i}${pattern}` }));
  t.match(checkCustomDetectors(many(51, 'x')), [{ index: 50, message: /at most 50/ }]);
  t.match(checkCustomDetectors(many(20, '(?:[a-z]{1,60}-){1,8}q')), [{ message: /together/ }]);
});

test('refuses a set that the clock says is slow beside the reference', async (t) => {
  // The reference is read 13 times first, with the clock asked before and after each.
  const clock = (stepOf: (asked: number) => number) => {
    let asked = 0;
    let ms = 0;
    return (): number => {
      asked += 1;
      ms += stepOf(asked);
      return ms;
    };
  };
  const slowSet = clock((asked) => (asked <= 26 ? 0.2 : 50));
  t.match(checkCustomDetectors(one({}), slowSet), [{ index: 0, field: 'pattern', message: /too slow/ }]);
  const slowMachine = clock(() => 50);
  t.strictSame(checkCustomDetectors(one({}), slowMachine), []);
});

test('one tag may have several patterns and categories; matches in keys and numbers count', async (t) => {
  const detector = createDetector({
    custom: [
      ...one({}),
      { tag: 'BADGE', category: 'OFFICE', pattern: '(?i)badge [a-z]+' },
      { tag: 'ROOM', category: 'OFFICE', pattern: '^77[0-9]{6}$' },
    ],
  });
  const scan = detector.scan({ 'B-1234': 'Badge blue', room: 77123456, n: 5 });
  t.same(scan.tags, ['STAFF', 'OFFICE', 'BADGE', 'ROOM']);
  t.same(scan.counts, [
    { type: 'BADGE', count: 2 },
    { type: 'ROOM', count: 1 },
  ]);
  t.same(scan.redacted(), { '[BADGE]': '[BADGE]', room: '[ROOM]', n: 5 });
});

test('a pattern may match many times, and never the empty string', async (t) => {
  const detector = createDetector({ custom: one({ pattern: 'x|$' }) });
  t.same(detector.scan({ a: 'x'.repeat(300) }).counts, [{ type: 'BADGE', count: 300 }]);
});

test('tags can be switched off and on, custom ones too; unknown ones are refused', async (t) => {
  const input = { a: 'me@example.com B-1234 https://example.com/x' };
  t.same(createDetector({ disabledTags: ['EMAIL_ADDRESS', 'BADGE'], custom: one({}) }).scan(input).tags, []);
  t.same(createDetector({ enabledTags: ['URL'], disabledTags: ['EMAIL_ADDRESS'] }).scan(input).tags, [
    'NETWORK',
    'URL',
  ]);
  t.throws(() => createDetector({ disabledTags: ['NO_SUCH_TAG'] }), /unknown data tag NO_SUCH_TAG/);
});

test('with every tag switched off nothing is found', async (t) => {
  const detector = createDetector({ disabledTags: taxonomy.map(({ tag }) => tag) });
  const input = { ssn: '536221847', a: 'me@example.com 4111 1111 1111 1111 AB 12 34 56 C' };
  t.same(detector.scan(input).detections(), []);
  t.equal(detector.scan(input).redacted(), input);
});
