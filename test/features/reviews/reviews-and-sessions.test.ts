import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { exportRecord, verify } from '../../helpers/record.ts';
import { heldIntegration, hold, pay } from '../../helpers/reviews.ts';

const file = join(import.meta.dirname, '../../../clients/verifier/verify-record.mjs');
const { createVerification } = await import(pathToFileURL(file).href);

const minute = 60_000;
const json = { accept: 'application/json' };

const listed = async (app: TestApp, status: string, sessionId: string): Promise<string[]> => {
  const { body } = await app.call(adminKey, 'GET', `/v1/reviews?status=${status}&sessionId=${sessionId}`);
  const ids = body.data.map(({ id }: { id: string }) => id);
  t.equal(body.pagination.total, ids.length);
  return ids;
};
const eventsOf = async (app: TestApp, type: string) =>
  (await app.call(adminKey, 'GET', `/v1/events?type=${type}&after=0&size=200`, undefined, json)).body.data
    .events;

t.test('when a session ends, its open reviews are cancelled, and nobody decides them any more', async (t) => {
  const app = await startApp(t);
  const { key, sessionId, review, decide, read, resume } = await heldIntegration(app);
  const pending = await review();
  const decided = await review({ targetKey: 'account-2' });
  await decide(decided, 'reject');
  const approved = await review({ targetKey: 'account-3' });
  await decide(approved, 'approve');
  const waiting = app.call(key, 'GET', `/v1/reviews/${pending}?wait=20`);
  app.clock.advance(minute);
  t.equal((await app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`)).status, 200);

  t.match((await waiting).body.data, { status: 'CANCELLED' }, 'who waits is told');
  t.match(await read(pending), { status: 'CANCELLED', decidedBy: null, decidedAt: null, comment: null });
  t.match((await app.call(key, 'GET', `/v1/reviews/${pending}`)).body.data, { status: 'CANCELLED' });
  for (const verb of ['approve', 'reject'] as const) {
    const refused = await decide(pending, verb);
    t.equal(refused.status, 409);
    t.match(refused.body.errors, [
      { message: 'the review is CANCELLED: its session was over before anybody decided' },
    ]);
  }
  const bulk = await app.call(adminKey, 'POST', '/v1/reviews/decide', {
    ids: [pending],
    decision: 'APPROVE',
  });
  t.match(bulk.body.data, [{ decided: false, error: { code: 'conflict', message: /is CANCELLED/ } }]);
  for (const [path, body] of [
    ['claim', undefined],
    ['extend', { minutes: 5 }],
  ] as const)
    t.equal((await app.call(adminKey, 'POST', `/v1/reviews/${pending}/${path}`, body)).status, 409, path);
  t.match(await read(decided), { status: 'REJECTED' }, 'what was decided stays so');
  t.match(await read(approved), { status: 'EXPIRED' }, 'nobody can use the approval');
  t.strictSame(await listed(app, 'PENDING', sessionId), []);
  t.strictSame(await listed(app, 'CANCELLED', sessionId), [pending]);
  t.strictSame(await listed(app, 'EXPIRED', sessionId), [approved]);
  const events = await eventsOf(app, 'review.cancelled');
  t.match(events, [{ subject: `reviews/${pending}`, data: { status: 'CANCELLED', sessionId } }]);
  t.equal(events.length, 1);
  app.clock.advance(20 * minute);
  await app.services.expiredReviews.sweep();
  t.equal((await eventsOf(app, 'review.cancelled')).length, 1, 'once');
  t.strictSame(await eventsOf(app, 'review.expired'), []);
  t.match((await app.call(adminKey, 'GET', '/v1/reviews/stats')).body.data, {
    pendingCount: 0,
    cancelledCount: 1,
    expiredCount: 0,
    approvedCount: 1,
    rejectedCount: 1,
  });
  t.match(await resume(pending), undefined, 'its session takes no action');
});

t.test('a review of a session that expires is cancelled by the clock, whoever looks and when', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.policy(integrationId, hold('reviewExpirySeconds: 604800'));
  const expiresAt = new Date(app.clock.now() + 10 * minute).toISOString();
  const opened = await app.call(key, 'POST', '/v1/evaluation-sessions', { expiresAt });
  const sessionId: string = opened.body.data.id;
  const evaluate = async (request: object) =>
    (await app.call(key, 'POST', '/v1/evaluate', { ...pay, sessionId, ...request })).body.data;
  const { reviewRequestId: id } = await evaluate({});
  const read = async () => (await app.call(adminKey, 'GET', `/v1/reviews/${id}`)).body.data;
  t.match(await read(), { status: 'PENDING', expiresAt }, 'it lasts no longer than its session');
  const extended = await app.call(adminKey, 'POST', `/v1/reviews/${id}/extend`, { minutes: 1 });
  t.equal(extended.status, 400);
  t.match(extended.body.errors, [{ path: '/minutes', message: /longer than its session/ }]);

  const approved = await evaluate({ targetKey: 'account-2' });
  app.clock.advance(9 * minute);
  await app.call(adminKey, 'POST', `/v1/reviews/${approved.reviewRequestId}/approve`);
  const approval = await app.call(adminKey, 'GET', `/v1/reviews/${approved.reviewRequestId}`);
  t.match(approval.body.data, { status: 'APPROVED', expiresAt }, 'nor does an approval');

  app.clock.advance(minute);
  t.match(await read(), { status: 'CANCELLED' }, 'before anything swept');
  t.strictSame(await listed(app, 'PENDING', sessionId), []);
  t.strictSame(await listed(app, 'CANCELLED', sessionId), [id]);
  t.strictSame(await listed(app, 'EXPIRED', sessionId), [approved.reviewRequestId]);
  t.equal((await app.call(adminKey, 'POST', `/v1/reviews/${id}/approve`)).status, 409);
  t.match((await app.call(adminKey, 'GET', '/v1/reviews/stats')).body.data, {
    cancelledCount: 1,
    expiredCount: 0,
  });
  await app.services.expiredReviews.sweep();
  t.match(await eventsOf(app, 'review.cancelled'), [{ subject: `reviews/${id}` }]);
  t.match(await read(), { status: 'CANCELLED' }, 'after it as well');
  t.strictSame(await listed(app, 'CANCELLED', sessionId), [id]);
});

t.test('a review that expires before its session is EXPIRED, and stays so', async (t) => {
  const app = await startApp(t);
  const { key, sessionId, review, read } = await heldIntegration(app);
  const id = await review();
  app.clock.advance(15 * minute);
  t.match(await read(id), { status: 'EXPIRED' });
  t.equal((await app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`)).status, 200);
  t.match(await read(id), { status: 'EXPIRED' });
  t.strictSame(await listed(app, 'CANCELLED', sessionId), []);
});

