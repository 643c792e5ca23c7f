import t, { type Test } from 'tap';
import { adminKey, createClock, startApp } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';
import { rule } from '../helpers/policies.ts';

async function serve(t: Test) {
  const app = await startApp(t, {}, { clock: createClock(Date.now()) });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const assize = async (...args: string[]) => {
    const { code, out, err } = await run([...args, '--url', url, '--key', adminKey]);
    return { code, err, data: args.includes('--json') && out !== '' ? JSON.parse(out) : out };
  };
  return { app, assize };
}

t.test('shared lists on the command line', async (t) => {
  const { assize } = await serve(t);
  const lists = (...args: string[]) => assize('lists', ...args, '--json');
  const made = await lists('create', 'domains', '--kind', 'domains', '--entry', 'b.example', 'a.example');
  t.match(made, { code: 0, data: { kind: 'DOMAINS', entries: ['a.example', 'b.example'] } });
  const given = ['--add', 'c.example', '--remove', 'b.example', '--note', 'sold'];
  t.match((await lists('update', 'domains', ...given)).data, {
    version: 2,
    entries: ['a.example', 'c.example'],
  });
  t.match((await lists('list', '--kind', 'DOMAINS')).data, [{ name: 'domains', entryCount: 2 }]);
  t.equal((await assize('lists', 'show', 'domains', '--entries')).data, 'a.example\nc.example\n');
  t.match((await lists('changes', 'domains')).data, [
    { note: 'sold', added: ['c.example'], removed: ['b.example'] },
    {},
  ]);
  t.match(await lists('update', 'domains'), { code: 2, err: /--add/ });
  t.match(await lists('create', 'x'), { code: 2, err: /--kind/ });
  t.match(await lists('show', 'none'), { code: 1, err: /no list has the name or id "none"/ });
  t.equal((await lists('delete', 'domains')).code, 0);
});

t.test('violations on the command line, until they are resolved or dismissed', async (t) => {
  const { app, assize } = await serve(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('true', 'BLOCK'));
  for (let count = 0; count < 2; count++)
    await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  const violations = (...args: string[]) => assize('violations', ...args, '--json');
  const listed = await violations(
    'list',
    '--status',
    'new',
    '--integration',
    id,
    '--policy',
    'one-rule',
    '--rule',
    'the-rule',
  );
  const [first, second] = listed.data.map((one: { id: string }) => one.id);
  t.match((await violations('show', first)).data, { status: 'NEW', tool: 'x' });
  t.match((await violations('acknowledge', first, '--note', 'asked')).data, {
    status: 'ACKNOWLEDGED',
    note: 'asked',
  });
  t.match((await violations('resolve', first, '--type', 'agent_changed')).data, { status: 'RESOLVED' });
  t.match((await violations('dismiss', second, '--reason', 'FALSE_POSITIVE')).data, {
    dismissal: 'FALSE_POSITIVE',
  });
  t.match((await violations('rules')).data, [{ ruleId: 'the-rule', falsePositiveRate: 0.5 }]);
  t.match(await violations('dismiss', second, '--reason', 'TEST'), { code: 1, err: /DISMISSED/ });
  t.match(await violations('resolve', first), { code: 2, err: /--type/ });
  t.match((await assize('violations', 'list')).data, /\tthe-rule\t/);
});

t.test('governed entities on the command line', async (t) => {
  const { assize } = await serve(t);
  const entities = (...args: string[]) => assize('entities', ...args, '--json');
  const made = await entities('register', 'Night shift', '--kind', 'team', '--metadata', '{"a":1}');
  t.match(made, { code: 0, data: { kind: 'TEAM', metadata: { a: 1 }, sessionCount: 0 } });
  t.match((await entities('update', 'Night shift', '--owner', 'ada')).data, { owner: 'ada', kind: 'TEAM' });
  t.match((await entities('list', '--owner', 'ada')).data, [{ name: 'Night shift' }]);
  t.match((await entities('show', 'Night shift')).data, { violationCounts: { NEW: 0 } });
  t.match(await entities('register', 'x', '--kind', 'TEAM', '--metadata', 'no'), {
    code: 2,
    err: /JSON object/,
  });
  t.match(await entities('update', 'Night shift'), { code: 2, err: /at least one option/ });
  t.equal((await entities('delete', 'Night shift')).code, 0);
  t.match(await entities('show', 'Night shift'), { code: 1, err: /no entity has/ });
});
