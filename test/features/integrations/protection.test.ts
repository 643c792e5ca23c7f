import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';
import { serveCli } from '../../helpers/serve-cli.ts';

const bound = { code: 'no_policy_bound', message: 'no policy is bound: everything is allowed' };
const warningsIn = ({ log }: TestApp): object[] =>
  log.splice(0).flatMap((line) => {
    const { level, msg, integrations } = JSON.parse(line);
    return level === 40 && /is allowed/.test(msg)
      ? [{ msg, names: integrations.map(({ name }: { name: string }) => name) }]
      : [];
  });

t.test(
  'who creates or reads an integration is told that nothing decides for it, until something does',
  async (t) => {
    const app = await startApp(t);
    const create = async (body: object) =>
      (await app.call(adminKey, 'POST', '/v1/integrations', { kind: 'AGENT', ...body })).body.data;
    const read = async (id: string) =>
      (await app.call(adminKey, 'GET', `/v1/integrations/${id}`)).body.data.warnings;
    const { id, warnings } = await create({ name: 'open' });
    t.strictSame(warnings, [bound]);
    t.strictSame(await read(id), [bound]);
    t.strictSame((await create({ name: 'shut', settings: { whenNoPolicy: 'BLOCK' } })).warnings, []);
    t.match((await create({ name: 'known', settings: { unknownTools: 'BLOCK' } })).warnings, [
      { message: 'no policy is bound: every tool in the catalogue is allowed' },
    ]);
    t.notOk('warnings' in (await app.call(adminKey, 'GET', '/v1/integrations')).body.data[0]);

    const policyId = await app.policy(id, rule('tool == "x"', 'BLOCK'));
    t.strictSame(await read(id), []);
    await app.call(adminKey, 'PUT', `/v1/integrations/${id}/policies/${policyId}`, { mode: 'MONITOR' });
    t.match(await read(id), [
      { code: 'no_policy_enforced', message: 'no policy is enforced: everything is allowed' },
    ]);
    await app.call(adminKey, 'POST', `/v1/policies/${policyId}/deprecate`);
    t.strictSame(await read(id), [bound]);
    const house = await app.policy((await create({ name: 'other' })).id, rule('tool == "y"', 'BLOCK'));
    await app.call(adminKey, 'PUT', `/v1/house-policies/${house}`);
    t.strictSame(await read(id), [], 'a house policy decides for it');
    t.strictSame((await create({ name: 'later' })).warnings, []);
    t.strictSame((await app.call(adminKey, 'DELETE', `/v1/integrations/${id}`)).body.data.warnings, []);
  },
);

t.test('the log says so at creation, once when nothing decides an evaluation, and at a start', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const { name } = (await app.call(adminKey, 'GET', '/v1/integrations')).body.data[0];
  const said = [{ msg: bound.message, names: [name] }];
  t.strictSame(warningsIn(app), said);
  const evaluate = () => app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  for (let count = 0; count < 5; count++) await evaluate();
  t.strictSame(warningsIn(app), said, 'not for every request');
  await app.integration('AGENT', { whenNoPolicy: 'BLOCK' });
  const safe = await app.integration('AGENT', { unknownTools: 'BLOCK' });
  await app.policy(safe.id, rule('tool == "x"', 'BLOCK'));
  app.log.length = 0;
  await app.services.protection.tellOfAll();
  t.strictSame(warningsIn(app), [{ msg: 'no policy is enforced: everything is allowed', names: [name] }]);
  await evaluate();
  t.strictSame(warningsIn(app), []);
});

t.test('an agent over MCP is told, and the command line prints it', async (t) => {
  const { app, assize } = await serveCli(t);
  const made = await assize('integrations', 'create', 'open', '--kind', 'AGENT');
  t.match(made, { code: 0, err: /^warning: no policy is bound: everything is allowed$/m });
  t.match(await assize('integrations', 'show', 'open'), { code: 0, err: /no policy is bound/ });
  t.match((await assize('integrations', 'show', 'open', '--json')).data.warnings, [bound]);

  const { id, key } = await app.integration('MCP_SERVER');
  const call = async () => {
    const params = { name: 'evaluate', arguments: { input: { tool: 'x' } } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const accept = { accept: 'application/json, text/event-stream' };
    const { text } = await app.call(key, 'POST', '/v1/mcp', message, accept);
    return text;
  };
  t.match(await call(), /ALLOW: do the action. No policy is bound: everything is allowed./);
  await app.policy(id, rule('tool == "y"', 'BLOCK'));
  t.notMatch(await call(), /everything is allowed/);
});
