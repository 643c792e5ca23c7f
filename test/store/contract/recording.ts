import type { Test } from 'tap';
import type { NewEvaluation, Store, Verdict } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open } from './open.ts';

const { start } = make;

/** Evaluations that are sent together, so that a store may record them in one step. */
const together = (
  store: Store,
  evaluations: readonly NewEvaluation[],
  decide: (asked: NewEvaluation) => Parameters<Store['evaluations']['record']>[1],
) => Promise.all(evaluations.map((asked) => store.evaluations.record(asked, decide(asked))));

/** What `settle` decides, on what a store really loads and writes. */
export function recording(t: Test, open: Open): void {
  t.test('recording: the second of two actions sent together sees the first', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const opened = make.session(id);
    const joining = { externalSessionId: opened.externalSessionId, entityId: null, open: opened };
    const named = { name: 'n', usedAfter: 0, open: make.session(id) };
    for (const session of [joining, named]) {
      const seen: unknown[] = [];
      const sent = ['a', 'b'].map((tool) => make.evaluation(id, { session, tool, dataTags: [tool] }));
      await together(store, sent, () => ({ actionCount, dataTags, toolCounts, recentActions }) => {
        const tools = recentActions.map(({ tool }) => tool);
        seen.push([actionCount, [...dataTags], [...toolCounts.keys()], tools]);
        return make.verdict();
      });
      t.strictSame(seen, [
        [0, [], [], []],
        [1, ['a'], ['a'], ['a']],
      ]);
      const read = await store.sessions.findWithActions(id, session.open.id, start);
      t.strictSame(
        read?.recentActions.map(({ seq, tool }) => [seq, tool]),
        [
          [2, 'b'],
          [1, 'a'],
        ],
      );
    }
  });

  t.test('recording: the actions of a session keep up, needed or not', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = make.session(id);
    await store.sessions.create(session, '{}', null);
    const record = async (recentActions: boolean, tool: string) => {
      let seen: string[] = [];
      const needs = { recentActions, pendingReview: false, counters: null, repeats: false, sightings: false };
      const asked = make.evaluation(id, { session: { id: session.id }, needs, tool });
      await store.evaluations.record(asked, (context) => {
        seen = context.recentActions.map((action) => action.tool);
        return make.verdict();
      });
      return seen;
    };
    await record(false, 'a');
    t.strictSame(await record(true, 'b'), ['a']);
    await record(false, 'c');
    t.strictSame(await record(true, 'd'), ['c', 'b', 'a']);
  });

  t.test('recording: a permission under a key lapses with its session and its policies', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = make.session(id);
    await store.sessions.create(session, '{}', null);
    let more = {};
    const send = (key: string, enforcementAction: Verdict['enforcementAction'], at = start) =>
      store.evaluations.record(
        make.evaluation(id, { session: { id: session.id }, idempotency: make.once({ key }), at, ...more }),
        () => make.verdict({ enforcementAction, response: key }),
      );
    t.match(await send('let', 'ALLOW'), { kind: 'recorded' });
    t.match(await send('not', 'BLOCK'), { kind: 'recorded' });
    t.strictSame(await send('let', 'ALLOW'), { kind: 'replayed', response: 'let' });
    t.strictSame(await send('let', 'ALLOW', start + 1_000), {
      kind: 'lapsed',
      why: 'not_active',
      status: 'EXPIRED',
    });
    t.strictSame(await send('not', 'BLOCK', start + 1_000), { kind: 'replayed', response: 'not' });
    const policy = { id: make.newId(), status: 'ACTIVE' as const, createdAt: start };
    await store.policies.create(policy, make.document('one'));
    await store.policies.bind(id, policy.id, null, start);
    t.strictSame(await send('let', 'ALLOW'), { kind: 'stale' });
    const members = [{ policyId: policy.id, version: 1 }];
    const policySet = { key: `${policy.id}:1`, members, terms: [] };
    more = { policySet, revision: await make.revisionOf(store, id) };
    t.strictSame(await send('let', 'ALLOW'), { kind: 'lapsed', why: 'policies_changed' });
    t.strictSame(await send('not', 'BLOCK'), { kind: 'replayed', response: 'not' });
  });

  t.test('recording: a held action sent twice together opens one review', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = make.session(id);
    await store.sessions.create(session, '{}', null);
    for (const within of [{ id: session.id }, null]) {
      const inputHash = make.newHash();
      const sent = [1, 2, 3].map(() => make.evaluation(id, { session: within, inputHash: () => inputHash }));
      await together(store, sent, () => (_, { pending }) => {
        const review = make.review({ inputHash });
        const { inputHash: _hash, ...hold } = review;
        return make.verdict({
          outcome: 'DENY',
          enforcementAction: 'APPROVAL_REQUIRED',
          reviewRequestId: pending?.id ?? review.id,
          ...(pending ? { heldAgain: { ...hold, id: pending.id } } : { review }),
        });
      });
      const listed = await store.reviews.list({ integrationId: id }, { page: 1, size: 9 }, start, 1_000);
      t.equal(listed.total, within ? 1 : 2);
      t.equal(listed.items[0]?.evaluationRunId, sent[2]?.id, 'it shows the last one');
    }
  });

  t.test('recording: an approval is used by one of those sent together', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const reviewId = await make.openReview(store, id);
    const decision = { status: 'APPROVED' as const, decidedBy: missing, comment: null, now: start };
    await store.reviews.decide(reviewId, decision, () => ({ id: make.newId(), body: '{}' }));
    const sent = [1, 2, 3].map(() => make.evaluation(id, { reviewRequestId: reviewId }));
    const used: string[] = [];
    await together(store, sent, (asked) => (_, { named }) => {
      const consumesReview = named?.status === 'APPROVED';
      if (consumesReview) used.push(asked.id);
      return make.verdict({ consumesReview });
    });
    t.strictSame(used, [sent[0]?.id]);
    t.match(await store.evaluations.find(id, sent[0]?.id ?? ''), { reviewRequestId: reviewId });
    t.match(await store.evaluations.find(id, sent[1]?.id ?? ''), { reviewRequestId: null });
    await t.rejects(
      store.evaluations.record(make.evaluation(id, { reviewRequestId: reviewId }), () =>
        make.verdict({ consumesReview: true }),
      ),
      /not APPROVED/,
    );
  });
}
