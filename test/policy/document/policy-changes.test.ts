import t from 'tap';
import { policyChanges } from '../../../src/policy/document/policy-changes.ts';

const document = (more: string, rules = '  - { id: r, when: input.n > 1, effect: WARN }') =>
  `schemaVersion: 1\nname: p\n${more}\nrules:\n${rules}\n`;
const plain = document('');

t.test('comments, layout and the order of rules are no difference', async (t) => {
  const two = (first: string, second: string) =>
    document(
      '',
      `  - { id: ${first}, when: "true", label: [X] }\n  - { id: ${second}, when: "true", label: [X] }`,
    );
  t.strictSame(policyChanges(plain, `# why\n${plain}`), []);
  t.strictSame(
    policyChanges(
      plain,
      JSON.stringify({
        name: 'p',
        schemaVersion: 1,
        rules: [{ id: 'r', effect: 'WARN', when: 'input.n > 1' }],
      }),
    ),
    [],
  );
  t.strictSame(
    policyChanges(two('a', 'b'), two('b', 'a')).filter(({ part }) => part === 'RULE'),
    [],
  );
});

const cases: Record<string, { before?: string; after: string; changes: object[] }> = {
  'a rule says something else': {
    after: document('', '  - { id: r, when: input.n > 2, effect: WARN, severity: HIGH }'),
    changes: [
      {
        part: 'RULE',
        name: 'r',
        change: 'CHANGED',
        before: { when: 'input.n > 1' },
        after: { when: 'input.n > 2', severity: 'HIGH' },
      },
    ],
  },
  'a rule is replaced': {
    after: document('', '  - { id: s, when: "true", effect: BLOCK }'),
    changes: [
      {
        part: 'RULE',
        name: 'r',
        change: 'REMOVED',
        before: { id: 'r', when: 'input.n > 1', effect: 'WARN' },
      },
      { part: 'RULE', name: 's', change: 'ADDED', after: { id: 's', when: 'true', effect: 'BLOCK' } },
    ],
  },
  'settings of all kinds': {
    before: document('mode: MONITOR\nseverityFloors: { LOW: WARN, HIGH: BLOCK }'),
    after: document('onError: WARN\nseverityFloors: { LOW: BLOCK, HIGH: BLOCK }'),
    changes: [
      { part: 'SETTING', name: 'mode', change: 'REMOVED', before: 'MONITOR' },
      {
        part: 'SETTING',
        name: 'severityFloors',
        change: 'CHANGED',
        before: { LOW: 'WARN' },
        after: { LOW: 'BLOCK' },
      },
      { part: 'SETTING', name: 'onError', change: 'ADDED', after: 'WARN' },
    ],
  },
  'named parts': {
    before: document('params: { most: 5 }\nvariables: { v: "true" }\ncounters: { calls: { over: session } }'),
    after: document('params: { most: 6 }\nvariables: { w: "true" }\ncounters: { calls: { over: entity } }'),
    changes: [
      { part: 'PARAM', name: 'most', change: 'CHANGED', before: 5, after: 6 },
      { part: 'VARIABLE', name: 'v', change: 'REMOVED', before: 'true' },
      { part: 'VARIABLE', name: 'w', change: 'ADDED', after: 'true' },
      {
        part: 'COUNTER',
        name: 'calls',
        change: 'CHANGED',
        before: { over: 'session' },
        after: { over: 'entity' },
      },
    ],
  },
  'an integer that a double cannot hold': {
    before: document('params: { id: 9007199254740993 }'),
    after: document('params: { id: 9007199254740992 }'),
    changes: [
      { part: 'PARAM', name: 'id', change: 'CHANGED', before: 9007199254740993n, after: 9007199254740992n },
    ],
  },
  'detectors and tests with the same name': {
    before: document(
      'tests:\n  - { name: x, given: {}, expect: {} }\n  - { name: x, given: { tool: a }, expect: {} }',
    ),
    after: document(
      'detectors: [{ tag: A, category: B, pattern: c }]\ntests:\n  - { name: x, given: {}, expect: {} }\n  - { name: x, given: { tool: b }, expect: {} }',
    ),
    changes: [
      { part: 'DETECTOR', name: 'A', change: 'ADDED', after: { tag: 'A', category: 'B', pattern: 'c' } },
      {
        part: 'TEST',
        name: 'x (2)',
        change: 'CHANGED',
        before: { given: { tool: 'a' } },
        after: { given: { tool: 'b' } },
      },
    ],
  },
  'a label, by the rules that put it': {
    before: document(
      '',
      '  - { id: a, when: "true", label: [X] }\n  - { id: b, when: "true", effect: WARN }',
    ),
    after: document(
      '',
      '  - { id: a, when: "true", label: [X] }\n  - { id: b, when: "true", effect: WARN, label: [X, Y] }',
    ),
    changes: [
      { part: 'RULE', name: 'b', change: 'CHANGED', before: {}, after: { label: ['X', 'Y'] } },
      { part: 'LABEL', name: 'X', change: 'CHANGED', before: ['a'], after: ['a', 'b'] },
      { part: 'LABEL', name: 'Y', change: 'ADDED', after: ['b'] },
    ],
  },
};
for (const [name, { before = plain, after, changes }] of Object.entries(cases)) {
  t.test(name, async (t) => t.strictSame(policyChanges(before, after), changes));
}

t.throws(() => policyChanges(plain, 'a: ['), /that were accepted/);
