import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { adminKey, startApp, temporaryFolder } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';
import { rule } from '../helpers/policies.ts';

t.test('a policy file alone decides, with its own session and no record', async (t) => {
  const file = join(temporaryFolder(t), 'policy.yaml');
  writeFileSync(file, rule('session.toolCounts[?tool].orValue(0) >= 2', 'BLOCK'));
  const input = '{"tool":"x","text":"ada@example.com"}';
  const { code, out } = await run(['evaluate', input, input, input, '--policy', file, '--json']);
  t.equal(code, 0);
  t.match(JSON.parse(out), [
    { enforcementAction: 'ALLOW', dataTags: ['PII', 'EMAIL_ADDRESS'] },
    { enforcementAction: 'ALLOW' },
    { enforcementAction: 'BLOCK', outcome: 'DENY', violations: [{ ruleId: 'the-rule' }] },
  ]);
  t.match(await run(['evaluate', input, '--policy', file]), { code: 0, out: /^DECISION\tALLOW\n/ });
  t.equal((await run(['evaluate', input, input, input, '--policy', file, '--fail'])).code, 1);
  t.equal((await run(['evaluate', input, '--policy', file, '--fail'])).code, 0);
});

t.test('several policies decide together, enforced whatever their mode', async (t) => {
  const folder = temporaryFolder(t);
  const [first, second] = [join(folder, 'first.yaml'), join(folder, 'second.yaml')];
  writeFileSync(first, rule('tool == "x"', 'WARN'));
  writeFileSync(second, rule('tool == "x"', 'BLOCK').replace('name:', 'mode: MONITOR\nname:'));
  const { out } = await run(['evaluate', '{"tool":"x"}', '--policy', first, second]);
  t.match(out, /^DECISION\tBLOCK\n/);
});

t.test('bad input says what would be right', async (t) => {
  const file = join(temporaryFolder(t), 'policy.yaml');
  writeFileSync(file, 'schemaVersion: 1\nname: bad\nrules: [{ id: a, when: tol == "x", effect: WARN }]\n');
  for (const [args, code, message] of [
    [['{tool}'], 2, /^assize: the input is not JSON, such as '\{"tool":"shell"\}': \{tool\}\n$/],
    [['[]'], 2, /must be a JSON object/],
    [['{}'], 2, /needs the key of an integration \(asz_live_…\) in ASSIZE_KEY, or --policy FILE/],
    [
      ['{}', '--url', 'http://127.0.0.1:1'],
      2,
      /wants the key of an integration \(asz_live_…\): set ASSIZE_KEY/,
    ],
    [['{}', '--policy', file], 1, /policy\.yaml:3:\d+: .*unknown variable "tol"/],
    [['{}', '--policy', `${file}.not`], 2, /there is no such file/],
    [['{}', '--policy', file, '--session', 'x'], 2, /--session goes with a server/],
  ] as const)
    t.match(await run(['evaluate', ...args]), { code, out: '', err: message });
});

t.test('a server decides by the key of an integration, in one session', async (t) => {
  const app = await startApp(t);
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { id, key } = await app.integration();
  await app.policy(id, rule('session.actionCount >= 2', 'BLOCK'));
  const to = (given: string) => ['--url', url, '--key', given];
  const input = '{"tool":"x"}';
  const { out } = await run(['evaluate', input, input, ...to(key), '--json']);
  const [first, second] = JSON.parse(out);
  t.equal(first.sessionId, second.sessionId);
  const third = await run(['evaluate', input, '--session', first.sessionId, ...to(key)]);
  t.match(third.out, /^DECISION\tBLOCK\n[\s\S]*\nSESSION\t/);

  t.match(await run(['evaluate', input, ...to(adminKey)]), {
    code: 3,
    err: /--key holds an operator key \(asz_admin_…\), which cannot evaluate: set ASSIZE_KEY/,
  });
  t.match(await run(['policies', 'list', ...to(key)]), {
    code: 3,
    err: /--key holds the key of an integration \(asz_live_…\); .* set ASSIZE_ADMIN_KEY/,
  });
  t.match(await run(['policies', 'list', ...to('nonsense')]), {
    code: 3,
    err: /--key holds no key of Assize: they begin with asz_admin_ or asz_live_/,
  });
});

t.test('the operator key of the environment goes before the agent key, except to evaluate', async (t) => {
  const app = await startApp(t);
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { key } = await app.integration();
  const env = { ASSIZE_ADMIN_KEY: adminKey, ASSIZE_KEY: key };
  const withEnv = async (given: Record<string, string>, args: string[]) => {
    const before = { ...process.env };
    Object.assign(process.env, given);
    try {
      return await run(args);
    } finally {
      for (const name of Object.keys(given)) delete process.env[name];
      Object.assign(process.env, before);
    }
  };
  const list = ['integrations', 'list', '--url', url];
  t.equal((await withEnv(env, list)).code, 0);
  t.equal((await withEnv(env, ['evaluate', '{}', '--url', url])).code, 0);
  t.match(await withEnv({ ASSIZE_KEY: key }, list), {
    code: 3,
    err: /ASSIZE_KEY holds the key of an integration/,
  });
  t.match(await withEnv({ ASSIZE_ADMIN_KEY: adminKey }, ['evaluate', '{}', '--url', url]), { code: 2 });
  // A server's environment names its database, and a first key that may long be another.
  t.match(
    await withEnv({ ...env, ASSIZE_KEY: '', ASSIZE_DATABASE: '/nowhere/assize.db' }, ['policies', 'list']),
    {
      code: 2,
      err: /there is no database \/nowhere\/assize\.db/,
    },
  );
});
