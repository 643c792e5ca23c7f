import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseExactly } from '../../src/console/data/api.ts';
import { connections } from '../../src/console/data/connections.ts';
import { decidingViolation } from '../../src/console/data/policies/deciding-violation.ts';
import { copyAsTest, lineOfRule } from '../../src/console/data/policies/policies.ts';
import {
  argumentChanges,
  argumentsOf,
  argumentText,
  differencesOf,
  markedParts,
} from '../../src/console/data/reviews/arguments.ts';
import { flowOf } from '../../src/console/data/timeline.ts';
import { visibleParts, visibleText } from '../../src/console/data/visible-text.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import type { Evaluation } from '../../src/schemas/evaluations.ts';
import { root } from '../helpers/process.ts';

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
  t.equal(decidingViolation([watched], 'ALLOW'), undefined, 'what only monitors is no reason');
});

t.test('arguments are taken apart to their values, those that matter most first', async (t) => {
  const found = argumentsOf({
    tool: 'pay',
    items: [{ price: 2, sku: 'a/b' }],
    to: ['ada@example.com'],
    none: {},
    note: 'x',
    amount: '12',
  });
  t.strictSame(
    found.map(({ name, pointer, kind, value }) => [name, pointer, kind, argumentText(value)]),
    [
      ['to[0]', '/to/0', 'recipient', 'ada@example.com'],
      ['items[0].price', '/items/0/price', 'amount', '2'],
      ['amount', '/amount', 'amount', '"12"'],
      ['note', '/note', 'text', 'x'],
      ['tool', '/tool', 'other', 'pay'],
      ['items[0].sku', '/items/0/sku', 'other', 'a/b'],
      ['none', '/none', 'other', '{}'],
    ],
  );
  const { before, gone } = argumentChanges(found, argumentsOf({ tool: 'pay', note: 'y', old: 1 }));
  t.strictSame([before.get('/note')?.value, before.get('/amount'), before.has('/tool')], ['y', null, false]);
  t.strictSame(
    gone.map(({ name }) => name),
    ['old'],
  );
  const { same, different } = differencesOf([argumentsOf({ a: 1, b: 1 }), argumentsOf({ a: 1, b: 2, c: 3 })]);
  t.strictSame(same.map(({ name }) => name).join(), 'a');
  t.strictSame(
    different.map((one) => one.map(({ name, value }) => `${name} ${value}`)),
    [['b 1'], ['b 2', 'c 3']],
  );
});

t.test('numbers that a double cannot hold are shown as they were sent', (t) => {
  const text =
    '{"account":9007199254740993,"rate":0.1234567890123456789,"plain":[1.5,12345678901234567000],"word":"90071992547409931"}';
  const input = parseExactly(text) as Record<string, unknown>;
  const shown = Object.fromEntries(argumentsOf(input).map(({ name, value }) => [name, argumentText(value)]));
  t.strictSame(shown, {
    account: '9007199254740993',
    rate: '0.1234567890123456789',
    'plain[0]': '1.5',
    'plain[1]': '12345678901234567000',
    word: '"90071992547409931"',
  });
  t.equal(JSON.stringify(input), text);
  const { before } = argumentChanges(
    argumentsOf(input),
    argumentsOf(parseExactly(text.replace('993', '992')) as Record<string, unknown>),
  );
  t.strictSame([...before.keys()], ['/account']);
  t.strictSame(parseExactly('[1e21, 1]'), [1e21, 1]);
  t.end();
});

t.test('data that was found is marked where it is, and not in a text that was masked since', async (t) => {
  const place = { type: 'EMAIL_ADDRESS', path: '/to', start: 3, end: 8 };
  t.strictSame(markedParts('to a@b.c now', [place]), [
    { text: 'to ', types: [] },
    { text: 'a@b.c', types: ['EMAIL_ADDRESS'] },
    { text: ' now', types: [] },
  ]);
  t.strictSame(markedParts('to [EMAIL_ADDRESS] now', [place]), [
    { text: 'to [EMAIL_ADDRESS] now', types: [] },
  ]);
  t.strictSame(markedParts('to', [place]), [{ text: 'to', types: [] }]);
});

t.test('the line of a rule is found in every form of a document', async (t) => {
  const yaml =
    'tests:\n  - { id: a }\nrules:\n  - id: "a-b"\n  - { id: a, when: x }\n  - name: n\n    id: c # last\n';
  t.strictSame(
    ['a', 'a-b', 'c', 'no', ''].map((id) => lineOfRule(yaml, id)),
    [4, 3, 6, -1, -1],
  );
  t.equal(lineOfRule('{\n "rules": [\n {"when": "x", "id": "a"}]}', 'a'), 2);
});

t.test('every agent of the docs can be connected, with lines that its page has', async (t) => {
  const docs = join(root, 'docs');
  const agents = readdirSync(join(docs, 'agents')).filter((file) => file !== 'README.md');
  for (const file of agents) {
    const page = `agents/${file.replace('.md', '')}`;
    const found = connections.find(({ doc }) => doc === page);
    if (!found) throw new Error(`no lines for ${page}`);
    const text = readFileSync(join(docs, `${page}.md`), 'utf8');
    const lines = found.lines('https://assize.example.com', 'asz_KEY');
    t.match(lines, 'https://assize.example.com');
    t.match(lines, 'asz_KEY');
    const own = lines.split('\n').filter((line) => /assize hook|assize-client\//.test(line));
    t.ok(own.length > 0 && own.every((line) => text.includes(line)), `${page}: ${own.join()}`);
  }
});
