import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';

const url = '/v1/lists';
const yaml = { 'content-type': 'application/yaml' };
const outward = (when = '!(input.to in lists.internalDomains)') =>
  `schemaVersion: 1\nname: outward\nrules:\n  - { id: r, tool: mail, when: '${when}', effect: BLOCK }\n`;

async function created(app: TestApp, body: object = {}) {
  const { body: response } = await app.call(adminKey, 'POST', url, {
    name: 'internalDomains',
    kind: 'DOMAINS',
    ...body,
  });
  return response.data;
}

t.test('a list is created, read, listed and changed, and each change is recorded', async (t) => {
  const app = await startApp(t);
  const entries = ['Mail.Example.COM', 'example.com', 'example.com.', 'bücher.example'];
  const made = await app.call(adminKey, 'POST', url, {
    name: 'internalDomains',
    kind: 'DOMAINS',
    entries,
    note: 'ours',
  });
  t.match(made, { status: 201, headers: { etag: '"1"' } });
  const list = made.body.data;
  const at = '2030-01-01T00:00:00.000Z';
  t.strictSame(list, {
    id: list.id,
    name: 'internalDomains',
    kind: 'DOMAINS',
    description: null,
    version: 1,
    entryCount: 3,
    entries: ['example.com', 'mail.example.com', 'xn--bcher-kva.example'],
    createdAt: at,
    updatedAt: at,
  });
  app.clock.advance(1_000);
  const change = { add: ['b.com', 'EXAMPLE.com'], remove: ['mail.example.com', 'none.com'], note: 'moved' };
  const changed = await app.call(adminKey, 'PATCH', `${url}/${list.id}`, change, { 'if-match': '"1"' });
  t.match(changed, { status: 200, headers: { etag: '"2"' } });
  t.strictSame(changed.body.data.entries, ['b.com', 'example.com', 'xn--bcher-kva.example']);
  t.match(changed.body.data, { version: 2, updatedAt: '2030-01-01T00:00:01.000Z' });
  const read = await app.call(adminKey, 'GET', `${url}/${list.id}`);
  t.strictSame([read.body, read.headers.etag], [changed.body, '"2"']);
  const { entries: _, ...summary } = changed.body.data;
  t.strictSame((await app.call(adminKey, 'GET', `${url}?kind=DOMAINS`)).body.data, [summary]);
  t.strictSame((await app.call(adminKey, 'GET', `${url}?kind=TOOLS`)).body.data, []);
  const me = (await app.call(adminKey, 'GET', '/v1/operators/me')).body.data;
  const author = { id: me.id, name: me.name };
  t.strictSame((await app.call(adminKey, 'GET', `${url}/${list.id}/changes`)).body.data, [
    {
      version: 2,
      author,
      note: 'moved',
      added: ['b.com'],
      removed: ['mail.example.com'],
      createdAt: '2030-01-01T00:00:01.000Z',
    },
    { version: 1, author, note: 'ours', added: list.entries, removed: [], createdAt: at },
  ]);
  const audited = await app.call(adminKey, 'GET', `/v1/audit?resourceId=${list.id}&action=changeList`);
  t.match(audited.body.data, [
    { before: { version: 1, entryCount: 3 }, after: { version: 2, entryCount: 3 } },
  ]);
  const replaced = await app.call(adminKey, 'PATCH', `${url}/${list.id}`, { entries: [], description: 'd' });
  t.match(replaced.body.data, { version: 3, entryCount: 0, description: 'd' });
  const cleared = await app.call(adminKey, 'PATCH', `${url}/${list.id}`, { description: null });
  t.match(cleared.body.data, { version: 4, description: null });
});

t.test(
  'tools are trimmed and normalised as the tool of an action is; other texts stay as they are',
  async (t) => {
    const app = await startApp(t);
    const tools = await created(app, { name: 'tools', kind: 'TOOLS', entries: [' wire ', 'cafe\u0301'] });
    t.strictSame(tools.entries, ['caf\u00e9', 'wire']);
    const accounts = await created(app, { name: 'accounts', kind: 'ACCOUNTS', entries: [' DE1 ', 'de1'] });
    t.strictSame(accounts.entries, [' DE1 ', 'de1']);
    const blank = await app.call(adminKey, 'PATCH', `${url}/${tools.id}`, { add: [' '] });
    t.match(blank, { status: 400, body: { errors: [{ path: '/add/0' }] } });
  },
);

t.test(
  'a change of a list decides from the next request on, without a new version of the policy',
  async (t) => {
    const app = await startApp(t);
    const { id: listId } = await created(app, { entries: ['example.com'] });
    const { id, key } = await app.integration();
    const policyId = await app.policy(id, outward());
    const decided = async (to: string) =>
      (await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'mail', to } })).body.data
        .enforcementAction;
    t.strictSame([await decided('example.com'), await decided('b.com')], ['ALLOW', 'BLOCK']);
    await app.call(adminKey, 'PATCH', `${url}/${listId}`, { add: ['b.com'], remove: ['example.com'] });
    t.strictSame([await decided('example.com'), await decided('b.com')], ['BLOCK', 'ALLOW']);
    t.equal((await app.call(adminKey, 'GET', `/v1/policies/${policyId}`)).body.data.version, 1);
  },
);

