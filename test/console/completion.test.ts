import t from 'tap';
import { specialMembers } from '../../src/cel/check/operators.ts';
import { globalFunctions, memberFunctions } from '../../src/cel/library/functions.ts';
import { macroNames } from '../../src/cel/parse/macros.ts';
import { completionsAt } from '../../src/console/pages/policy/completions.ts';
import {
  fields,
  functions,
  members,
  methods,
  values,
  variables,
} from '../../src/console/pages/policy/names.ts';
import { sessionFields, subjectNames } from '../../src/policy/environment.ts';
import { PolicyDocument } from '../../src/schemas/policy-documents.ts';

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

t.test('the editor completes every field of a document and of a rule, and each name once', async (t) => {
  const known = new Set(namesOf(fields));
  for (const name of Object.keys(PolicyDocument.properties)) t.ok(known.has(name), name);
  for (const list of [fields, variables, functions, methods, ...Object.values(members)]) {
    t.equal(new Set(namesOf(list)).size, list.length);
  }
  t.ok(values.length > 0);
});

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
    const found = completionsAt(before, policy, seen, isExplicit);
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
  t.ok(at('  - i')?.names.includes('id'));
  t.ok(at('    when: se')?.names.includes('session'));
  t.equal(at('    when: '), null, 'nothing is offered unasked');
});
