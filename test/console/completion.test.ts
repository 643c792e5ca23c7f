import t from 'tap';
import { specialMembers } from '../../src/cel/check/operators.ts';
import { globalFunctions, memberFunctions } from '../../src/cel/library/functions.ts';
import { macroNames } from '../../src/cel/parse/macros.ts';
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
