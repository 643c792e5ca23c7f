import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { provePolicies } from '../../src/cli/prove/prove.ts';
import { intervals } from '../../src/cli/prove/solver.ts';

const folder = t.testdir();
const file = (name: string, body: string): string => {
  const path = join(folder, name);
  writeFileSync(path, `schemaVersion: 1\nname: p\n${body}`);
  return path;
};
async function prove(files: string[], options: Partial<Parameters<typeof provePolicies>[1]> = {}) {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const code = await provePolicies(files, { intervals: true, write, ...options });
  return { code, output: output.replaceAll(`${folder}/`, '') };
}

const limited = (most: number) => `rules:
  - { id: refunds, tool: refund, effect: BLOCK, when: 'session.toolCounts[?"refund"].orValue(0) >= ${most}' }
`;
const properties = `properties:
  - { name: at most three refunds, holds: 'session.toolCounts[?"refund"].orValue(0) <= 3' }
  - { name: no fourth refund, when: 'session.toolCounts[?"refund"].orValue(0) > 2', tool: refund, holds: 'decision.enforcementAction == "BLOCK"' }
`;

t.test('properties that hold are proved, and the exit code is 0', async (t) => {
  const path = file('three.yaml', limited(3) + properties);
  t.same(await prove([path]), {
    code: 0,
    output: 'three.yaml: "at most three refunds": proved\nthree.yaml: "no fourth refund": proved\n',
  });
});

t.test('a property that does not hold is shown by what the engine did, and the exit code is 1', async (t) => {
  const path = file('five.yaml', limited(5) + properties);
  t.same(await prove([path]), {
    code: 1,
    output: [
      'five.yaml: "at most three refunds": violated in a new session after this step',
      '  {"times":4,"tool":"refund","input":{}}',
      'five.yaml: "no fourth refund": violated: ALLOW for',
      '  given: {"tool":"refund","session":{"toolCounts":{"refund":3}}}',
      '',
    ].join('\n'),
  });
});

t.test('what cannot be decided is said, and is an exit code only where that is asked for', async (t) => {
  const path = file(
    'unknown.yaml',
    `rules:
  - { id: removes, effect: BLOCK, when: 'commands(tool).exists(c, c.program == "rm")' }
properties:
  - { name: no rm, when: 'tool == "rm"', holds: 'decision.enforcementAction == "BLOCK"' }
  - { name: few warnings, holds: session.warningCount <= 2 }
`,
  );
  const { code, output } = await prove([path]);
  t.equal(code, 0);
  t.match(
    output,
    'unknown.yaml: "no rm": unknown: not modelled: `commands(tool).exists(c, c.program == "rm")`',
  );
  t.match(output, 'in a session that may never come about');
  t.equal((await prove([path], { strict: true })).code, 2);
});

t.test('a draft is compared with the version before', async (t) => {
  const [before, draft] = [file('before.yaml', limited(3)), file('draft.yaml', limited(5))];
  t.same(await prove([draft], { against: before }), {
    code: 0,
    output:
      'draft.yaml: is laxer than before\n  BLOCK before, ALLOW now: given: {"tool":"refund","session":{"toolCounts":{"refund":3}}}\n',
  });
  t.match(await prove([before], { against: before }), {
    output: 'before.yaml: decides every action as before\n',
  });
  await t.rejects(prove([before, draft], { against: before }), { message: /--against compares one policy/ });
});

t.test('rules that add nothing are named, and files that cannot be proved are refused', async (t) => {
  const path = file(
    'covered.yaml',
    `rules:
  - { id: a, effect: WARN, when: 'tool == "a"' }
  - { id: b, effect: BLOCK, when: 'tool in ["a", "b"]' }
`,
  );
  t.match(await prove([path]), {
    code: 0,
    output: 'covered.yaml:4:5: warning: rules[0]: adds nothing to rules[1] ("b"), which is stricter',
  });
  await t.rejects(prove([file('wrong.yaml', 'rules:\n  - { id: a, effect: BLOCK, when: toll == "a" }\n')]), {
    message: /unknown variable "toll"; assize policies check .* lists all mistakes/,
  });
  const misspelt = `rules:\n  - { id: a, effect: WARN, when: 'tool == "a"', labels: [A] }\nproperties:\n  - { name: q, holds: '!("A" in session.labels)' }\n`;
  await t.rejects(prove([file('misspelt.yaml', misspelt)]), { message: /unknown key "labels"/ });
  const { output } = await prove([path], { json: true });
  t.match(JSON.parse(output), {
    solver: intervals.name,
    files: [{ rules: [{ code: 'shadowed' }], comparison: null }],
  });
});
