import type { Test } from 'tap';
import type { StoredReview } from '../../../src/store/reviews.ts';
import * as make from '../samples.ts';
import { missing, type Open, page, wide } from './open.ts';
import { operator } from './operators.ts';

const { start } = make;

export function reviews(t: Test, open: Open): void {
  const decision = { status: 'APPROVED' as const, decidedBy: missing, comment: 'c', now: start + 1 };
  const callback = () => ({ id: make.newId(), body: '{}' });

  t.test('reviews: are read by their integration and by operators', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const other = await make.createIntegration(store);
    const asked = {
      tool: 'pay',
      targetKey: 't',
      correlationId: 'c',
      input: '{"b":1,"a":2}',
      dataTags: ['PII'],
    };
    const reviewId = await make.openReview(store, id, {}, asked);
    const found = await store.reviews.find(id, reviewId.toUpperCase(), start);
    t.match(found, {
      ...asked,
      id: reviewId,
      status: 'PENDING',
      integrationId: id,
      sessionId: null,
      callback: null,
    });
    t.strictSame(await store.reviews.find(null, reviewId, start), found);
    t.equal(await store.reviews.find(other.id, reviewId, start), null);
    t.equal(await store.reviews.find(null, missing, start), null);
    t.equal((await store.reviews.list({ integrationId: other.id }, page, start, wide)).total, 0);
    const items = [{ ...found, whole: null, omitted: [] }];
    t.strictSame(await store.reviews.list({ integrationId: id }, page, start, wide), { items, total: 1 });
    const foreign = make.evaluation(other.id, { reviewRequestId: reviewId });
    t.strictSame(await store.evaluations.record(foreign, () => make.verdict()), { kind: 'no_review' });
  });

  t.test('reviews: decided once, while PENDING; an approval lives as long again', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const reviewId = await make.openReview(store, id, { expirySeconds: 10, expiresAt: start + 10_000 });
    const results = await Promise.all([
      store.reviews.decide(reviewId, decision, callback),
      store.reviews.decide(reviewId, { ...decision, status: 'REJECTED' }, callback),
    ]);
    t.match(results, [
      { status: 'APPROVED', comment: 'c', decidedAt: start + 1, expiresAt: start + 10_001, callback: null },
      { notPending: { status: 'APPROVED', decidedBy: decision.decidedBy } },
    ]);
    t.match(await store.reviews.find(id, reviewId, start + 10_000), { status: 'APPROVED' });
    t.match(await store.reviews.find(id, reviewId, start + 10_001), { status: 'EXPIRED' });
    t.equal(await store.reviews.decide(missing, decision, callback), 'no_review');
    const late = await make.openReview(store, id, { expiresAt: start + 1 });
    t.match(await store.reviews.decide(late, decision, callback), {
      notPending: { id: late, status: 'EXPIRED', decidedBy: null },
    });
  });

  t.test('reviews: who may have requested the action can be kept from deciding', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store, {}, make.key({ issuedBy: 'o1' }));
    const entityId = make.newId();
    const session = make.session(id, { entityId });
    const reviewId = await make.openReview(store, id, {}, { session: { open: session } });
    await store.integrations.replaceKey(id, make.key({ issuedBy: 'o2' }), start);
    const by = (operatorId: string, entity: string | null = null) =>
      store.reviews.decide(
        reviewId,
        { ...decision, fourEyes: true, requester: { operatorIds: ['o0', operatorId], entityId: entity } },
        callback,
      );
    for (const operatorId of ['o1', 'o2']) t.equal(await by(operatorId), 'own_request');
    t.equal(await by('o3', entityId), 'own_request');
    t.match(await by('o3', missing), { status: 'APPROVED' });
  });

  t.test('reviews: only approvals of operators who are ACTIVE count together', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const requires = [{ quorum: 2, from: [] }];
    const reviewId = await make.openReview(store, id, { terms: { requires, notRequester: false } });
    const reviewer = () => operator({ roles: ['REVIEWER'] });
    const [ann, bob, leo] = [reviewer(), reviewer(), reviewer()];
    for (const one of [ann, bob, leo]) await store.operators.create(one);
    const by = ({ id: decidedBy }: { id: string }) =>
      store.reviews.decide(reviewId, { ...decision, decidedBy }, callback);
    t.match(await by(ann), { status: 'PENDING' });
    await store.operators.change(ann.id, { status: 'DISABLED' }, start);
    t.match(await by(bob), { status: 'PENDING' });
    t.match(await by(leo), { status: 'APPROVED' });
  });

  t.test('reviews: a rejection is found in the tree of its session, and counted there', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const other = await make.createIntegration(store);
    const root = make.session(id, { expiresAt: start + 1_000_000 });
    await store.sessions.create(root, '{}', null);
    const inputHash = make.newHash();
    const asked = { tool: 'pay', inputHash: () => inputHash, session: { id: root.id } };
    const reviewId = await make.openReview(store, id, { inputHash }, asked);
    const child = make.session(id, {
      expiresAt: start + 1_000_000,
      place: { parentId: root.id, rootId: root.id, depth: 1, delegatedBy: [] },
    });
    await store.sessions.create(child, '{}', null);
    const seen = async (integrationId: string, more: object) => {
      let found: unknown;
      let rejections = 0;
      await store.evaluations.record(
        make.evaluation(integrationId, { ...asked, at: start + 5, ...more }),
        (context, { rejection }) => {
          found = rejection;
          rejections = context.tree?.rejectionCount ?? context.rejectionCount;
          return make.verdict();
        },
      );
      return [found, rejections];
    };
    t.strictSame(await seen(id, {}), [null, 0]);
    await store.reviews.decide(reviewId, { ...decision, status: 'REJECTED' }, callback);
    const rejection = { reviewRequestId: reviewId, comment: 'c', decidedAt: start + 1 };
    const needs = { ...make.evaluation(id).needs, pendingReview: false };
    t.strictSame(await seen(id, {}), [rejection, 1]);
    t.strictSame(await seen(id, { needs }), [rejection, 1], 'whether policies can hold it or not');
    t.strictSame(await seen(id, { session: { id: child.id } }), [rejection, 1], 'in a child');
    const grandchild = make.session(id, { place: { ...child.place, parentId: child.id, depth: 2 } as never });
    t.strictSame(await seen(id, { session: { open: grandchild } }), [rejection, 1], 'in one that is opened');
    t.strictSame(await seen(id, { inputHash: () => 'other' }), [null, 1], 'another action');
    t.strictSame(await seen(id, { tool: 'look' }), [null, 1], 'another tool');
    t.strictSame(await seen(id, { phase: 'RESULT' }), [null, 1], 'a result');
    t.strictSame(await seen(id, { session: { open: make.session(id) } }), [null, 0], 'another session');
    t.match(await store.sessions.find(id, root.id, start), { rejectionCount: 1 });
    t.match(await store.sessions.find(id, child.id, start), { rejectionCount: 0 });

    const alone = await make.openReview(store, id, { inputHash }, { ...asked, session: null });
    await store.reviews.decide(alone, { ...decision, status: 'REJECTED' }, callback);
    const none = { session: null };
    t.match(await seen(id, none), [{ reviewRequestId: alone }, 0], 'without a session');
    t.match(await seen(id, { ...none, at: start + 86_400_000 }), [{ reviewRequestId: alone }, 0]);
    t.strictSame(await seen(id, { ...none, at: start + 86_400_001 }), [null, 0], 'for a day');
    t.strictSame(await seen(other.id, none), [null, 0], 'of its integration');
  });

  t.test('reviews: no more are opened than the session and the integration may have', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const created = make.session(id, { expiresAt: start + 2_000_000 });
    await store.sessions.create(created, '{}', null);
    const full = async (
      session: { id: string } | null,
      ofSession: number,
      ofIntegration: number,
      at = start,
    ) => {
      let found: unknown;
      await store.evaluations.record(
        make.evaluation(id, { session, at, reviewLimits: { ofSession, ofIntegration } }),
        (_, { findFullQueue }) => {
          found = findFullQueue();
          return make.verdict();
        },
      );
      return found;
    };
    for (let count = 0; count < 2; count++)
      await make.openReview(store, id, {}, { session: { id: created.id } });
    await make.openReview(store, id);
    const session = { id: created.id };
    t.equal(await full(session, 3, 4), null);
    t.strictSame(await full(session, 2, 4), { scope: 'session', limit: 2 });
    t.strictSame(await full(session, 3, 3), { scope: 'integration', limit: 3 });
    t.equal(await full(null, 1, 4), null, 'without a session, only those of the integration count');
    t.equal(await full(session, 2, 3, start + 900_000), null, 'expired ones do not count');
  });

  t.test('reviews: an approval is used by one evaluation only', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const reviewId = await make.openReview(store, id);
    const seen: string[] = [];
    const use = () =>
      store.evaluations.record(
        make.evaluation(id, { reviewRequestId: reviewId, at: start + 2 }),
        (_, { named }) => {
          seen.push(named?.status ?? 'none');
          return make.verdict({ consumesReview: named?.status === 'APPROVED' });
        },
      );
    await use();
    await store.reviews.decide(reviewId, decision, callback);
    await Promise.all([use(), use(), use()]);
    t.strictSame(seen, ['PENDING', 'APPROVED', 'CONSUMED', 'CONSUMED']);
    t.match(await store.reviews.find(id, reviewId, start), { status: 'CONSUMED', consumedAt: start + 2 });
    const wrong = make.evaluation(id, { reviewRequestId: reviewId, session: { open: make.session(id) } });
    await t.rejects(store.evaluations.record(wrong, () => make.verdict({ consumesReview: true })));
    t.equal((await store.sessions.list(id, {}, page, start)).total, 0, 'and nothing is half recorded');
  });

  t.test('reviews: an action has one PENDING review, which shows its last evaluation', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const other = await make.createIntegration(store);
    const created = make.session(id);
    await store.sessions.create(created, '{}', null);
    const inputHash = make.newHash();
    const callbackUrl = 'https://a.example';
    const opened = make.review({ inputHash, callbackUrl });
    const session = { id: created.id };
    await store.evaluations.record(make.evaluation(id, { session, tool: 'pay' }), () =>
      make.verdict({ enforcementAction: 'APPROVAL_REQUIRED', review: opened, reviewRequestId: opened.id }),
    );
    const pending = async (integrationId: string, more: object, hash = inputHash) => {
      let found: string | undefined;
      await store.evaluations.record(
        make.evaluation(integrationId, { tool: 'pay', inputHash: () => hash, ...more }),
        (_, reviews) => {
          found = reviews.pending?.id;
          return make.verdict();
        },
      );
      return found;
    };
    t.equal(await pending(id, { session }), opened.id);
    t.equal(await pending(id, {}), undefined, 'another session');
    t.equal(await pending(id, { session, tool: 'x' }), undefined, 'another tool');
    t.equal(await pending(id, { session }, make.newHash()), undefined, 'another input');
    t.equal(await pending(other.id, {}), undefined, 'another integration');
    const again = make.evaluation(id, { session, tool: 'pay', input: '{}', inputHash: () => inputHash });
    const whole = { input: '{"whole":1}', targetKey: 'k', targetMetadata: '{}' };
    const content = { ...whole, callbackUrl: null, isMasked: false };
    const life = { expiresAt: start + 500, expirySeconds: 5 };
    await store.evaluations.record(again, () =>
      make.verdict({
        heldAgain: { ...opened, callbackUrl: null, shownTool: 'pay ***', content, ...life },
      }),
    );
    t.match(await store.reviews.find(id, opened.id, start + 499), {
      evaluationRunId: again.id,
      input: '{}',
      whole,
      callbackUrl,
      shownTool: 'pay ***',
      expiresAt: start + 500,
    });
    t.match(await store.reviews.find(id, opened.id, start + 500), { status: 'EXPIRED', whole: null });
    t.equal(await pending(id, { session, at: start + 500 }), undefined, 'it has expired');
    await store.reviews.forgetExpired(start + 499);
    t.match(await store.reviews.find(id, opened.id, start), { whole });
    await store.reviews.forgetExpired(start + 500);
    t.match(await store.reviews.find(id, opened.id, start), { whole: { input: '{}', targetKey: null } });
  });

  t.test('reviews: end with their session', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const life = { expiresAt: start + 1_000 };
    const root = make.session(id, life);
    const place = { parentId: root.id, rootId: root.id, depth: 1, delegatedBy: [] };
    const child = make.session(id, { ...life, place });
    const beside = make.session(id, life);
    for (const created of [root, child, beside]) await store.sessions.create(created, '{}', null);
    const ends = { endsWithSession: true, ...life };
    const openIn = (session: { id: string }) =>
      make.openReview(store, id, ends, { session: { id: session.id } });
    const [ofRoot, ofChild, approved, other] = [
      await openIn(root),
      await openIn(child),
      await openIn(root),
      await openIn(beside),
    ];
    await store.reviews.decide(approved, decision, callback);
    const told: string[] = [];
    const cancelling = {
      event(cancelled: StoredReview) {
        told.push(cancelled.id, cancelled.status);
        return {
          id: make.newId(),
          type: 'review.cancelled',
          at: start + 2,
          integrationId: id,
          subject: '',
          data: '{}',
        };
      },
      callback: () => ({ id: make.newId(), body: '{}' }),
    };
    const statuses = async (at: number) => {
      const found: (string | undefined)[] = [];
      for (const review of [ofRoot, ofChild, approved, other])
        found.push((await store.reviews.find(id, review, at))?.status);
      return found;
    };
    const listed = async (status: 'PENDING' | 'CANCELLED' | 'EXPIRED', at: number) => {
      const { items, total } = await store.reviews.list({ integrationId: id, status }, page, at, wide);
      t.equal(total, items.length, `the total of ${status}`);
      return items.map((item) => item.id).sort();
    };
    t.strictSame(await statuses(start + 999), ['PENDING', 'PENDING', 'APPROVED', 'PENDING']);
    t.strictSame(
      await statuses(start + 1_000),
      ['CANCELLED', 'CANCELLED', 'EXPIRED', 'CANCELLED'],
      'by the clock',
    );
    t.strictSame(await listed('CANCELLED', start + 1_000), [ofRoot, ofChild, other].sort());
    t.strictSame(await listed('EXPIRED', start + 1_000), [approved]);
    t.strictSame(await listed('PENDING', start + 1_000), []);
    t.match(await store.reviewQueue.stats(id, start - 1, start + 1_000, 10), {
      pendingCount: 0,
      cancelledCount: 3,
      expiredCount: 0,
    });

    await store.sessions.end(id, root.id, {
      status: 'COMPLETED',
      now: start + 2,
      response: () => '',
      cancelling,
    });
    t.strictSame(
      await statuses(start + 2),
      ['CANCELLED', 'CANCELLED', 'EXPIRED', 'PENDING'],
      'its children, too',
    );
    t.strictSame([...told].sort(), [ofRoot, ofChild, 'CANCELLED', 'CANCELLED'].sort());
    t.match(await store.reviews.decide(ofChild, { ...decision, now: start + 3 }, callback), {
      notPending: { status: 'CANCELLED', decidedBy: null },
    });
    t.strictSame(await listed('PENDING', start + 3), [other]);

    told.length = 0;
    await store.reviews.forgetExpired(start + 999, undefined, cancelling);
    t.strictSame(told, []);
    for (const at of [start + 1_000, start + 1_001])
      await store.reviews.forgetExpired(at, undefined, cancelling);
    t.strictSame(told, [other, 'CANCELLED'], 'once');
    t.match(await store.reviews.decide(other, { ...decision, now: start + 1_002 }, callback), {
      notPending: { status: 'CANCELLED' },
    });
  });

  t.test('reviews: one that is opened while its session ends does not stay PENDING', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    for (const inChild of [false, true]) {
      const root = make.session(id, {});
      const place = { parentId: root.id, rootId: root.id, depth: 1, delegatedBy: [] };
      const child = make.session(id, { place });
      for (const created of [root, child]) await store.sessions.create(created, '{}', null);
      // Asked for in one turn of the event loop: on PostgreSQL both are in one batch.
      const session = { id: inChild ? child.id : root.id };
      const [review] = await Promise.all([
        make.openReview(store, id, { endsWithSession: true }, { session }),
        store.sessions.end(id, root.id, { status: 'COMPLETED', now: start + 2, response: () => '' }),
      ]);
      t.match(await store.reviews.find(id, review, start + 2), { status: 'CANCELLED' });
      t.match(await store.reviews.decide(review, { ...decision, now: start + 3 }, callback), {
        notPending: { status: 'CANCELLED' },
      });
    }
  });
}