t.test('ending a parent cancels the reviews of the sessions below it', async (t) => {
  const app = await startApp(t);
  const { key, sessionId, review, read } = await heldIntegration(app);
  const open = async (parentSessionId?: string): Promise<string> =>
    (await app.call(key, 'POST', '/v1/evaluation-sessions', { parentSessionId })).body.data.id;
  const child = await open(sessionId);
  const sibling = await open(sessionId);
  const [ofParent, ofChild] = [await review(), await review({ sessionId: await open(child) })];
  const ofSibling = await review({ sessionId: sibling });
  const ofOther = await review({ sessionId: await open() });
  await app.call(key, 'POST', `/v1/evaluation-sessions/${child}/end`);
  t.match(await read(ofChild), { status: 'CANCELLED' });
  t.match(await read(ofParent), { status: 'PENDING' });
  t.match(await read(ofSibling), { status: 'PENDING' });
  await app.call(adminKey, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);
  t.match(await read(ofParent), { status: 'CANCELLED' });
  t.match(await read(ofSibling), { status: 'CANCELLED' });
  t.match(await read(ofOther), { status: 'PENDING' }, 'another session goes on');
  t.equal((await eventsOf(app, 'review.cancelled')).length, 3);
});

t.test('of a decision and the end of the session at once, one comes first', async (t) => {
  const here = await startApp(t);
  const there = await startApp(t, {}, { database: here.database, clock: here.clock });
  for (let round = 0; round < 10; round++) {
    const { key, sessionId, review, read } = await heldIntegration(here);
    const id = await review();
    const verb = round % 2 ? 'approve' : 'reject';
    const [ended, decided] = await Promise.all([
      (round % 3 ? here : there).call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`),
      here.call(adminKey, 'POST', `/v1/reviews/${id}/${verb}`),
    ]);
    t.equal(ended.status, 200);
    const { status } = await read(id);
    if (decided.status === 200) t.equal(status, verb === 'approve' ? 'EXPIRED' : 'REJECTED');
    else t.strictSame([decided.status, status], [409, 'CANCELLED']);
  }
});

t.test('the record has what was cancelled, and both verifiers agree', async (t) => {
  const app = await startApp(t);
  const { key, sessionId, review } = await heldIntegration(app);
  const id = await review();
  await app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);
  const expiresAt = new Date(app.clock.now() + minute).toISOString();
  const expiring = (await app.call(key, 'POST', '/v1/evaluation-sessions', { expiresAt })).body.data.id;
  const other = await review({ sessionId: expiring });
  app.clock.advance(minute);
  await app.services.expiredReviews.sweep();
  const lines = await exportRecord(app);
  const entries = lines
    .map((line) => JSON.parse(line))
    .flatMap(({ kind, entry }) => (kind === 'entry' && entry.kind === 'review' ? [entry] : []));
  t.match(
    entries.sort((left, right) => (left.at < right.at ? -1 : 1)),
    [
      { id, status: 'CANCELLED', decidedBy: '', comment: null },
      { id: other, status: 'CANCELLED', decidedBy: '', comment: null },
    ],
  );
  t.strictSame(verify(lines).problems, []);
  const alone = createVerification();
  for (const line of lines) alone.line(line);
  t.strictSame(alone.end().problems, []);
});

t.test('AuthZEN: the task of a review that ended with its session is cancelled', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.policy(integrationId, hold());
  const asked = {
    subject: { type: 'user', id: 'ann' },
    action: { name: 'pay' },
    resource: { type: 'account', id: '1' },
  };
  const { body } = await app.call(key, 'POST', '/access/v1/evaluation', asked);
  const denial = { evaluation_id: body.context.evaluation_id };
  const { body: task } = await app.call(key, 'POST', '/access/v1/requests', { ...asked, denial });
  t.match(task, { task: { status: 'pending' } });
  const [{ id: sessionId }] = (await app.call(key, 'GET', '/v1/evaluation-sessions')).body.data;
  await app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);
  const again = await app.call(key, 'GET', `/access/v1/requests/${task.task.id}`);
  t.match(again.body, { task: { status: 'cancelled', expires_at: undefined }, result: undefined });
  t.equal((await app.call(key, 'POST', '/access/v1/requests', { ...asked, denial })).status, 410);
});

t.test('a callback says that the review was cancelled', async (t) => {
  const app = await startApp(t);
  const { key, sessionId, review, read } = await heldIntegration(app);
  const id = await review({ callbackUrl: 'https://agent.example/called' });
  app.clock.advance(minute);
  await app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);
  t.match(await read(id), { callback: { status: 'PENDING', url: 'https://agent.example/called' } });
  const [due] = await app.store.callbacks.claimDue(app.clock.now(), 10, app.clock.now() + 1);
  t.match(due, { url: 'https://agent.example/called' });
  t.match(JSON.parse(due?.body ?? ''), {
    type: 'review.cancelled',
    timestamp: '2030-01-01T00:01:00.000Z',
    data: { reviewRequestId: id, status: 'CANCELLED', decidedAt: null, comment: null, sessionId },
  });
});

const labelled = `
schemaVersion: 1
name: results
counters:
  spent: { over: entity, within: 24h, where: tool == "order", add: input.atMost, settle: input.price }
  orders: { over: session, where: tool == "order" }
  results: { over: tree, on: RESULT }
rules:
  - { id: reads, on: [RESULT], when: "true", label: [UNTRUSTED] }
  - { id: remembers, on: [RESULT], when: counters.orders == 2 && counters.results == 0, label: [COUNTED] }
  - { id: budget, tool: order, when: counters.spent + input.atMost > 100, effect: BLOCK }
`;

t.test(
  'a result is taken for 15 minutes after the session of its action is over, then refused',
  async (t) => {
    const app = await startApp(t);
    const { id: integrationId, key } = await app.integration('AGENT', { contentRetention: 'full' });
    await app.policy(integrationId, labelled);
    const order = async (sessionId: string, atMost: number) =>
      (await app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'order', atMost } })).body
        .data;
    const result = (resultOf: string, price: number) =>
      app.call(key, 'POST', '/v1/evaluate', { phase: 'RESULT', resultOf, status: 'OK', input: { price } });
    const end = (sessionId: string) => app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);

    for (const [place, kind] of (['ended', 'expired'] as const).entries()) {
      const entityId = `00000000-0000-4000-8000-0000000000c${place}`;
      const open = async (more: object = {}): Promise<string> =>
        (await app.call(key, 'POST', '/v1/evaluation-sessions', { entityId, ...more })).body.data.id;
      const expiresAt = new Date(app.clock.now() + 5 * minute).toISOString();
      const session = await open(kind === 'expired' ? { expiresAt } : {});
      const first = await order(session, 40);
      const second = await order(session, 40);
      t.match([first, second], [{ enforcementAction: 'ALLOW' }, { enforcementAction: 'ALLOW' }], kind);
      if (kind === 'ended') await end(session);
      else app.clock.advance(5 * minute);
      t.match(await order(await open(), 30), { enforcementAction: 'BLOCK' }, 'both are reserved');
      app.clock.advance(15 * minute - 1);
      await app.services.endedCounters.sweep();
      const late = await result(first.evaluationRunId, 1);
      t.equal(late.status, 200, kind);
      t.match(late.body.data, {
        enforcementAction: 'ALLOW',
        labels: ['UNTRUSTED', 'COUNTED'],
        sessionId: session,
      });
      const read = (await app.call(key, 'GET', `/v1/evaluation-sessions/${session}`)).body.data;
      t.match(read, { labels: ['UNTRUSTED', 'COUNTED'], status: kind === 'ended' ? 'COMPLETED' : 'EXPIRED' });
      t.match(await order(await open(), 30), { enforcementAction: 'ALLOW' }, 'what it cost is settled');
      t.equal((await result(first.evaluationRunId, 1)).status, 409, 'once');
      t.equal((await order(session, 1)) as unknown, undefined, 'the session takes no action');
      app.clock.advance(1);
      const tooLate = await result(second.evaluationRunId, 1);
      t.equal(tooLate.status, 409);
      t.match(tooLate.body.errors, [
        {
          message: `the session is ${read.status}: results of its actions are taken for 15 minutes after its end`,
          path: '/resultOf',
        },
      ]);
    }
  },
);

t.test('a result that is sent again after its session has ended gets the stored response', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('AGENT', { contentRetention: 'full' });
  const open = async (): Promise<string> =>
    (await app.call(key, 'POST', '/v1/evaluation-sessions')).body.data.id;
  const evaluate = (body: object, once: string) =>
    app.call(key, 'POST', '/v1/evaluate', body, { 'idempotency-key': once });
  for (const when of ['before', 'after']) {
    const sessionId = await open();
    const act = { sessionId, input: { tool: 'read' } };
    const action = await evaluate(act, `action ${when}`);
    const { evaluationRunId: resultOf } = action.body.data;
    const result = { phase: 'RESULT', resultOf, status: 'OK', input: { text: 'fine' } };
    const end = () => app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);
    if (when === 'after') await end();
    const first = await evaluate(result, `result ${when}`);
    t.equal(first.status, 200, when);
    if (when === 'before') await end();
    const again = await evaluate(result, `result ${when}`);
    t.equal(again.status, 200, when);
    t.strictSame(again.body.data, { ...first.body.data, replayed: true });
    t.equal((await evaluate(act, `action ${when}`)).status, 409, 'the action is not permitted again');
    const other = await evaluate({ ...result, input: { text: 'else' } }, `result ${when}`);
    t.match(other.body.errors, [{ message: /already used for a different request/ }]);
  }
});

t.test('what a late result of a sub-agent brings counts for the agents above it', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.policy(integrationId, labelled);
  const open = async (parentSessionId?: string): Promise<string> =>
    (await app.call(key, 'POST', '/v1/evaluation-sessions', { parentSessionId })).body.data.id;
  const root = await open();
  const middle = await open(root);
  const lowest = await open(middle);
  const input = { tool: 'read' };
  const run = (await app.call(key, 'POST', '/v1/evaluate', { sessionId: lowest, input })).body.data;
  await app.call(key, 'POST', `/v1/evaluation-sessions/${middle}/end`);
  await app.call(key, 'POST', '/v1/evaluate', { sessionId: root, input });
  const labels = async (id: string) =>
    (await app.call(key, 'GET', `/v1/evaluation-sessions/${id}`)).body.data.labels;
  t.strictSame(await labels(root), []);
  const late = {
    phase: 'RESULT',
    resultOf: run.evaluationRunId,
    status: 'OK',
    input: { mail: 'a@example.com' },
  };
  t.equal((await app.call(key, 'POST', '/v1/evaluate', late)).status, 200);
  for (const id of [lowest, middle, root]) t.strictSame(await labels(id), ['UNTRUSTED'], id);
  const { dataTags } = (await app.call(key, 'GET', `/v1/evaluation-sessions/${root}`)).body.data;
  t.strictSame(dataTags, ['PII', 'EMAIL_ADDRESS']);
});
