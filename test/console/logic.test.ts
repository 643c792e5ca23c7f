import t from 'tap';
import { decidingViolation } from '../../src/console/data/deciding-violation.ts';
import { flowOf } from '../../src/console/data/flow.ts';
import { copyAsTest } from '../../src/console/data/policy-test.ts';
import { visibleParts, visibleText } from '../../src/console/data/visible-text.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import type { Evaluation } from '../../src/schemas/evaluations.ts';

t.test('what would be invisible or move other text is written out', async (t) => {
  t.strictSame(visibleParts('a\u202eb'), [
    { text: 'a', isMark: false },
    { text: 'U+202E', isMark: true },
    { text: 'b', isMark: false },
  ]);
  for (const hidden of [
    '\0',
    '\x1b',
    '\x7f',
    '\u200b',
    '\u200d',
    '\u2066',
    '\ufeff',
    '\u2028',
    '\u00a0',
    '\ud800',
    '\u{e0041}',
    '\ufe0f',
    '\u3164',
  ]) {
    const code = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    t.equal(visibleText(`x${hidden}y`), `x⟨U+${code}⟩y`);
  }
  for (const plain of ['', 'Grüße, 世界 – “ok”\n\tx', 'עברית', '😀', '<b>&amp;']) {
    t.equal(visibleText(plain), plain);
  }
});

const evaluation = {
  evaluationRunId: 'e1',
  phase: 'ACTION',
  seq: 2,
  tool: 'db."x"',
  targetKey: 'k: v\n- y',
  input: { tool: 'db."x"', note: '# no comment' },
  dataTags: ['PII'],
  outcome: 'DENY',
  enforcementAction: 'BLOCK',
  severity: 'HIGH',
  violations: [
    { ruleId: 'r1', mode: 'ENFORCE' },
    { ruleId: 'r2', mode: 'MONITOR' },
  ],
} as unknown as Evaluation;

t.test(
  'an evaluation copied as a test is YAML that the policy checker reads, whatever an agent sent',
  async (t) => {
    const document = `schemaVersion: 1\nname: p\nrules:\n  - { id: r1, when: 'tool == "db.\\"x\\""', effect: BLOCK, severity: HIGH }\ntests:\n${copyAsTest(evaluation)}`;
    const { issues, tests } = checkPolicyDocument(document);
    t.strictSame(issues, []);
    t.match(tests, [{ name: 'db."x": BLOCK', passed: true }]);
  },
);

t.test('a kind of data flows from the action that first contained it', async (t) => {
  const of = (seq: number, dataTags: string[], phase = 'ACTION') =>
    ({ ...evaluation, evaluationRunId: String(seq), seq, dataTags, phase }) as unknown as Parameters<
      typeof flowOf
    >[0][number];
  const { steps, lanes } = flowOf([
    of(1, []),
    of(2, ['PII', 'EMAIL_ADDRESS']),
    of(9, ['PHI'], 'RESULT'),
    of(3, ['PII']),
  ]);
  t.strictSame(
    steps.map(({ seq }) => seq),
    [1, 2, 3],
  );
  t.strictSame(lanes, [
    { tag: 'PII', from: 1, at: [1, 2] },
    { tag: 'EMAIL_ADDRESS', from: 1, at: [1] },
  ]);
});

t.test('a list names the rule that decided', async (t) => {
  const warned = { mode: 'ENFORCE', enforcementAction: 'WARN' } as const;
  const watched = { mode: 'MONITOR', enforcementAction: 'BLOCK' } as const;
  const blocked = { mode: 'ENFORCE', enforcementAction: 'BLOCK' } as const;
  t.equal(decidingViolation([warned, watched, blocked], 'BLOCK'), blocked);
  t.equal(decidingViolation([warned, watched], 'BLOCK'), warned, 'what a floor raised');
  t.equal(decidingViolation([], 'ALLOW'), undefined);
});
