import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { intervals, provePolicies } from '../../src/cli/prove/prove.ts';
import { adminKey, startApp } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';

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

t.test('an order of tools is proved, and is violated by the steps of a session', async (t) => {
  const order = (tested: string) =>
    file(
      'order.yaml',
      `rules:
  - { id: a, tool: ${tested}, effect: BLOCK, when: '!("build" in session.toolsUsed)' }
  - { id: b, tool: deploy, effect: BLOCK, when: '!("test" in session.toolsUsed)' }
properties:
  - { name: what is deployed was built, holds: '!("deploy" in session.toolsUsed) || "build" in session.toolsUsed' }
`,
    );
  t.same(await prove([order('test')]), {
    code: 0,
    output: 'order.yaml: "what is deployed was built": proved\n',
  });
  t.same(await prove([order('tests')]), {
    code: 1,
    output: [
      'order.yaml: "what is deployed was built": violated in a new session after these steps',
      '  {"tool":"test","input":{}}',
      '  {"tool":"deploy","input":{}}',
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
    files: [{ rules: [{ code: 'shadowed' }] }],
    together: null,
  });
});

const named = (name: string, body: string): string => `schemaVersion: 1\nname: ${name}\n${body}`;
const warns = (most: number) =>
  named(
    'warns',
    `params: { most: ${most} }
rules:
  - { id: many, effect: WARN, when: session.actionCount >= params.most }
properties:
  - { name: it ends at ten, when: session.actionCount >= 10, holds: decision.enforcementAction == "BLOCK" }
`,
  );
const ends = (most: number) =>
  named('ends', `rules:\n  - { id: end, effect: BLOCK, when: session.actionCount >= ${most} }\n`);
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

t.test('several policies are proved in the company of one another', async (t) => {
  const [first, second] = [write('warns.yaml', warns(12)), write('ends.yaml', ends(10))];
  t.match(await prove([first, second]), { code: 1 });
  t.same(await prove([first, second], { together: true }), {
    code: 0,
    output: [
      'warns.yaml:5:5: warning: rules[0]: never decides: the rule "end" of the policy "ends" is stricter whenever it matches',
      'warns.yaml: "it ends at ten": proved',
      'ends.yaml: no rule is superfluous; it has no properties',
      '',
    ].join('\n'),
  });
  const before = write('before.yaml', warns(11));
  t.match(await prove([first, second], { together: true, against: before }), {
    code: 0,
    output: /proved\ntogether: decides every action as before\n$/,
  });
  t.match(await prove([first], { together: true, against: before }), {
    output: /warns\.yaml: is laxer than before\n {2}WARN before, ALLOW now: .*"actionCount":11/,
  });
  const monitoring = write('monitoring.yaml', ends(10).replace('rules:', 'mode: MONITOR\nrules:'));
  t.match(await prove([first, monitoring], { together: true }), {
    code: 1,
    output: /violated.*\n.*\nmonitoring\.yaml: reports only \(MONITOR\), so it decides nothing\n$/,
  });
  t.match(await prove([monitoring, first], { together: true, json: true }), {
    output: /"mode": "MONITOR"/,
  });
  await t.rejects(prove([first, second], { together: true, against: file('other.yaml', limited(3)) }), {
    message: `--against ${join(folder, 'other.yaml')}: none of the files is a policy named "p"`,
  });
});

t.test('the policies in force for an integration are proved, with their params and modes', async (t) => {
  const app = await startApp(t);
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const ask = async (...args: string[]) => {
    const ran = await run(['policies', 'prove', '--intervals', ...args, '--url', url, '--key', adminKey]);
    return { ...ran, out: ran.out.replaceAll(`${folder}/`, '') };
  };
  const { id } = await app.integration();
  const first = await app.policy(id, warns(12));
  const second = await app.policy('none', ends(10));
  await app.call(adminKey, 'PUT', `/v1/house-policies/${second}`);
  const { body } = await app.call(adminKey, 'GET', `/v1/integrations/${id}`);
  const name: string = body.data.name;
  t.match(await ask('--integration', name), {
    code: 0,
    out: /^ends: no rule.*\nwarns:5:5: warning: rules\[0\]: never decides: the rule "end" of the policy "ends" .*\nwarns: "it ends at ten": proved\n$/,
  });
  // Neither the document nor the property changes; what the binding makes of them does.
  await app.call(adminKey, 'PUT', `/v1/integrations/${id}/policies/${first}`, { params: { most: 8 } });
  t.match(await ask('--integration', id), { out: /^ends: .*\nwarns: "it ends at ten": proved\n$/ });
  await app.call(adminKey, 'PUT', `/v1/house-policies/${second}`, { mode: 'MONITOR' });
  t.match(await ask('--integration', id), {
    code: 1,
    out: /^ends: reports only \(MONITOR\).*\nwarns: .* violated: WARN/,
  });
  await app.call(adminKey, 'PUT', `/v1/house-policies/${second}`, { mode: null });
  // A draft in the place of the policy of its name, by the terms of its binding.
  t.match(await ask(write('draft.yaml', ends(11)), '--integration', id), {
    code: 1,
    out: /^warns: .* violated: WARN for\n.*\ndraft\.yaml: is laxer than before\n {2}BLOCK before, WARN now: given: \{"session":\{"actionCount":10\}\}\n$/s,
  });
  t.match(
    await ask(
      write('new.yaml', named('new', 'rules:\n  - { id: a, tool: a, effect: BLOCK, when: "true" }\n')),
      '--integration',
      id,
    ),
    {
      code: 0,
      out: /new\.yaml: is stricter than before\n/,
    },
  );
  t.match(await ask(write('draft.yaml', ends(11)), '--integration', id, '--against', 'x.yaml'), { code: 2 });
  t.match(await ask('--integration', 'nobody'), { code: 1, err: /nobody/ });
  t.match(await ask(), { code: 2, err: /name a file, or give --integration/ });
});
