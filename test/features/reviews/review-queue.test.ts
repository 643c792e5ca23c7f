import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';
import { heldIntegration } from '../../helpers/reviews.ts';

const json = { accept: 'application/json' };

/** An operator with a role, and a way to call as it. */
async function operator(app: TestApp, name: string, role = 'REVIEWER') {
  const made = await app.call(adminKey, 'POST', '/v1/operators', { name, roles: [role] });
  const { key } = (await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: made.body.data.id }))
    .body.data;
  return {
    id: made.body.data.id as string,
    key: key as string,
    post: (path: string, body?: object) => app.call(key, 'POST', `/v1/reviews/${path}`, body),
    get: (path: string) => app.call(key, 'GET', `/v1/reviews${path}`),
  };
}
const told = async (app: TestApp, type: string) =>
  (await app.call(adminKey, 'GET', `/v1/events?after=0&type=${type}`, undefined, json)).body.data.events;

t.test(
  'a review is claimed by one operator; another is told who has it, until it is given back',
  async (t) => {
    const app = await startApp(t);
    const held = await heldIntegration(app);
    const [ada, bob] = [await operator(app, 'Ada'), await operator(app, 'Bob')];
    const id = await held.review();
    const races = await Promise.all([ada.post(`${id}/claim`), bob.post(`${id}/claim`)]);
    t.strictSame(races.map(({ status }) => status).sort(), [200, 409], 'of two who claim at once, one wins');
    const [winner, loser] = races[0]?.status === 200 ? [ada, bob] : [bob, ada];
    const name = winner === ada ? 'Ada' : 'Bob';
    const lost = await loser.post(`${id}/claim`);
    t.match(lost.body.errors, [{ code: 'conflict', message: `the review is claimed by ${name}` }]);
    t.match((await winner.post(`${id}/claim`)).body.data, {
      assignee: { id: winner.id, name },
      assignedAt: /Z$/,
    });
    t.equal((await told(app, 'review.claimed')).length, 1, 'claimed again by the same one, nothing happened');
    t.match(await loser.post(`${id}/release`), {
      status: 409,
      body: { errors: [{ message: /claimed by/ }] },
    });
    t.match((await winner.get('?assignee=me')).body.data, [{ id }]);
    t.strictSame((await loser.get('?assignee=me')).body.data, []);
    t.strictSame((await loser.get('?assignee=none')).body.data, []);
    t.match((await loser.get(`?assignee=${winner.id}`)).body, { data: [{ id }], pagination: { total: 1 } });
    t.match(
      (await app.call(adminKey, 'POST', `/v1/reviews/${id}/release`)).body.data,
      { assignee: null },
      'an owner may',
    );
    t.match((await loser.get('?assignee=none')).body.data, [{ id }]);
    t.match((await loser.post(`${id}/approve`)).body.data, { status: 'APPROVED' });
    const late = await winner.post(`${id}/claim`);
    t.match(late, { status: 409, body: { errors: [{ message: /^the review is APPROVED: .+ decided at/ }] } });
  },
);

t.test('comments are for operators; the agent sees none', async (t) => {
  const app = await startApp(t);
  const held = await heldIntegration(app);
  const ada = await operator(app, 'Ada');
  const id = await held.review();
  const made = await ada.post(`${id}/comments`, { text: 'asked the requester' });
  t.match(made, {
    status: 201,
    body: { data: { author: { id: ada.id, name: 'Ada' }, text: 'asked the requester' } },
  });
  await ada.post(`${id}/comments`, { text: 'and again' });
  const { data, pagination } = (await ada.get(`/${id}/comments`)).body;
  t.strictSame(
    data.map(({ text }: { text: string }) => text),
    ['asked the requester', 'and again'],
  );
  t.equal(pagination.total, 2);
  t.equal((await app.call(held.key, 'GET', `/v1/reviews/${id}/comments`)).status, 403);
  t.notMatch((await app.call(held.key, 'GET', `/v1/reviews/${id}`)).text, /asked/);
  t.notMatch(JSON.stringify(await told(app, 'review.commented')), /asked/, 'an event holds no comment');
});

