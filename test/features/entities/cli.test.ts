import t from 'tap';
import { rule } from '../../helpers/policies.ts';
import { serveCli } from '../../helpers/serve-cli.ts';

t.test('governed entities on the command line', async (t) => {
  const { app, assize } = await serveCli(t);
  const entities = (...args: string[]) => assize('entities', ...args, '--json');
  const made = await entities('register', 'Night shift', '--kind', 'team', '--metadata', '{"a":1}');
  t.match(made, { code: 0, data: { kind: 'TEAM', metadata: { a: 1 }, sessionCount: 0 } });
  t.match((await entities('update', 'Night shift', '--owner', 'ada')).data, { owner: 'ada', kind: 'TEAM' });
  t.match((await entities('list', '--owner', 'ada')).data, [{ name: 'Night shift' }]);
  t.match((await entities('show', 'Night shift')).data, { violationCounts: { NEW: 0 }, counters: [] });
  const { id, key } = await app.integration();
  const counters =
    'counters: { calls: { over: entity, within: 24h }, tools: { over: entity, per: [day, tool] } }';
  await app.policy(id, rule('tool == "x"', 'WARN', counters));
  const session = await app.call(key, 'POST', '/v1/evaluation-sessions', { entityId: made.data.id });
  await app.call(key, 'POST', '/v1/evaluate', { sessionId: session.body.data.id, input: { tool: 'x' } });
  t.match(
    (await assize('entities', 'show', 'Night shift')).data,
    /calls\t1\t24h\t\t.*\ntools\t1 keys\tday\ttool\t/,
  );
  t.match(await entities('register', 'x', '--kind', 'TEAM', '--metadata', 'no'), {
    code: 2,
    err: /JSON object/,
  });
  t.match(await entities('update', 'Night shift'), { code: 2, err: /at least one option/ });
  t.equal((await entities('delete', 'Night shift')).code, 0);
  t.match(await entities('show', 'Night shift'), { code: 1, err: /no entity has/ });
});
