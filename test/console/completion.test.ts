import t from 'tap';
import { specialMembers } from '../../src/cel/check/operators.ts';
import { globalFunctions, memberFunctions } from '../../src/cel/library/functions.ts';
import { macroNames } from '../../src/cel/parse/macros.ts';
import { completionsAt } from '../../src/console/pages/policies/editor/completions.ts';
import {
  docAt,
  functions,
  members,
  methods,
  type SchemaNode,
  values,
  variables,
} from '../../src/console/pages/policies/editor/names.ts';
import { sessionFields, subjectNames } from '../../src/policy/environment.ts';
import { policySchema } from '../../src/schemas/policy-documents.ts';

const namesInOrder = (entries: readonly (readonly [string, string])[] = []): string[] =>
  entries.map(([name]) => name);
const namesOf = (entries: readonly (readonly [string, string])[] = []): string[] =>
  entries.map(([name]) => name).sort();

t.test('the editor completes every variable and function that the checker knows, and no other', async (t) => {
  t.strictSame(
    namesOf(variables),
    [...subjectNames, 'params', 'vars', 'lists', 'counters'].sort(),
    'variables',
  );
  t.strictSame(namesOf(members.session), [...sessionFields].sort(), 'session');
  const called = [
    ...globalFunctions.keys(),
    'has',
    'cel.bind',
    'seen',
    'severityRank',
    'commands',
    'paths',
    'normalPath',
  ];
  const offered = [
    ...namesOf(functions),
    ...Object.entries(members).flatMap(([owner, entries]) =>
      namesOf(entries).map((name) => `${owner}.${name}`),
    ),
  ];
  for (const name of called) t.ok(offered.includes(name), name);
  for (const name of namesOf(functions)) t.ok(called.includes(name), name);
  const macros = macroNames.filter((name) => name !== 'has' && name !== 'cel.bind');
  t.strictSame(
    namesOf(methods),
    [...new Set([...memberFunctions.keys(), ...Object.keys(specialMembers), ...macros])].sort(),
    'methods',
  );
});

t.test('the editor says each name once', async (t) => {
  for (const list of [variables, functions, methods, ...Object.values(members)]) {
    t.equal(new Set(namesOf(list)).size, list.length);
  }
  t.ok(values.length > 0);
});

const schema = policySchema as unknown as SchemaNode;

const policy = `schemaVersion: 1
params: { limit: 5, most: 3 }
counters:
  paid: { over: session, add: input.amount }
variables:
  spent: counters.paid
rules:
  - id: a
    label: [SENSITIVE]
`;
const seen = { tools: ['email.send', 'pay'], tags: ['PII'], lists: ['partner_domains'] };

t.test('the editor offers what fits where the cursor is', async (t) => {
  const at = (before: string, isExplicit = false) => {
    const lines = `${policy}${before}`.split('\n');
    const place = { lines, line: lines.length - 1, column: before.length };
    const found = completionsAt(place, seen, schema, isExplicit);
    return found && { length: found.length, names: found.entries.map(([name]) => name) };
  };
  const cases: [before: string, length: number, names: string[]][] = [
    ['    when: params.', 0, ['limit', 'most']],
    ['    when: counters.p', 1, ['paid']],
    ['    when: vars.', 0, ['spent']],
    ['    when: lists.', 0, ['partner_domains', 'range']],
    ['    when: tool == "em', 2, seen.tools],
    ['    when: x && tool in ["pay", "email.s', 7, seen.tools],
    ['    tool: ', 0, seen.tools],
    ['    tool: [pay, ema', 3, seen.tools],
    ['    given: { tool: p', 1, seen.tools],
    ['    when: "P', 1, ['PII', 'SENSITIVE']],
    ['    when: tool == "pay" && "', 0, ['PII', 'SENSITIVE']],
    ['    effect: B', 1, ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK']],
    ['    severity: ', 0, ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']],
    ['    on: [ACTION, R', 1, ['ACTION', 'PROMPT', 'RESULT']],
  ];
  for (const [before, length, names] of cases) t.strictSame(at(before, true), { length, names }, before);
  t.strictSame(at('    when: session.')?.names, namesInOrder(members.session), 'members, and no method');
  t.ok(at('    when: tool.st')?.names.includes('startsWith'), 'methods of any other value');
  const fieldsOf = (node: SchemaNode = {}) => Object.keys(node.properties ?? {});
  const { rules, tests, counters } = schema.properties ?? {};
  t.strictSame(at('  - i')?.names, fieldsOf(rules?.items), 'fields of a rule');
  t.strictSame(at('    e')?.names, fieldsOf(rules?.items), 'in its second line');
  t.strictSame(at('r')?.names, fieldsOf(schema), 'fields of the document');
  t.strictSame(at('    approval:\n      q')?.names, fieldsOf(rules?.items?.properties?.approval));
  t.strictSame(at('tests:\n  - given: { tool: pay, ses')?.names, fieldsOf(tests?.items?.properties?.given));
  const counter = Object.values(counters?.patternProperties ?? {})[0];
  t.strictSame(at('counters:\n  paid:\n    o')?.names, fieldsOf(counter), 'fields of a counter');
  t.ok(at('    when: se')?.names.includes('session'));
  t.equal(at('    when: '), null, 'nothing is offered unasked');
  t.ok(at('    message: "{{se')?.names.includes('session'));
  for (const text of ['    id: se', '    message: "se', '    description: session.a', 'name: x.t'])
    t.equal(at(text), null, `${text} is no expression`);
  t.ok(at('    when: >\n      x &&\n      se')?.names.includes('session'), 'in the lines of a text');
});

const documented = `schemaVersion: 1
mode: MONITOR
# session.labels in a comment
rules:
  - id: session
    when: |
      session.labels.exists(one, one == "PII") && size(input.to) > 3
    approval: { quorum: 2 }
    effect: BLOCK
tests:
  - name: session
    given: { tool: pay }
`;

t.test('the editor says what the name under the mouse means', async (t) => {
  const lines = documented.split('\n');
  const cases: [line: string, name: string, says: string | undefined][] = [
    ['mode:', 'mode', schema.properties?.mode?.description],
    ['mode:', 'MONITOR', 'findings are recorded, and the action proceeds'],
    ['in a comment', 'labels', undefined],
    ['- id: session', 'id', schema.properties?.rules?.items?.properties?.id?.description],
    ['- id: session', 'session', undefined],
    ['exists', 'session', 'what happened before in this session'],
    ['exists', 'labels', 'list of texts that rules have given'],
    ['exists', 'exists', 'list.exists(x, condition)'],
    ['exists', 'size', 'size(text, list or map)'],
    ['exists', 'one', undefined],
    ['quorum', 'quorum', 'operators who must approve; default: 1'],
    ['effect:', 'BLOCK', 'the action must not happen'],
    ['- name: session', 'session', undefined],
    ['given', 'tool', undefined],
  ];
  for (const [marker, name, says] of cases) {
    const line = lines.findIndex((text) => text.includes(marker));
    const column = (lines[line] ?? '').indexOf(name);
    t.equal(docAt({ lines, line, column: column + 1 }, schema)?.text, says, `${name} in ${lines[line]}`);
  }
});
