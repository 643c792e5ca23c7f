import t from 'tap';
import { createBudget, defaultLimits, matches, type Pattern, preparePattern } from '../../src/cel/index.ts';
import { compilePattern } from '../../src/cel/regex.ts';

function prepared(source: string): Pattern {
  const result = compilePattern(source, defaultLimits);
  if (!result.ok) throw new Error(result.message);
  preparePattern(result.pattern);
  return result.pattern;
}

/** Texts of these pieces, in an order that no cache of states can know. */
function texts(pieces: readonly string[], count: number): string[] {
  let state = 12_345;
  const next = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % most;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join(''),
  );
}

const usual: readonly (readonly [string, readonly string[]])[] = [
  [
    '(?i)(^|[;&|(]\\s*|sudo\\s+)(rm\\s+(-[a-z]*\\s+)*-[a-z]*(rf|fr|r)[a-z]*\\s|mkfs)',
    ['rm ', '-', 'rf ', 'SUDO ', ';', 'mkfs', 'x', '\n'],
  ],
  [
    '(?i)\\bwhere\\s+(1\\s*=\\s*1|true)\\b|\\bor\\s+1\\s*=\\s*1\\b',
    ['where ', '1', '=', ' ', 'OR ', 'true', 'é', 'K'],
  ],
  ['(?m)^\\s*a.b$', ['a', 'b', ' ', '\n', '😀', 'é']],
  ['^(?:a|b)+\\B.\\b$', ['a', 'b', '_', ' ', '\n']],
  ['[^a-z]x|\\pLy', ['a', 'x', 'é', 'y', 'ж', '1', '\ud83d']],
  ['(?i)straße|k', ['STRA', 'ß', 'e', 'K', 'ſ', 's']],
];

t.test(
  'a pattern whose states are all there finds what it found before, and makes no more of them',
  async (t) => {
    for (const [source, pieces] of usual) {
      const samples = texts(pieces, 400);
      const result = compilePattern(`(?:${source})`, defaultLimits);
      const before = samples.map((text) => result.ok && result.pattern.machine.test(text));
      const pattern = prepared(source);
      t.equal(pattern.stepsEach, 1, source);
      const { dfa } = pattern.machine.re2();
      const states = dfa.stateCount;
      t.strictSame(
        samples.map((text) => matches(text, pattern, createBudget())),
        before,
      );
      t.ok(new Set(before).size === 2, 'some match, and some do not');
      t.equal(dfa.stateCount, states);
    }
  },
);

t.test('a test costs a step a character, whatever the pattern and other texts were like', async (t) => {
  const text = 'cat > a.ts <<EOF\n'.repeat(1_000);
  const pattern = prepared(usual[0]?.[0] as string);
  const spent = (): number => {
    const budget = createBudget();
    matches(text, pattern, budget);
    return createBudget().left - budget.left;
  };
  const first = spent();
  t.ok(first >= text.length && first < text.length + 100, `${first} steps`);
  for (const other of texts(['rm ', '-', 'rf ', 'sudo '], 100)) matches(other, pattern, createBudget());
  t.equal(spent(), first);
});

t.test(
  'a pattern with many states costs its instructions for each character, and little time to find that out',
  async (t) => {
    for (const source of ['(a|b)*a(a|b){18}[cd]', '[a-z]{1,70}x[0-9]{1,70}', '(?s).*a.{40}b']) {
      const pattern = prepared(source);
      t.equal(pattern.stepsEach, pattern.programSize, source);
      t.ok(pattern.machine.re2().dfa.stateCount < 1_500);
      t.equal(matches('x', pattern, createBudget()), false);
    }
  },
);
