import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';

const yaml = { 'content-type': 'application/yaml' };
const limits = `schemaVersion: 1
name: limits
params: { most: 1 }
rules:
  - { id: most, when: "input.arguments.amount > params.most", effect: BLOCK, severity: HIGH }
`;
const none = '00000000-0000-4000-8000-000000000000';

/** A service under four-eyes control with two policy editors, a bound policy and a list. */
async function open(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t, { ASSIZE_FOUR_EYES: 'policies' });
  const keyOf = async (name: string): Promise<string> => {
    const made = await app.call(adminKey, 'POST', '/v1/operators', { name, roles: ['POLICY_EDITOR'] });
    const key = await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: made.body.data.id });
    return key.body.data.key;
  };
  const [ada, bob] = [await keyOf('Ada'), await keyOf('Bob')];
  const { id: integrationId, key } = await app.integration();
  const policyId = (await app.call(ada, 'POST', '/v1/policies', limits, yaml)).body.data.id as string;
  await app.call(bob, 'POST', `/v1/policies/${policyId}/activate`);
  const list = { name: 'internal', kind: 'DOMAINS', entries: ['a.com'] };
  const listId = (await app.call(ada, 'POST', '/v1/lists', list)).body.data.id as string;
  const propose = (by: string, body: object) => app.call(by, 'POST', '/v1/proposals', body);
  const activate = (by: string, id: string) => app.call(by, 'POST', `/v1/proposals/${id}/activate`);
  const agreed = async (body: object) => activate(bob, (await propose(ada, body)).body.data.id);
  return { app, ada, bob, integrationId, key, policyId, listId, propose, activate, agreed };
}
const events = async (app: TestApp): Promise<string[]> => {
  const { body } = await app.call(adminKey, 'GET', '/v1/events?after=0&size=200', undefined, {
    accept: 'application/json',
  });
  return body.data.events.map(({ type }: { type: string }) => type);
};

t.test('under four-eyes control nobody changes alone what decides, by whichever route', async (t) => {
  const { app, ada, integrationId, policyId, listId, agreed } = await open(t);
  await agreed({ operation: 'bindPolicy', integrationId, policyId });
  await agreed({ operation: 'bindHousePolicy', policyId });
  const bound = `/v1/integrations/${integrationId}/policies/${policyId}`;
  const alone: [method: 'PUT' | 'DELETE' | 'PATCH' | 'POST', url: string, body?: object][] = [
    ['PUT', bound],
    ['PUT', bound, { params: { most: 1_000 } }],
    ['PUT', bound, { mode: 'MONITOR' }],
    ['DELETE', bound],
    ['PUT', `/v1/house-policies/${policyId}`, { mode: 'MONITOR' }],
    ['DELETE', `/v1/house-policies/${policyId}`],
    ['PATCH', `/v1/lists/${listId}`, { add: ['b.com'] }],
    ['POST', `/v1/policies/${policyId}/deprecate`],
  ];
  const before = await Promise.all(
    [bound.slice(0, -37), '/v1/house-policies', `/v1/lists/${listId}`, `/v1/policies/${policyId}`].map(
      (url) => app.call(adminKey, 'GET', url),
    ),
  );
  for (const by of [ada, adminKey]) {
    for (const [method, url, body] of alone) {
      t.match(
        await app.call(by, method, url, body),
        { status: 403, body: { errors: [{ message: /^four-eyes control: propose this change/ }] } },
        `${method} ${url} ${JSON.stringify(body)}`,
      );
    }
  }
  const after = await Promise.all(
    [bound.slice(0, -37), '/v1/house-policies', `/v1/lists/${listId}`, `/v1/policies/${policyId}`].map(
      (url) => app.call(adminKey, 'GET', url),
    ),
  );
  t.same(
    after.map(({ body }) => body.data),
    before.map(({ body }) => body.data),
  );
});

