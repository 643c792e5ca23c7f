// also on PostgreSQL

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startApp, temporaryFolder } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';
import { rule } from '../helpers/policies.ts';

t.test('replay says which verdicts would change, and why', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
  const policyId = await app.policy(id, rule('tool == "shell"', 'BLOCK'));
  for (const tool of ['shell', 'search']) await app.call(key, 'POST', '/v1/evaluate', { input: { tool } });
  const file = join(temporaryFolder(t), 'candidate.yaml');
  writeFileSync(file, rule('tool == "search"', 'WARN'));
  const at = ['--database', app.database];
  const tried = await run(['replay', file, '--policy', policyId, ...at]);
  t.equal(tried.code, 0, tried.err);
  t.match(tried.out, /\tsearch\tALLOW -> WARN\t/);
  t.match(tried.out, /\tshell\tBLOCK -> ALLOW\t/);
  t.match(tried.out, /2 evaluations in [\d.]+ s: 2 change \(1 stricter, 1 looser\)\./);
  t.match(tried.out, /Violations not found any more: 1 NEW\./);
  const unbound = await run(['replay', '--unbind', policyId, '--tool', 'shell', '--json', ...at]);
  const lines = unbound.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(lines.at(-1), { type: 'result', evaluations: 1, changed: 1, looser: 1 });
  t.equal((await run(['replay', '/nowhere.yaml', ...at])).code, 2);
});

t.test('two policies of one name are told apart by their ids', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
  const policies = [
    await app.policy(id, rule('tool == "shell"', 'WARN')),
    await app.policy(id, rule('tool == "shell"', 'BLOCK')),
  ];
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'shell' } });
  const { out } = await run(['replay', '--unbind', policies[0] as string, '--database', app.database]);
  for (const one of policies) t.match(out, new RegExp(`^\\S+ \\(${one}\\)/\\S+: 1 before`, 'm'));
});
