// also on PostgreSQL
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createSecretBox } from '../../../src/services/secrets/secret-box.ts';
import { adminKey, startApp } from '../../helpers/app.ts';

const url = '/v1/mcp-servers';
const secretsKey = randomBytes(32);
const sent = {
  name: 'crm',
  url: 'https://crm.example/mcp',
  headers: ['Authorization: Bearer secret-of-crm', 'X-Team:support'],
};

t.test('a server is registered, changed and deleted, and its headers are never shown', async (t) => {
  const app = await startApp(t, { ASSIZE_SECRETS_KEY: secretsKey.toString('base64') });
  const made = await app.call(adminKey, 'POST', url, sent);
  const { id } = made.body.data;
  const at = '2030-01-01T00:00:00.000Z';
  const usual = { integrationIds: [], forwardsAuthorization: false, toolList: 'HIDE', holdSeconds: 0 };
  const server = {
    id,
    name: 'crm',
    url: sent.url,
    headerNames: ['Authorization', 'X-Team'],
    ...usual,
    masks: false,
    timeoutSeconds: 300,
    createdAt: at,
    updatedAt: at,
  };
  t.strictSame([made.status, made.body.data], [201, server]);
  t.match(await app.call(adminKey, 'POST', url, sent), {
    status: 409,
    body: { errors: [{ path: '/name', message: 'another MCP server has this name' }] },
  });
  app.clock.advance(1_000);
  const changed = await app.call(adminKey, 'PATCH', `${url}/${id}`, { masks: true, toolList: 'ALL' });
  t.match(changed.body.data, { masks: true, toolList: 'ALL', headerNames: server.headerNames });
  t.strictSame((await app.call(adminKey, 'GET', url)).body.data, [changed.body.data]);
  t.strictSame((await app.call(adminKey, 'GET', `${url}/${id}`)).body.data, changed.body.data);

  const stored = await app.store.mcpServers.find(id);
  t.match(stored?.headers, /^sealed:/);
  t.strictSame(
    (await app.services.mcpServers.findFor('any', 'crm'))?.headers,
    { authorization: 'Bearer secret-of-crm', 'x-team': 'support' },
    'they are opened for the server alone',
  );
  t.match((await app.call(adminKey, 'DELETE', `${url}/${id}`)).body.data, { name: 'crm' });
  t.equal((await app.call(adminKey, 'GET', `${url}/${id}`)).status, 404);
  const audit = await app.call(adminKey, 'GET', '/v1/audit?resource=mcp-servers');
  t.match(
    audit.body.data.find(({ action }: { action: string }) => action === 'deleteMcpServer'),
    { before: { name: 'crm', masks: true }, after: null },
  );
  t.notMatch(audit.text, /secret-of-crm|sealed:/);
});

t.test('the headers of a server do not follow it to another origin', async (t) => {
  const app = await startApp(t);
  const { id } = (await app.call(adminKey, 'POST', url, sent)).body.data;
  const change = (body: object) => app.call(adminKey, 'PATCH', `${url}/${id}`, body);
  t.match(await change({ url: 'https://other.example/mcp' }), {
    status: 400,
    body: { errors: [{ path: '/headers', message: /given again for another origin/ }] },
  });
  t.equal((await change({ url: 'https://crm.example/v2' })).status, 200);
  t.equal((await change({ url: 'https://other.example/mcp', headers: [] })).status, 200);
});

t.test('the Authorization of the client and one of our own exclude each other', async (t) => {
  const app = await startApp(t);
  const both = await app.call(adminKey, 'POST', url, { ...sent, forwardsAuthorization: true });
  t.match(both, { status: 400, body: { errors: [{ path: '/headers/0' }] } });
  const { id } = (await app.call(adminKey, 'POST', url, sent)).body.data;
  t.match(await app.call(adminKey, 'PATCH', `${url}/${id}`, { forwardsAuthorization: true }), {
    status: 400,
    body: { errors: [{ path: '/forwardsAuthorization' }] },
  });
});

t.test(
  'headers are sealed again with a new key, and those that no key opens are told and kept',
  async (t) => {
    const app = await startApp(t, { ASSIZE_SECRETS_KEY: secretsKey.toString('base64') });
    const { id } = (await app.call(adminKey, 'POST', url, sent)).body.data;
    const stored = async () => (await app.store.mcpServers.find(id))?.headers ?? '';
    const place = `mcp-servers/${id}/headers`;
    await app.store.mcpServers.change(id, { headers: JSON.stringify(sent.headers) }, 1);
    await app.services.sealedSecrets.reseal();
    t.strictSame(JSON.parse(createSecretBox([secretsKey]).open(await stored(), place)), sent.headers);
    const foreign = createSecretBox([randomBytes(32)]).seal('[]', place);
    await app.store.mcpServers.change(id, { headers: foreign }, 1);
    await app.services.sealedSecrets.reseal();
    t.equal(await stored(), foreign);
  },
);

t.test('a server is for the integrations that it names, and for all others it does not exist', async (t) => {
  const app = await startApp(t);
  const [one, other] = [await app.integration(), await app.integration()];
  const only = { ...sent, integrationIds: [one.id.toUpperCase()] };
  await app.call(adminKey, 'POST', url, only);
  t.match(await app.services.mcpServers.findFor(one.id, 'crm'), { name: 'crm' });
  t.equal(await app.services.mcpServers.findFor(other.id, 'crm'), null);
  t.equal(await app.services.mcpServers.findFor(one.id, 'CRM'), null);
});