t.test('an allow that rested on an entry is not replayed once the entry is gone', async (t) => {
  const app = await startApp(t);
  const { id: listId } = await created(app, { entries: ['example.com'] });
  const { id, key } = await app.integration();
  await app.policy(id, outward());
  const once = () =>
    app.call(
      key,
      'POST',
      '/v1/evaluate',
      { input: { tool: 'mail', to: 'example.com' } },
      { 'idempotency-key': 'k' },
    );
  t.match((await once()).body.data, { enforcementAction: 'ALLOW' });
  t.match((await once()).body.data, { enforcementAction: 'ALLOW', replayed: true });
  await app.call(adminKey, 'PATCH', `${url}/${listId}`, { entries: [] });
  t.equal((await once()).status, 409);
});

t.test('a policy that reads a list there is not is refused where it says so', async (t) => {
  const app = await startApp(t);
  await created(app);
  const typo = outward('input.to in lists.internalDomain');
  const refused = await app.call(adminKey, 'POST', '/v1/policies', typo, yaml);
  t.match(refused, {
    status: 400,
    body: {
      errors: [
        {
          path: '/rules/0/when',
          line: 4,
          message: /lists has no field "internalDomain"/,
          hint: /internalDomains/,
        },
      ],
    },
  });
  const checked = await app.call(adminKey, 'POST', '/v1/policies/check', typo, yaml);
  t.match(checked.body.data, { valid: false, issues: [{ path: '/rules/0/when' }] });
  t.match((await app.call(adminKey, 'POST', '/v1/policies/check', outward(), yaml)).body.data, {
    valid: true,
  });
});

t.test('a list in use is kept; what reads a deleted one can neither be activated nor bound', async (t) => {
  const app = await startApp(t);
  const list = await created(app);
  const { id } = await app.integration();
  const policyId = await app.policy(id, outward());
  const remove = () => app.call(adminKey, 'DELETE', `${url}/${list.id}`);
  t.match(await remove(), { status: 409, body: { errors: [{ message: /read by the policies outward/ }] } });
  await app.call(adminKey, 'POST', `/v1/policies/${policyId}/deprecate`);
  t.match(await remove(), { status: 200, body: { data: { name: 'internalDomains' } } });
  const other = await app.integration();
  for (const [method, path] of [
    ['POST', `/v1/policies/${policyId}/activate`],
    ['PUT', `/v1/integrations/${other.id}/policies/${policyId}`],
  ] as const)
    t.match(await app.call(adminKey, method, path), {
      status: 409,
      body: { errors: [{ message: /reads lists.internalDomains, which does not exist/ }] },
    });
});

t.test('changes made by somebody else in between are not overwritten', async (t) => {
  const app = await startApp(t);
  const { id } = await created(app);
  const change = (tag: string) =>
    app.call(adminKey, 'PATCH', `${url}/${id}`, { add: ['a.com'] }, { 'if-match': tag });
  t.equal((await change('"1"')).status, 200);
  for (const tag of ['"1"', 'W/"2"', '"x"', '"1", "3"', '""'])
    t.match(await change(tag), { status: 412, body: { errors: [{ code: 'precondition_failed' }] } }, tag);
  for (const tag of ['"1", "2"', ' * ', '"4"']) t.equal((await change(tag)).status, 200, tag);
  for (const tag of ['2', '"2', 'w/"2"']) t.match(await change(tag), { status: 400 }, tag);
  const gone = await app.call(adminKey, 'DELETE', `${url}/${id}`, undefined, { 'if-match': '"1"' });
  t.equal(gone.status, 412);
});

t.test('names are unique, sizes have limits, and a contradiction is refused', async (t) => {
  const app = await startApp(t);
  const { id } = await created(app, { name: 'taken', kind: 'OTHER', entries: ['a'] });
  const twice = await app.call(adminKey, 'POST', url, { name: 'taken', kind: 'OTHER' });
  t.match(twice, { status: 409, body: { errors: [{ path: '/name' }] } });
  const wide = Array.from({ length: 1_001 }, (_, n) => String(n).padEnd(500, 'x'));
  const refused = await app.call(adminKey, 'POST', url, { name: 'wide', kind: 'OTHER', entries: wide });
  t.match(refused, { status: 400, body: { errors: [{ path: '/entries', message: /500000 characters/ }] } });
  const many = Array.from({ length: 10_000 }, (_, n) => `e${n}`);
  const change = (body: object) => app.call(adminKey, 'PATCH', `${url}/${id}`, body);
  t.match(await change({ add: many }), {
    status: 400,
    body: { errors: [{ path: '/add', message: /10000 entries/ }] },
  });
  t.equal((await change({ entries: many })).status, 200);
  t.match(await change({ add: ['b', 'c'], remove: ['c'] }), {
    status: 400,
    body: { errors: [{ path: '/add/1' }] },
  });
});
