import t from 'tap';
import { AppError } from '../../../../src/errors.ts';
import { adminKey } from '../../../helpers/app.ts';
import { governed } from './governed.ts';

/** The example of section 6.1.1 of the specification. */
const access = {
  subject: { type: 'user', id: 'alice@example.com' },
  resource: { type: 'account', id: '123' },
  action: { name: 'can_read', properties: { method: 'GET' } },
  context: { time: '1985-10-26T01:22-07:00' },
};

t.test('AuthZEN: an evaluation is decided by the policies, in the session of its subject', async (t) => {
  const { app, post, last, sessions } = await governed(t, 'tool == "can_delete"', 'BLOCK');
  const allowed = await post('/access/v1/evaluation', access, {
    'x-request-id': 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716',
  });
  t.equal(allowed.status, 200);
  t.match(allowed.body, { decision: true, context: { id: String } });
  t.equal(allowed.headers['x-request-id'], 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716');
  t.match(await last(), {
    tool: 'can_read',
    targetKey: 'account/123',
    input: {
      tool: 'can_read',
      arguments: { method: 'GET' },
      subject: access.subject,
      resource: access.resource,
      context: access.context,
    },
  });
  const denied = await post('/access/v1/evaluation', { ...access, action: { name: 'can_delete' } });
  t.match(denied.body, { decision: false, context: { reason_user: { en: /the-rule/ } } });
  t.match(await sessions(), [{ externalSessionId: 'subject user alice@example.com', actionCount: 2 }]);
  const named = { ...access, context: { externalSessionId: 'chat-1' } };
  await post('/access/v1/evaluation', named);
  t.equal((await sessions()).length, 2);
  // Names that would be the same when put together, or cut off.
  const long = 'a'.repeat(300);
  for (const subject of [
    { type: 'user', id: 'x y' },
    { type: 'user x', id: 'y' },
    { type: 'user', id: `${long}1` },
    { type: 'user', id: `${long}2` },
  ])
    await post('/access/v1/evaluation', { ...access, subject });
  t.equal((await sessions()).length, 6);
  const { status, body } = await app.call(null, 'GET', '/.well-known/authzen-configuration');
  t.equal(status, 200);
  t.match(body.access_evaluation_endpoint, /^http:\/\/[^/]+\/access\/v1\/evaluation$/);
  t.equal(body.access_evaluations_endpoint, `${body.policy_decision_point}/access/v1/evaluations`);
});

t.test('AuthZEN: a held action is denied, and passes once with its review', async (t) => {
  const { app, post } = await governed(t, 'tool == "can_read"', 'APPROVAL_REQUIRED');
  const { body } = await post('/access/v1/evaluation', access);
  const { reviewRequestId } = body.context;
  t.match(body, { decision: false, context: { pollUrl: `/v1/reviews/${reviewRequestId}` } });
  await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`);
  const again = { ...access, context: { ...access.context, reviewRequestId } };
  t.equal((await post('/access/v1/evaluation', again)).body.decision, true);
  t.equal((await post('/access/v1/evaluation', again)).body.decision, false);
});

t.test('AuthZEN: an access request follows the review of a held action, until it passes once', async (t) => {
  for (const [decision, status] of [
    ['approve', 'approved'],
    ['reject', 'denied'],
  ]) {
    const { app, key, post } = await governed(t, 'tool == "can_read"', 'APPROVAL_REQUIRED');
    const { context } = (await post('/access/v1/evaluation', access)).body;
    const { endpoint, expires_at } = context.access_request;
    t.match(context, { reason: 'approval_required', evaluation_id: context.id, reviewRequestId: String });
    const found = await app.call(null, 'GET', '/.well-known/authzen-configuration');
    t.equal(found.body.access_request_endpoint, endpoint);
    t.strictSame(found.body.capabilities, ['urn:openid:authzen:capability:access-request']);
    const denial = { evaluation_id: context.evaluation_id, expires_at };
    const path = new URL(endpoint).pathname;
    const submitted = await post(path, { ...access, denial });
    t.equal(submitted.status, 202);
    t.match(submitted.body, { task: { status: 'pending', expires_at } });
    t.strictSame((await post(path, { ...access, denial })).body, submitted.body, 'one task, however often');
    const { id, status_endpoint } = submitted.body.task;
    t.equal(submitted.headers.location, status_endpoint);
    await app.call(adminKey, 'POST', `/v1/reviews/${id}/${decision}`, { comment: 'as discussed' });
    const task = await app.call(key, 'GET', new URL(status_endpoint).pathname);
    t.match(task.body, { task: { id, status, display: { description: 'as discussed' } } });
    const approval = task.body.result?.approval ?? { id };
    const again = { ...access, context: { ...access.context, approval } };
    const decisions = [
      (await post('/access/v1/evaluation', again)).body.decision,
      (await post('/access/v1/evaluation', again)).body.decision,
    ];
    t.strictSame(decisions, [decision === 'approve', false]);
    t.equal(task.body.result?.mode, decision === 'approve' ? 'reevaluate' : undefined);
  }
});

t.test('AuthZEN: an access request without a held evaluation of the same action is refused', async (t) => {
  const { app, key, post } = await governed(t, 'tool == "can_read"', 'APPROVAL_REQUIRED');
  const stranger = await app.integration('REST_API');
  const evaluated = async (asked: object) =>
    (await post('/access/v1/evaluation', asked)).body.context.id as string;
  const held = await evaluated(access);
  const allowed = await evaluated({ ...access, action: { name: 'can_list' } });
  const cases: [string, object, number, string][] = [
    [key, { ...access, denial: { evaluation_id: allowed } }, 400, 'not_requestable'],
    [
      key,
      { ...access, denial: { evaluation_id: '00000000-0000-4000-9000-000000000000' } },
      400,
      'invalid_denial_binding',
    ],
    [stranger.key, { ...access, denial: { evaluation_id: held } }, 400, 'invalid_denial_binding'],
  ];
  for (const change of [
    { subject: { type: 'user', id: 'eve' } },
    { resource: { type: 'account', id: '124' } },
    { action: { name: 'can_read', properties: { method: 'PUT' } } },
    { context: { time: 'later' } },
  ]) {
    const asked = { ...access, ...change, denial: { evaluation_id: held } };
    cases.push([key, asked, 400, 'invalid_denial_binding']);
  }
  for (const [by, body, status, kind] of cases) {
    const refused = await app.call(by, 'POST', '/access/v1/requests', body);
    t.equal(refused.status, status);
    t.match(refused.headers['content-type'], /^application\/problem\+json/);
    t.match(JSON.parse(refused.text), { type: `urn:openid:authzen:access-request:error:${kind}`, status });
  }
  const unbound = await post('/access/v1/requests', access);
  t.match(unbound.body.errors, [{ path: '/denial' }]);
  app.clock.advance(16 * 60_000);
  const late = await post('/access/v1/requests', { ...access, denial: { evaluation_id: held } });
  t.equal(late.status, 410);
  const { context } = (await post('/access/v1/evaluation', access)).body;
  const task = `/access/v1/requests/${context.reviewRequestId}`;
  t.equal((await app.call(stranger.key, 'GET', task)).status, 404);
  t.equal((await app.call(key, 'GET', task)).body.task.status, 'pending');
});

t.test(
  'AuthZEN: several evaluations inherit what they leave out, and stop where they were told to',
  async (t) => {
    const { post } = await governed(t, 'tool == "can_delete"', 'BLOCK');
    const { subject, resource, action } = access;
    const evaluations = [
      {},
      { action: { name: 'can_delete' } },
      { resource: { type: 'account', id: '124' } },
    ];
    const decisions = async (more: object) => {
      const { status, body } = await post('/access/v1/evaluations', {
        subject,
        resource,
        action,
        evaluations,
        ...more,
      });
      t.equal(status, 200);
      return body.evaluations.map(({ decision }: { decision: boolean }) => decision);
    };
    t.strictSame(await decisions({}), [true, false, true]);
    const semantic = (evaluations_semantic: string) => ({ options: { evaluations_semantic } });
    t.strictSame(await decisions(semantic('execute_all')), [true, false, true]);
    t.strictSame(await decisions(semantic('deny_on_first_deny')), [true, false]);
    t.strictSame(await decisions(semantic('permit_on_first_permit')), [true]);
    t.match((await post('/access/v1/evaluations', access)).body, { decision: true });
  },
);

t.test(
  'AuthZEN: one evaluation that cannot be decided is denied beside the decisions of the others',
  async (t) => {
    const { app, key, post } = await governed(t, 'tool == "can_delete"', 'BLOCK');
    const { subject, resource, action } = access;
    const whole = { subject, resource, action };
    const unknown = '00000000-0000-4000-9000-000000000000';
    const wrong: [unknown, number, RegExp][] = [
      [{ subject, action }, 400, /^\/evaluations\/1\/resource is required/],
      [{ ...whole, action: { name: 7 } }, 400, /^\/evaluations\/1\/action\/name must be string/],
      [{ ...whole, subject: { type: 'user' } }, 400, /^\/evaluations\/1\/subject\/id is required/],
      [{ ...whole, action: { name: 'a\u200bb' } }, 400, /invisible/],
      ['can_read', 400, /^\/evaluations\/1 must be object/],
      [null, 400, /must be object/],
      [{ ...whole, context: { reviewRequestId: unknown } }, 404, /./],
    ];
    for (const [one, errorStatus, message] of wrong) {
      const evaluations = [whole, one, { ...whole, action: { name: 'can_delete' } }, whole];
      const { status, body, text } = await post('/access/v1/evaluations', { evaluations });
      t.equal(status, 200, text);
      const decisions = body.evaluations.map(({ decision }: { decision: boolean }) => decision);
      t.strictSame(decisions, [true, false, false, true], JSON.stringify(one));
      t.match(body.evaluations[1], { context: { error: { status: errorStatus, message } } });
      const stopping = { evaluations, options: { evaluations_semantic: 'deny_on_first_deny' } };
      t.equal((await post('/access/v1/evaluations', stopping)).body.evaluations.length, 2);
    }
    app.services.evaluations.evaluate = async () => {
      throw new AppError('unavailable', 'busy');
    };
    const failed = await app.call(key, 'POST', '/access/v1/evaluations', { evaluations: [whole] });
    t.equal(failed.status, 503, 'a failure of the service is no decision');
  },
);

t.test('AuthZEN: a body that is not JSON is a bad request, whatever its type', async (t) => {
  const { app, key } = await governed(t, 'false', 'BLOCK');
  const body = JSON.stringify(access);
  for (const path of ['evaluation', 'evaluations', 'requests'])
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']) {
      const { status, body: refused } = await app.call(key, 'POST', `/access/v1/${path}`, body, {
        'content-type': type,
      });
      t.equal(status, 400, `${path}: ${type}`);
      t.match(refused.errors, [{ code: 'invalid', message: /application\/json/ }]);
    }
  const elsewhere = await app.call(key, 'POST', '/v1/evaluate', body, { 'content-type': 'text/plain' });
  t.equal(elsewhere.status, 415);
  t.equal((await app.call(null, 'POST', '/access/v1/evaluation', body)).status, 401);
});

t.test('AuthZEN: what is malformed is refused, and the refusal names the field', async (t) => {
  const { post } = await governed(t, 'false', 'BLOCK');
  const { subject, resource, action } = access;
  const cases: [object, string][] = [
    [{ resource, action }, '/subject'],
    [{ subject, action }, '/resource'],
    [{ subject, resource }, '/action'],
    [{ subject: { type: 'user' }, resource, action }, '/subject/id'],
    [{ subject: { id: 'a' }, resource, action }, '/subject/type'],
    [{ subject: { type: 'user', id: 7 }, resource, action }, '/subject/id'],
    [{ subject: { type: '', id: 'a' }, resource, action }, '/subject/type'],
    [{ subject, resource: { type: 'a', id: 'x'.repeat(1_001) }, action }, '/resource/id'],
    [{ subject, resource, action: { name: 7 } }, '/action/name'],
    [{ subject, resource, action: { name: 'a', properties: [] } }, '/action/properties'],
    [{ subject, resource, action, context: 'now' }, '/context'],
    [{ subject, resource, action, context: { externalSessionId: '' } }, '/context/externalSessionId'],
    [{ subject, resource, action, context: { reviewRequestId: 'x' } }, '/context/reviewRequestId'],
  ];
  for (const [body, path] of cases) {
    const { status, body: response } = await post('/access/v1/evaluation', body);
    t.equal(status, 400, path);
    t.equal(response.errors[0].path, path);
  }
  const many = { ...access, evaluations: Array.from({ length: 101 }, () => ({})) };
  t.equal((await post('/access/v1/evaluations', many)).status, 400);
  const semantic = { ...access, evaluations: [{}], options: { evaluations_semantic: 'some' } };
  t.equal(
    (await post('/access/v1/evaluations', semantic)).body.errors[0].path,
    '/options/evaluations_semantic',
  );
});

t.test(
  'AuthZEN: a search for actions finds the tools that the subject may call, and records nothing',
  async (t) => {
    const { app, id, post, sessions } = await governed(
      t,
      'tool == "delete" || (tool == "send" && session.toolCounts["send"] >= 1) || input.arguments.amount > 5',
      'BLOCK',
    );
    const tools = ['read', 'send', 'delete', 'pay'].map((name) => ({ name, effect: 'READ' }));
    await app.call(adminKey, 'PUT', `/v1/integrations/${id}/tools`, { tools });
    const { subject, resource } = access;
    const search = async (more: object = {}) => {
      const { status, body, text } = await post('/access/v1/search/action', { subject, resource, ...more });
      if (status !== 200) throw new Error(text);
      return body.results.map(({ name }: { name: string }) => name).join(' ');
    };
    t.equal(await search(), 'read send delete pay', 'a rule that reads arguments decides no search');
    t.strictSame(await sessions(), []);
    const { status, body } = await post('/access/v1/search/action', { subject });
    t.match({ status, body }, { status: 400, body: { errors: [{ path: '/resource' }] } });
  },
);

t.test('AuthZEN: a search for actions knows what the session has done', async (t) => {
  const { app, id, post, last } = await governed(
    t,
    'tool == "delete" || (tool == "send" && session.actionCount >= 1)',
    'BLOCK',
  );
  const tools = ['read', 'send', 'delete'].map((name) => ({ name, effect: 'READ' }));
  await app.call(adminKey, 'PUT', `/v1/integrations/${id}/tools`, { tools });
  const { subject, resource } = access;
  const search = async () => (await post('/access/v1/search/action', { subject, resource })).body.results;
  t.strictSame(await search(), [{ name: 'read' }, { name: 'send' }]);
  await post('/access/v1/evaluation', { ...access, action: { name: 'send' } });
  t.strictSame(await search(), [{ name: 'read' }]);
  t.match(await last(), { tool: 'send' }, 'the search is not recorded');
});