t.test(
  'a proposal is activated by another operator, at once, and is in the audit and the events',
  async (t) => {
    const { app, ada, bob, key, integrationId, policyId, propose, activate, agreed } = await open(t);
    await agreed({ operation: 'bindPolicy', integrationId, policyId });
    const pay = () =>
      app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'pay', arguments: { amount: 5 } } });
    t.match((await pay()).body.data, { enforcementAction: 'BLOCK' });
    const change = { integrationId, policyId, params: { most: 10 } };
    const made = await propose(ada, { operation: 'bindPolicy', ...change, note: 'asked for by sales' });
    t.match(made, {
      status: 201,
      body: {
        data: {
          operation: 'bindPolicy',
          status: 'PENDING',
          change,
          before: { params: {}, mode: null },
          note: 'asked for by sales',
          author: { name: 'Ada' },
          decidedBy: null,
        },
      },
    });
    const { id } = made.body.data;
    t.match(await activate(ada, id), {
      status: 403,
      body: { errors: [{ message: /^four-eyes control: the author of a proposal cannot activate it/ }] },
    });
    t.match((await pay()).body.data, { enforcementAction: 'BLOCK' }, 'nothing has changed yet');
    t.match((await activate(bob, id)).body.data, { status: 'ACTIVATED', decidedBy: { name: 'Bob' } });
    t.match((await pay()).body.data, { enforcementAction: 'ALLOW' });
    t.match(await activate(bob, id), {
      status: 409,
      body: { errors: [{ message: 'the proposal was ACTIVATED by Bob already' }] },
    });
    const { data } = (await app.call(adminKey, 'GET', `/v1/audit?action=bindPolicy&outcome=SUCCEEDED`)).body;
    t.match(data[0], { actor: { name: 'Bob' }, resource: 'integrations', resourceId: integrationId });
    t.match(data[0].after.policies, [{ id: policyId, params: { most: 10 } }]);
    t.match(
      (await app.call(adminKey, 'GET', '/v1/audit?resource=proposals')).body.data.map(
        ({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`,
      ),
      [
        'activateProposal REFUSED',
        'activateProposal SUCCEEDED',
        'activateProposal REFUSED',
        'proposeChange SUCCEEDED',
        'activateProposal SUCCEEDED',
        'proposeChange SUCCEEDED',
      ],
    );
    t.same((await events(app)).filter((type) => /^proposal|bound$/.test(type)).slice(-3), [
      'proposal.created',
      'policy.bound',
      'proposal.activated',
    ]);
  },
);

t.test('each operation is made as it was proposed, unless its subject was changed since', async (t) => {
  const { app, ada, bob, integrationId, policyId, listId, propose, activate, agreed } = await open(t);
  const first = (await propose(ada, { operation: 'changeList', listId, add: ['b.com'] })).body.data;
  t.match(first.before, { version: 1 });
  t.match(await agreed({ operation: 'changeList', listId, add: ['c.com'], remove: ['a.com'] }), {
    status: 200,
  });
  t.match((await app.call(ada, 'GET', `/v1/lists/${listId}`)).body.data, { version: 2, entries: ['c.com'] });
  t.match(await activate(bob, first.id), {
    status: 409,
    body: { errors: [{ message: /was changed since/ }] },
  });
  t.match((await app.call(ada, 'POST', `/v1/proposals/${first.id}/reject`)).body.data, {
    status: 'REJECTED',
  });
  t.match(await activate(bob, first.id), { status: 409 });
  for (const body of [
    { operation: 'bindPolicy', integrationId, policyId, mode: 'MONITOR' },
    { operation: 'unbindPolicy', integrationId, policyId },
    { operation: 'bindHousePolicy', policyId },
    { operation: 'unbindHousePolicy', policyId },
    { operation: 'deprecatePolicy', policyId },
  ]) {
    t.match(await agreed(body), { status: 200, body: { data: { status: 'ACTIVATED' } } }, body.operation);
  }
  t.match((await app.call(ada, 'GET', `/v1/policies/${policyId}`)).body.data, { status: 'DEPRECATED' });
  const listed = await app.call(ada, 'GET', '/v1/proposals?status=REJECTED');
  t.match(listed.body.data, [{ id: first.id }]);
  t.notOk('change' in listed.body.data[0]);
});

t.test('tool catalogues, integrations, deletions and operators are changed by proposals', async (t) => {
  const { app, ada, bob, integrationId, policyId, listId, propose, activate, agreed } = await open(t);
  const done = async (body: object) => {
    const { status, body: made } = await agreed(body);
    t.equal(status, 200, JSON.stringify(made));
  };
  const notes = { name: 'notes.read', effect: 'READ' };
  await done({ operation: 'replaceToolCatalogue', integrationId, tools: [notes] });
  const listedTools = [{ name: 'mail', annotations: { readOnlyHint: true }, title: 'ignored' }];
  await done({ operation: 'importTools', integrationId, listedTools });
  const tools = async () =>
    (await app.call(ada, 'GET', `/v1/integrations/${integrationId}/tools`)).body.data.tools;
  t.match(await tools(), [notes, { name: 'mail', effect: 'READ' }]);
  const changed = [{ name: 'mail', annotations: { readOnlyHint: true }, description: 'other' }];
  await done({ operation: 'importTools', integrationId, listedTools: changed });
  const [{ name, digest }] = (await app.call(ada, 'GET', `/v1/integrations/${integrationId}/tools`)).body.data
    .waiting;
  const direct = { tools: [{ name, digest }] };
  t.equal(
    (await app.call(ada, 'POST', `/v1/integrations/${integrationId}/tools/accept`, direct)).status,
    403,
  );
  await done({ operation: 'acceptTools', integrationId, acceptedTools: direct.tools });
  t.match(await tools(), [notes, { name: 'mail', description: 'other' }]);
  const alias = {
    operation: 'replaceToolCatalogue',
    integrationId,
    tools: [{ ...notes, aliases: ['git.push'] }],
  };
  const waiting = (await propose(ada, alias)).body.data;
  t.match(waiting.before.tools, [notes, { name: 'mail' }]);
  await done({ operation: 'replaceToolCatalogue', integrationId, tools: [] });
  t.match(await activate(bob, waiting.id), {
    status: 409,
    body: { errors: [{ message: /was changed since/ }] },
  });
  t.same(await tools(), []);
  t.match(await propose(ada, { operation: 'replaceToolCatalogue', integrationId, tools: [notes, notes] }), {
    status: 400,
    body: { errors: [{ message: /each names one tool/ }] },
  });

  await done({ operation: 'deleteList', listId });
  t.equal((await app.call(ada, 'GET', `/v1/lists/${listId}`)).status, 404);
  const list = { name: 'internal', kind: 'DOMAINS', entries: ['c.com'] };
  await done({ operation: 'createList', list, note: 'again' });
  t.match((await app.call(ada, 'GET', '/v1/lists')).body.data, [{ name: 'internal', entryCount: 1 }]);
  await done({ operation: 'deletePolicy', policyId });
  t.equal((await app.call(ada, 'GET', `/v1/policies/${policyId}`)).status, 404);

  const settings = { whenNoPolicy: 'BLOCK' };
  const change = { operation: 'changeIntegration', integrationId, name: 'prod', settings };
  t.match(await propose(ada, change), {
    status: 403,
    body: { errors: [{ message: /needs the permission integrations:write/ }] },
  });
  const made = await propose(adminKey, change);
  t.match(made.body.data.before, { name: /./, settings: { whenNoPolicy: 'ALLOW' } });
  t.match(await activate(adminKey, made.body.data.id), { status: 403 });
  t.equal((await activate(bob, made.body.data.id)).status, 200, 'an editor is the second one');
  t.match((await app.call(ada, 'GET', `/v1/integrations/${integrationId}`)).body.data, {
    name: 'prod',
    settings,
  });
  t.match(
    (await app.call(adminKey, 'GET', '/v1/audit?action=changeIntegration&outcome=SUCCEEDED')).body.data,
    [{ actor: { name: 'Bob' }, resource: 'integrations', resourceId: integrationId }],
  );
});

t.test('who activates a proposal is another person, and its author may still make the change', async (t) => {
  const { app, ada, policyId, integrationId, propose, activate } = await open(t);
  const entityId = 'aaaaaaaa-0000-4000-8000-000000000000';
  const operator = async (roles: string[]) => {
    const { id } = (await app.call(adminKey, 'POST', '/v1/operators', { name: 'Eve', roles, entityId })).body
      .data;
    const made = await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: id });
    return { id: id as string, key: made.body.data.key as string };
  };
  const [eve, again] = [await operator(['POLICY_EDITOR']), await operator(['POLICY_EDITOR'])];
  const bind = { operation: 'bindPolicy', integrationId, policyId };
  const first = (await propose(eve.key, bind)).body.data.id;
  t.match(await activate(again.key, first), {
    status: 403,
    body: { errors: [{ message: /^four-eyes control: the author of a proposal cannot activate it/ }] },
  });
  const document = (await app.call(eve.key, 'POST', '/v1/policies', rule('true', 'WARN'), yaml)).body.data;
  t.match(await app.call(again.key, 'POST', `/v1/policies/${document.id}/activate`), { status: 403 });
  t.match(
    await app.call(again.key, 'POST', `/v1/policies/${document.id}/schedule`, { at: '2031-01-01T00:00:00Z' }),
    {
      status: 403,
    },
  );
  await app.call(adminKey, 'PATCH', `/v1/operators/${eve.id}`, { status: 'DISABLED' });
  t.match(await activate(ada, first), {
    status: 409,
    body: { errors: [{ message: /^its author may not do this any more \(bindings:write\)/ }] },
  });
  await app.call(adminKey, 'PATCH', `/v1/operators/${eve.id}`, { status: 'ACTIVE' });
  const results = await Promise.all([activate(ada, first), activate(adminKey, first)]);
  t.same(results.map(({ status }) => status).sort(), [200, 409], 'of two who activate it at once, one does');
});

t.test('a proposal names what there is, with what its operation takes', async (t) => {
  const { ada, integrationId, policyId, listId, propose } = await open(t);
  const refused: [body: object, status: number, path: string | undefined, message: RegExp][] = [
    [{ operation: 'bindPolicy', policyId }, 400, '/integrationId', /^is needed by bindPolicy$/],
    [{ operation: 'changeList', listId, policyId }, 400, '/policyId', /^must be absent: changeList does not/],
    [{ operation: 'bindHousePolicy', policyId: none }, 404, undefined, /there is no policy/],
    [{ operation: 'bindPolicy', policyId, integrationId: none }, 404, undefined, /there is no integration/],
    [{ operation: 'unbindPolicy', policyId, integrationId }, 404, undefined, /no policy bound/],
    [{ operation: 'unbindHousePolicy', policyId }, 404, undefined, /no house policy/],
    [{ operation: 'changeList', listId: none }, 404, undefined, /there is no list/],
    [
      { operation: 'changeList', listId, add: Array.from({ length: 300 }, () => 'x'.repeat(512)) },
      400,
      undefined,
      /at most 131072 bytes/,
    ],
  ];
  for (const [body, status, path, message] of refused) {
    const response = await propose(ada, body);
    t.equal(response.status, status, response.text);
    t.match(response.body.errors[0].message, message);
    if (path) t.equal(response.body.errors[0].path, path);
  }
});

t.test(
  'without four-eyes control a proposal can be activated by its author, and is not needed',
  async (t) => {
    const app = await startApp(t);
    const { id: integrationId } = await app.integration();
    const policyId = (await app.call(adminKey, 'POST', '/v1/policies', rule('true', 'WARN'), yaml)).body.data
      .id;
    const made = await app.call(adminKey, 'POST', '/v1/proposals', {
      operation: 'bindPolicy',
      integrationId,
      policyId,
    });
    const activated = await app.call(adminKey, 'POST', `/v1/proposals/${made.body.data.id}/activate`);
    t.match(activated.body.data, { status: 'ACTIVATED' });
    t.equal(
      (await app.call(adminKey, 'DELETE', `/v1/integrations/${integrationId}/policies/${policyId}`)).status,
      200,
    );
  },
);