t.test('an extended review waits longer, and trying again does not shorten it', async (t) => {
  const app = await startApp(t);
  const held = await heldIntegration(app);
  const ada = await operator(app, 'Ada');
  const id = await held.review();
  t.match((await ada.post(`${id}/extend`, { minutes: 60 })).body.data, {
    expiresAt: '2030-01-01T01:15:00.000Z',
  });
  t.equal(await held.review(), id);
  t.match(await held.read(id), { expiresAt: '2030-01-01T01:15:00.000Z' });
  app.clock.advance(70 * 60_000);
  await app.services.expiredReviews.sweep();
  t.match(await held.read(id), { status: 'PENDING', input: { tool: 'pay' } });
  const beyond = { path: '/minutes', message: 'the review would wait for longer than its session lasts' };
  t.match(await ada.post(`${id}/extend`, { minutes: 1_440 }), { status: 400, body: { errors: [beyond] } });
  app.clock.advance(8 * 86_400_000);
  t.match(await ada.post(`${id}/extend`, { minutes: 1 }), { status: 409 });

  const longer = new Date(app.clock.now() + 30 * 86_400_000).toISOString();
  const { body } = await app.call(held.key, 'POST', '/v1/evaluation-sessions', { expiresAt: longer });
  const other = await held.review({ sessionId: body.data.id });
  for (let count = 0; count < 6; count++) await ada.post(`${other}/extend`, { minutes: 1_440 });
  const refused = await ada.post(`${other}/extend`, { minutes: 1_440 });
  t.match(refused, { status: 400, body: { errors: [{ path: '/minutes', message: /more than 7 days/ }] } });
});

t.test('several are decided at once, each for itself, with a reason', async (t) => {
  const app = await startApp(t);
  const held = await heldIntegration(app);
  const ada = await operator(app, 'Ada');
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push(await held.review({ input: { tool: 'pay', count } }));
  await held.decide(ids[1] ?? '', 'reject');
  const missing = '00000000-0000-4000-8000-000000000000';
  const { body } = await ada.post('decide', {
    ids: [...ids, missing],
    decision: 'APPROVE',
    reason: 'EXPECTED',
    comment: 'fine',
  });
  t.match(body.data, [
    { id: ids[0], decided: true, status: 'APPROVED', error: null },
    {
      id: ids[1],
      decided: false,
      status: null,
      error: { code: 'conflict', message: /REJECTED: owner decided/ },
    },
    { id: ids[2], decided: true },
    { id: missing, decided: false, error: { code: 'not_found' } },
  ]);
  t.match(await held.read(ids[0] ?? ''), { decidedBy: { name: 'Ada' }, reason: 'EXPECTED', comment: 'fine' });
  t.equal((await told(app, 'review.approved')).length, 2);
  const audit = (await app.call(adminKey, 'GET', '/v1/audit?action=decideReviews')).body.data;
  t.strictSame(
    new Set(audit.map(({ resourceId }: { resourceId: string }) => resourceId)),
    new Set([ids[0], ids[2]]),
  );
});

t.test('the queue is filtered by tool, severity and age', async (t) => {
  const app = await startApp(t);
  const held = await heldIntegration(app);
  const first = await held.review();
  app.clock.advance(60_000);
  const second = await held.review({ input: { tool: 'pay', other: true } });
  const list = async (query: string) =>
    (await app.call(adminKey, 'GET', `/v1/reviews?${query}`)).body.data.map(({ id }: { id: string }) => id);
  t.strictSame(await list('tool=pay&severity=HIGH&status=PENDING'), [second, first]);
  t.strictSame(await list('tool=other'), []);
  t.strictSame(await list('severity=LOW'), []);
  t.strictSame(await list('to=2030-01-01T00:01:00Z'), [first]);
  t.strictSame(await list('from=2030-01-01T00:01:00Z&assignee=none'), [second]);
  const { status, body } = await app.call(held.key, 'GET', '/v1/reviews?assignee=me');
  t.equal(status, 400);
  t.match(body.errors, [{ path: '/assignee' }]);
});

