import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../../helpers/app.ts';
import { rule } from '../../../helpers/policies.ts';
import { hold, pay } from '../../../helpers/reviews.ts';

const yaml = { 'content-type': 'application/yaml' };

async function keyOf(app: TestApp, roles: string[], more: object = {}): Promise<string> {
  const made = await app.call(adminKey, 'POST', '/v1/operators', { name: roles.join(), roles, ...more });
  const key = await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: made.body.data.id });
  return key.body.data.key;
}

const own = { status: 403, body: { errors: [{ code: 'forbidden', message: /^four-eyes control: / }] } };

t.test('under four-eyes control the author of a policy version cannot activate it', async (t) => {
  const app = await startApp(t, { ASSIZE_FOUR_EYES: 'policies' });
  const [ada, bob] = [await keyOf(app, ['POLICY_EDITOR']), await keyOf(app, ['POLICY_EDITOR'])];
  t.match(await app.call(ada, 'POST', '/v1/policies?activate=true', rule('true', 'WARN'), yaml), own);
  const { id } = (await app.call(ada, 'POST', '/v1/policies', rule('true', 'WARN'), yaml)).body.data;
  const activate = (key: string, version?: number) =>
    app.call(key, 'POST', `/v1/policies/${id}/activate`, version === undefined ? undefined : { version });
  t.match(await activate(ada), own);
  t.match(await activate(ada, 1), own);
  t.match((await activate(bob)).body.data, { status: 'ACTIVE', version: 1 });

  const updated = await app.call(bob, 'PUT', `/v1/policies/${id}`, rule('true', 'BLOCK'), yaml);
  t.match(updated.body.data, { status: 'ACTIVE', version: 1, latestVersion: 2, document: /effect: WARN/ });
  t.match(await activate(bob, 2), own);
  t.match((await activate(ada, 2)).body.data, { version: 2 });
  t.match(await activate(ada, 1), own, 'nor go back to an own version');
  const { body } = await app.call(adminKey, 'GET', `/v1/policies/${id}/versions`);
  t.match(body.data, [{ version: 2, author: { name: 'POLICY_EDITOR' } }, { version: 1 }]);
});

t.test(
  'a policy that does not decide takes a new version at once, also under four-eyes control',
  async (t) => {
    const app = await startApp(t, { ASSIZE_FOUR_EYES: 'policies' });
    const { id } = (await app.call(adminKey, 'POST', '/v1/policies', rule('true', 'WARN'), yaml)).body.data;
    const updated = await app.call(adminKey, 'PUT', `/v1/policies/${id}`, rule('true', 'BLOCK'), yaml);
    t.match(updated.body.data, { status: 'DRAFT', version: 2, document: /effect: BLOCK/ });
  },
);

t.test('under four-eyes control who may have requested an action cannot approve it', async (t) => {
  const entityId = 'aaaaaaaa-0000-4000-8000-000000000000';
  const app = await startApp(t, { ASSIZE_FOUR_EYES: 'reviews' });
  const [issuer, person, other] = [
    await keyOf(app, ['OWNER']),
    await keyOf(app, ['REVIEWER'], { entityId: entityId.toUpperCase() }),
    await keyOf(app, ['REVIEWER'], { entityId: 'bbbbbbbb-0000-4000-8000-000000000000' }),
  ];
  const integration = await app.integration();
  await app.policy(integration.id, hold());
  const rotated = await app.call(issuer, 'POST', `/v1/integrations/${integration.id}/regenerate-key`);
  const key = rotated.body.data.apiKey;
  const session = await app.call(key, 'POST', '/v1/evaluation-sessions', { entityId });
  const held = async () =>
    (await app.call(key, 'POST', '/v1/evaluate', { ...pay, sessionId: session.body.data.id })).body.data
      .reviewRequestId;
  const decide = async (by: string, verb = 'approve', id?: string) =>
    app.call(by, 'POST', `/v1/reviews/${id ?? (await held())}/${verb}`);
  t.match(await decide(issuer), own, 'made the key in use');
  t.match(await decide(adminKey), own, 'made a key that was replaced');
  t.match(await decide(person), own, 'is the entity of the session');
  t.match(
    (await app.call(adminKey, 'GET', '/v1/audit?outcome=REFUSED&action=approveReview')).body.data.length,
    3,
  );
  t.match((await decide(other)).body.data, { status: 'APPROVED' });
  t.match((await decide(person, 'reject')).body.data, { status: 'REJECTED' }, 'may reject');

  const without = (await app.call(key, 'POST', '/v1/evaluate', pay)).body.data.reviewRequestId;
  t.match((await decide(person, 'approve', without)).body.data, { status: 'APPROVED' }, "another's session");
});

