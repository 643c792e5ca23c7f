import t from 'tap';
import { check, compile, createBudget, types, Unknown } from '../../src/cel/index.ts';
import { environment, paramsOf } from '../../src/policy/environment.ts';
import { DecisionBudget } from '../../src/policy/seen.ts';
import { decideFor, findings, policy, rule, rules } from './policy-fixtures.ts';

const env = environment(paramsOf(undefined, null), types.dyn);
function run(source: string, variables: object, budget = createBudget()): unknown {
  const checked = check(source, env);
  if (!checked.ok) throw new Error(checked.issues.map(({ message }) => message).join());
  return compile(checked.expression).run(variables, budget);
}
const noSightings = { find: () => [] };

t.test('a rule reads the commands of an argument', async (t) => {
  const strict = policy(
    rules(
      rule(
        'deletes',
        `commands(arguments.command).exists(c, c.program == 'rm' && 'r' in c.flags && '/' in c.operands)`,
        'effect: BLOCK',
      ),
    ),
  );
  const on = (command: unknown) =>
    findings(decideFor([strict], { tool: 'Bash', input: { tool: 'Bash', arguments: { command } } }));
  t.same(on('sudo bash -c "rm -rf /"'), ['deletes BLOCK MEDIUM deletes']);
  t.same(on(['bash', '-lc', 'rm -r -f /']), ['deletes BLOCK MEDIUM deletes']);
  t.same(on('rm -rf build'), []);
  t.same(on(7), ['deletes BLOCK MEDIUM rule_error'], 'neither a text nor a list');
  t.same(
    findings(decideFor([strict], { tool: 'Bash', input: { tool: 'Bash', arguments: {} } })),
    ['deletes BLOCK MEDIUM rule_error'],
    'no command at all',
  );
});

t.test('fields of a command are typed', async (t) => {
  const mistakes = (source: string) => {
    const checked = check(source, env);
    return checked.ok ? [] : checked.issues.map(({ message }) => message);
  };
  t.match(mistakes('commands("x").exists(c, c.programm == "rm")'), [/programm/]);
  t.match(mistakes('commands("x")[0].program == 1'), [/string/]);
  t.match(mistakes('commands(7)'), [/commands\(string\)/]);
  for (const field of ['args', 'flags', 'operands', 'wrappers', 'pipedFrom'])
    t.same(mistakes(`commands("x").all(c, c.${field}.all(one, one == ""))`), [], field);
  t.same(mistakes('commands("x").all(c, c.isOpaque || c.substituted || c.path == c.env["A"])'), []);
  t.same(mistakes('commands("x").all(c, c.redirects.all(r, r.append && r.to == r.from))'), []);
});

t.test('what is unknown stays unknown', async (t) => {
  const unknown = new Unknown('not kept');
  t.equal(run('commands(arguments.command).size()', { arguments: { command: unknown } }), unknown);
  t.equal(run('commands(arguments.command).size()', { arguments: { command: ['rm', unknown] } }), unknown);
  t.equal(run('size(paths(arguments))', { arguments: { path: unknown } }), unknown);
});

t.test('a text is read once for all rules and policies, and each policy pays for it', async (t) => {
  const text = 'rm -rf x && '.repeat(100).concat('ls');
  const budget = new DecisionBudget(1_000_000, noSightings);
  const source = 'commands(arguments.command).size()';
  const variables = { arguments: { command: text } };
  const cost = () => {
    const before = budget.left;
    t.equal(run(source, variables, budget), 101);
    return before - budget.left;
  };
  budget.policy = 1;
  const first = cost();
  t.ok(first > text.length * 4);
  t.ok(cost() < 100, 'another rule');
  budget.policy = 2;
  t.equal(cost(), first, 'another policy');
  t.equal(budget.commands.size, 1);
});

t.test('a text that is too long for the budget is an error', async (t) => {
  const { code } = run(
    'commands(arguments.command)',
    { arguments: { command: 'a;'.repeat(50_000) } },
    createBudget(10_000),
  ) as { code: string };
  t.equal(code, 'budget_spent');
});

t.test('the paths of every edit tool', async (t) => {
  const of = (args: object) => run('paths(arguments)', { arguments: args });
  t.strictSame(of({ file_path: '/a/../b.ts', content: '/not/one' }), ['/b.ts']);
  t.strictSame(of({ filePath: './a', old_string: 'x' }), ['a']);
  t.strictSame(of({ notebook_path: 'a.ipynb' }), ['a.ipynb']);
  t.strictSame(of({ command: 'create', path: '~/.bashrc', file_text: 'x' }), ['~/.bashrc']);
  t.strictSame(of({ edits: [{ file_path: 'a' }, { file_path: 'b' }] }), ['a', 'b']);
  t.strictSame(of({ target_file: 'a' }), ['a']);
  t.strictSame(of({ source: 'a', destination: '~/b' }), ['a', '~/b']);
  const patch =
    '*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: ../c\n@@\n*** Delete File: d\n*** End Patch';
  t.strictSame(of({ input: patch }), ['a', 'b', '../c', 'd']);
  t.strictSame(of({ command: ['apply_patch', patch] }), ['a', 'b', '../c', 'd']);
  t.strictSame(of({ patch: '--- a/x.ts\n+++ b/y.ts\n@@ -1 +1 @@\n' }), ['x.ts', 'y.ts']);
  t.strictSame(of({ operation: { type: 'update_file', path: '.claude/settings.json', diff: '' } }), [
    '.claude/settings.json',
  ]);
  t.strictSame(of({ changes: { 'src/a.ts': { update: {} } } }), ['src/a.ts']);
  let deep: object = { path: 'x' };
  for (let depth = 0; depth < 20; depth += 1) deep = { deep };
  t.match(of(deep), { code: 'invalid_argument' });
});
