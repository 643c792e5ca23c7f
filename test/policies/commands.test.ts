import { readFileSync } from 'node:fs';
import t from 'tap';
import { wholeCheck } from '../../src/features/policies/check-job.ts';
import { compilePolicy } from '../../src/policy/compile-policy.ts';
import { decide } from '../../src/policy/decide.ts';
import { checkPolicyDocument } from '../../src/policy/document/check-policy-document.ts';
import { testSubject } from '../../src/policy/document/test-subject.ts';
import type { Decision } from '../../src/policy/subject.ts';
import type { PolicyDocument } from '../../src/schemas/policy-documents.ts';

// What the pack code-agents says of command lines: commands/dangerous.tsv and commands/ordinary.txt, where ⏎ is the end of a line and `["a","b"]`
// a list of words.

const source = readFileSync(new URL('../../policies/packs/code-agents.yaml', import.meta.url), 'utf8');
const { document } = checkPolicyDocument(source, wholeCheck);
const pack = compilePolicy(document as PolicyDocument, { policyId: 'p', policyVersion: 1 });

const readLines = (name: string): string[] =>
  readFileSync(new URL(`commands/${name}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
const textOf = (line: string): string => line.replaceAll('⏎', '\n');
const dangerous = readLines('dangerous.tsv').map((line) => {
  const [expected = '', said = ''] = line.split('\t');
  return { expected, said };
});
const ordinary = readLines('ordinary.txt');

const decideCall = (tool: string, args: Record<string, unknown>): Decision =>
  decide([pack], testSubject({ tool, input: { tool, arguments: args } }, []));

function decideLine(said: string): Decision {
  return decideCall('Bash', { command: said.startsWith('["') ? JSON.parse(said) : textOf(said) });
}

const shortly = ({ enforcementAction }: Decision) =>
  enforcementAction === 'APPROVAL_REQUIRED' ? 'HELD' : enforcementAction;
const rulesOf = ({ violations }: Decision) => violations.map(({ ruleId }) => ruleId).join(' ');
const failed = ({ violations }: Decision) => violations.some(({ reason }) => reason === 'rule_error');

t.test('dangerous lines are blocked or held, in every spelling', async (t) => {
  t.ok(dangerous.length >= 500);
  for (const { expected, said } of dangerous) {
    const decision = decideLine(said);
    t.equal(shortly(decision), expected, `${said}: ${rulesOf(decision)}`);
    t.notOk(failed(decision), `${said}: no rule failed`);
  }
});

t.test('ordinary lines of development pass', async (t) => {
  t.ok(ordinary.length >= 700);
  for (const said of ordinary) {
    const decision = decideLine(said);
    t.equal(shortly(decision), 'ALLOW', `${said}: ${rulesOf(decision)}`);
  }
});

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const doubled = (text: string): string => `"${text.replace(/[\\"$`]/g, '\\$&')}"`;

/** Ways to run a line as a part of another one. */
const wrappings: Record<string, (line: string) => string> = {
  'bash -c': (line) => `bash -c ${quoted(line)}`,
  'sh -c in double quotes': (line) => `sh -c ${doubled(line)}`,
  'two shells': (line) => `bash -c ${quoted(`zsh -lc ${doubled(line)}`)}`,
  eval: (line) => `eval ${quoted(line)}`,
  subshell: (line) => `(${line}\n)`,
  group: (line) => `true && { ${line}\n}`,
  'second line': (line) => `cd src\n${line}`,
  'after &&': (line) => `npm test && ${line}`,
  'after ;': (line) => `echo ok;${line}`,
  background: (line) => `sleep 1 & ${line}`,
  substitution: (line) => `echo "$(${line}\n)"`,
  condition: (line) => `if test -d x; then :; else ${line}\nfi`,
  loop: (line) => `for i in 1 2; do ${line}\ndone`,
  function: (line) => `f() { ${line}\n}; f`,
  'sudo bash': (line) => `sudo -n bash -c ${quoted(line)}`,
  'env -S': (line) => `env -S ${quoted(`bash -c ${quoted(line)}`)}`,
  timeout: (line) => `timeout 5 bash -c ${quoted(line)}`,
  'find -exec': (line) => `find . -exec sh -c ${quoted(line)} \\;`,
  xargs: (line) => `echo x | xargs sh -c ${quoted(line)}`,
  ssh: (line) => `ssh host ${quoted(line)}`,
  'docker exec': (line) => `docker exec web sh -c ${quoted(line)}`,
  'here document': (line) => `bash <<'END'\n${line}\nEND`,
  'echo into a shell': (line) => `echo ${quoted(line)} | sh`,
};

/** Of a long list, every fourth: others than of the list before, so that four lists have all of them. */
const fourthOf = <Item>(items: readonly Item[], list: number): Item[] =>
  items.filter((_, index) => index % 4 === list % 4);

t.test('a wrapper around a dangerous line changes nothing', async (t) => {
  for (const [index, [name, wrap]] of Object.entries(wrappings).entries())
    for (const { said } of fourthOf(dangerous, index)) {
      if (said.startsWith('["') || /<<(?!<)/.test(said)) continue;
      const line = wrap(textOf(said));
      if (shortly(decideCall('Bash', { command: line })) === 'ALLOW')
        t.fail(`${name}: ${JSON.stringify(line)}`);
    }
});

t.test('the tool and the form of the command change nothing', async (t) => {
  const forms: readonly ((line: string) => Decision)[] = [
    (line) => decideCall('exec_command', { cmd: line }),
    (line) => decideCall('shell', { command: ['bash', '-lc', line] }),
    (line) => decideCall('shell', { commands: ['true', line] }),
    (line) => decideCall('run_terminal_cmd', { command: line, is_background: false }),
    (line) => decideCall('mcp__desktop__execute_command', { command: line }),
  ];
  for (const [index, form] of forms.entries()) {
    for (const { said } of fourthOf(dangerous, index))
      if (!said.startsWith('["') && shortly(form(textOf(said))) === 'ALLOW') t.fail(said);
    for (const said of fourthOf(ordinary, index)) {
      if (said.startsWith('["')) continue;
      const decision = form(textOf(said));
      if (shortly(decision) !== 'ALLOW') t.fail(`${said}: ${rulesOf(decision)}`);
    }
  }
});

t.test('a command of 4,000 characters fits the budget', async (t) => {
  const long = `${"npm run test -- --filter 'a b' src/lib/file.ts && ".repeat(80)}npm test`;
  t.ok(long.length > 4_000);
  const decision = decideCall('Bash', { command: long });
  t.equal(shortly(decision), 'ALLOW', rulesOf(decision));
});
