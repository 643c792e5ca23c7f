import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();
const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const [HEAD, TAIL] = [TOKEN.slice(0, 12), TOKEN.slice(12)];

test('a token in strings that follow one another is found and masked in all of them', async (t) => {
  for (const parts of [
    [HEAD, TAIL],
    [HEAD, TAIL.slice(0, 9), TAIL.slice(9)],
  ]) {
    const masks = parts.map(() => '[GITHUB_TOKEN]');
    t.same(detector.scan({ parts }).redacted(), { parts: masks });
    t.same(detector.scan({ ...parts }).redacted(), { ...masks });
  }
  t.same(detector.scan(['x', HEAD, TAIL, 'y']).redacted(), ['x', '[GITHUB_TOKEN]', '[GITHUB_TOKEN]', 'y']);
  for (const input of [
    [HEAD, 'and so', TAIL],
    [HEAD, TAIL.slice(1)],
    [HEAD, `${TAIL} `],
    [HEAD, 'é'.repeat(28)],
    ['ghp_', 'a', 'b', 'c', 'd', TAIL],
    { [HEAD]: TAIL },
  ])
    t.same(detector.scan(input).tags, [], JSON.stringify(input));
  t.same(createDetector({ disabledTags: ['GITHUB_TOKEN'] }).scan([HEAD, TAIL]).tags, []);
});

test('a token in two variables that follow one another is found', async (t) => {
  for (const text of [
    `A=${HEAD}; B=${TAIL}; curl -H "X: $A$B" https://x.example`,
    `export A="${HEAD}"\nexport B="${TAIL}"`,
    `const a = '${HEAD}';\nconst b = '${TAIL}';`,
  ])
    t.same(detector.scan({ text }).tags, ['CREDENTIALS', 'GITHUB_TOKEN'], text);
  for (const text of [`A=${HEAD}; B=it`, `A=${HEAD} B`, 'A=gh; B=it', `A=${HEAD}; B=${TAIL.slice(1)}`])
    t.same(detector.scan({ text }).tags, [], text);
});

test('addresses in words, glued account numbers and labels of two words are found', async (t) => {
  for (const [text, value] of [
    ['jane.doe at example dot com', 'jane.doe at example dot com'],
    ['please mail jane at example dot co dot uk', 'jane at example dot co dot uk'],
    ['jane.doe{at}example{dot}com', 'jane.doe{at}example{dot}com'],
    ['ibanDE89370400440532013000', 'DE89370400440532013000'],
    ['iban_DE89370400440532013000', 'DE89370400440532013000'],
    ['DE89_3704_0044_0532_0130_00', 'DE89_3704_0044_0532_0130_00'],
    ['the pass phrase is "Tr0ub4dor&3xQ"', 'Tr0ub4dor&3xQ'],
    ['<b>Password</b>: <code>Tr0ub4dor&3xQ</code>', 'Tr0ub4dor&3xQ'],
  ] as const)
    t.same(
      [...detector.scan({ text }).values()].map(([found]) => found),
      [value],
      text,
    );
  for (const text of [
    'look at amazon dot com',
    'jane.doe at example dot 9',
    'put the dot . and the dot back',
    'a dot b',
    'at dot com',
    'ibanDE89370400440532013001',
  ])
    t.same(detector.scan({ text }).tags, [], text);
});