t.test('under four-eyes control nobody changes alone who they are, or in which groups', async (t) => {
  const entityId = 'aaaaaaaa-0000-4000-8000-000000000000';
  const app = await startApp(t, { ASSIZE_FOUR_EYES: 'reviews' });
  const rita = await keyOf(app, ['OWNER'], { entityId, groups: ['a'] });
  const { id } = (await app.call(rita, 'GET', '/v1/operators/me')).body.data;
  const change = (by: string, body: object) => app.call(by, 'PATCH', `/v1/operators/${id}`, body);
  const same = { name: 'Rita', groups: ['a'], entityId: entityId.toUpperCase() };
  t.equal((await change(rita, same)).status, 200, 'a form sends what stays as it is');
  for (const body of [{ entityId: null }, { groups: [] }, { groups: ['a', 'b'] }, { ...same, entityId: id }])
    t.match(await change(rita, body), own, JSON.stringify(body));
  const alias = await keyOf(app, ['OWNER'], { entityId });
  t.match(await change(alias, { entityId: null }), own, 'nor by another operator of the same person');

  const proposal = { operation: 'changeOperator', operatorId: id, entityId: null };
  const made = (await app.call(rita, 'POST', '/v1/proposals', proposal)).body.data;
  t.match(made.before, { entityId });
  for (const by of [rita, alias])
    t.match(await app.call(by, 'POST', `/v1/proposals/${made.id}/activate`), own, 'under reviews alone, too');
  t.match((await app.call(adminKey, 'POST', `/v1/proposals/${made.id}/activate`)).body.data, {
    status: 'ACTIVATED',
  });
  t.match((await app.call(adminKey, 'GET', `/v1/operators/${id}`)).body.data, {
    name: 'Rita',
    entityId: null,
  });
  t.equal((await change(adminKey, { groups: ['c'] })).status, 200, 'another owner may');
});

t.test('without four-eyes control one operator is enough', async (t) => {
  const app = await startApp(t);
  const integration = await app.integration();
  await app.policy(integration.id, hold());
  const { reviewRequestId } = (await app.call(integration.key, 'POST', '/v1/evaluate', pay)).body.data;
  t.equal((await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`)).status, 200);
});

t.test('of two operators who decide a review, one wins and the other is told who won', async (t) => {
  const app = await startApp(t);
  const integration = await app.integration();
  await app.policy(integration.id, hold());
  const { reviewRequestId } = (await app.call(integration.key, 'POST', '/v1/evaluate', pay)).body.data;
  const keys = await Promise.all(
    Array.from({ length: 8 }, (_, at) => keyOf(app, ['REVIEWER'], { name: `n${at}` })),
  );
  const results = await Promise.all(
    keys.map((key, at) =>
      app.call(key, 'POST', `/v1/reviews/${reviewRequestId}/${at % 2 ? 'approve' : 'reject'}`),
    ),
  );
  const won = results.filter(({ status }) => status === 200);
  t.equal(won.length, 1);
  const { status, decidedBy, decidedAt } = won[0]?.body.data ?? {};
  for (const lost of results.filter((one) => one !== won[0])) {
    const message = `the review is ${status}: ${decidedBy.name} decided at ${decidedAt}`;
    t.match(lost, { status: 409, body: { errors: [{ code: 'conflict', message }] } });
  }
});

t.test('the first start binds its starter policies, also under four-eyes control', async (t) => {
  const app = await startApp(t, { ASSIZE_FOUR_EYES: 'policies,reviews' });
  t.match(
    await app.services.policies.create(
      null,
      { text: rule('true', 'WARN'), mediaType: 'application/yaml' },
      'ACTIVE',
    ),
    {
      status: 'ACTIVE',
    },
  );
});

t.test('under four-eyes control nobody replaces a list by deleting it and creating another', async (t) => {
  const app = await startApp(t, { ASSIZE_FOUR_EYES: 'policies' });
  const [ada, bob] = [await keyOf(app, ['POLICY_EDITOR']), await keyOf(app, ['POLICY_EDITOR'])];
  const list = { name: 'safeTools', kind: 'TOOLS', entries: ['read_file'] };
  const { id: listId } = (await app.call(bob, 'POST', '/v1/lists', list)).body.data;
  const reads = rule('!(tool in lists.safeTools)', 'BLOCK');
  const { id } = (await app.call(bob, 'POST', '/v1/policies', reads, yaml)).body.data;
  t.match(await app.call(ada, 'POST', `/v1/policies/${id}/activate`, { version: 1 }), { status: 200 });
  await app.call(bob, 'PUT', `/v1/policies/${id}`, rule('true', 'BLOCK'), yaml);
  t.match(await app.call(ada, 'POST', `/v1/policies/${id}/activate`, { version: 2 }), { status: 200 });

  // Only version 1 reads the list now, and ada may go back to it: bob wrote it.
  t.match(await app.call(ada, 'DELETE', `/v1/lists/${listId}`), own);
  const other = { ...list, entries: ['read_file', 'delete_all'] };
  t.match(await app.call(ada, 'POST', '/v1/lists', other), own);
  t.match(await app.call(ada, 'POST', `/v1/policies/${id}/rollback`, { version: 1 }), { status: 200 });
  t.match((await app.call(ada, 'GET', `/v1/lists/${listId}`)).body.data.entries, ['read_file']);
});