t.test('a review is announced before it expires, once, and when it has', async (t) => {
  const app = await startApp(t);
  const held = await heldIntegration(app);
  const id = await held.review();
  const sweep = () => app.services.expiredReviews.sweep();
  app.clock.advance(10 * 60_000 - 1);
  await sweep();
  t.strictSame(await told(app, 'review.expiring'), []);
  app.clock.advance(1);
  await sweep();
  await sweep();
  t.match(await told(app, 'review.expiring'), [
    { subject: `reviews/${id}`, data: { status: 'PENDING', tool: 'pay' } },
  ]);
  await app.call(adminKey, 'POST', `/v1/reviews/${id}/extend`, { minutes: 10 });
  app.clock.advance(10 * 60_000);
  await sweep();
  t.equal((await told(app, 'review.expiring')).length, 2, 'again when it was put off');
  app.clock.advance(5 * 60_000);
  await sweep();
  await sweep();
  t.match(await told(app, 'review.expired'), [{ subject: `reviews/${id}`, data: { status: 'EXPIRED' } }]);
});

t.test('statistics: how long decisions took, and what expired unseen', async (t) => {
  const app = await startApp(t);
  const held = await heldIntegration(app);
  const ids: string[] = [];
  for (let count = 0; count < 6; count++) ids.push(await held.review({ input: { tool: 'pay', count } }));
  for (const [place, id] of ids.slice(0, 3).entries()) {
    app.clock.advance(10_000);
    await held.decide(id, place === 0 ? 'reject' : 'approve');
  }
  await held.read(ids[3] ?? '');
  app.clock.advance(15 * 60_000);
  await held.review({ input: { tool: 'pay', last: true } });
  const stats = async (query = '') =>
    (await app.call(adminKey, 'GET', `/v1/reviews/stats${query}`)).body.data;
  t.strictSame(await stats(), {
    from: '2029-12-25T00:15:30.000Z',
    reviewCount: 7,
    pendingCount: 1,
    approvedCount: 2,
    rejectedCount: 1,
    cancelledCount: 0,
    expiredCount: 3,
    expiredUnseenCount: 2,
    timeToDecisionMs: { p50: 20_000, p90: 30_000, max: 30_000 },
  });
  t.match(await stats('?from=2030-01-01T00:10:00Z'), { reviewCount: 1, timeToDecisionMs: { p50: null } });
  t.match(await stats('?integrationId=00000000-0000-4000-8000-000000000000'), { reviewCount: 0 });
});

t.test('events of a review mask what the policies themselves detect in the name of its tool', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  const detectors = "detectors: [{ tag: STAFF_NUMBER, category: STAFF, pattern: 'S-[0-9]{6}' }]";
  await app.policy(id, rule('true', 'APPROVAL_REQUIRED', detectors));
  const hold = async () =>
    (await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'notify-S-204711' } })).body.data
      .reviewRequestId;
  const decided = await hold();
  const steps = ['claim', 'release', 'approve'];
  for (const step of steps) {
    const { status, text } = await app.call(adminKey, 'POST', `/v1/reviews/${decided}/${step}`);
    t.equal(status, 200, text);
  }
  await hold();
  app.clock.advance(14 * 60_000);
  await app.services.expiredReviews.sweep();
  app.clock.advance(14 * 60_000);
  await app.services.expiredReviews.sweep();
  const events: { type: string; data: { tool: string } }[] = await told(app, 'review.*,evaluation.*');
  for (const type of ['opened', 'claimed', 'released', 'approved', 'expiring', 'expired'])
    t.ok(
      events.some((event) => event.type === `review.${type}`),
      type,
    );
  for (const { type, data } of events) t.equal(data.tool, 'notify-[STAFF_NUMBER]', type);
});
