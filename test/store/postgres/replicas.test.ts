import t, { type Test } from 'tap';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import type { Store, StoredReview } from '../../../src/store/store.ts';
import { wide } from '../contract/open.ts';
import * as make from '../samples.ts';
import { createDatabase, migrations } from './open.ts';

// Two replicas on one database: what each of them does by itself is in the contract.

const { start } = make;

async function openTwo(t: Test): Promise<[Store, Store]> {
  const address = await createDatabase(t);
  const open = async () => {
    const store = await openPostgresStore({ address, migrations });
    t.teardown(() => store.close());
    return store as Store;
  };
  return [await open(), await open()];
}
const callback = () => ({ id: make.newId(), body: '{}' });
const decision = (decidedBy: string, status: 'APPROVED' | 'REJECTED' = 'APPROVED') => ({
  status,
  decidedBy,
  comment: null,
  now: start + 1,
});
const range = (length: number) => Array.from({ length }, (_, place) => place);

t.test('of two operators who decide one review, one does, and the other is told who did', async (t) => {
  const stores = await openTwo(t);
  const { id } = await make.createIntegration(stores[0]);
  const operators = [make.newId(), make.newId()];
  for (const within of [null, { open: make.session(id, { expiresAt: start + 9_000_000 }) }])
    for (let times = 0; times < 10; times++) {
      const session = within && (times === 0 ? within : { id: within.open.id });
      const reviewId = await make.openReview(
        stores[0],
        id,
        { callbackUrl: 'https://x.example/' },
        { session },
      );
      const results = await Promise.all(
        stores.map((store, place) =>
          store.reviews.decide(
            reviewId,
            decision(operators[place] ?? '', place ? 'APPROVED' : 'REJECTED'),
            callback,
          ),
        ),
      );
      const decided = results.filter(
        (result): result is StoredReview => typeof result === 'object' && 'id' in result,
      );
      t.equal(decided.length, 1);
      const [told] = results.flatMap((result) =>
        typeof result === 'object' && 'notPending' in result ? [result.notPending] : [],
      );
      t.equal(told?.decidedBy, decided[0]?.decidedBy);
    }
  const claimed = await Promise.all(
    stores.map((store) => store.callbacks.claimDue(start + 1, 20, start + 100)),
  );
  const ids = claimed.flat().map((one) => one.id);
  t.equal(new Set(ids).size, ids.length, 'a callback is claimed by one of them');
  t.equal(ids.length + (await stores[0].callbacks.claimDue(start + 1, 20, start + 100)).length, 20);
});

t.test('an approval is used once, and of two approvals that are needed both count', async (t) => {
  const stores = await openTwo(t);
  const { id } = await make.createIntegration(stores[0]);
  const terms = { notRequester: false, requires: [{ quorum: 2, from: [] }] };
  for (let times = 0; times < 5; times++) {
    const reviewId = await make.openReview(stores[0], id, { terms });
    const given = await Promise.all(
      stores.map((store) => store.reviews.decide(reviewId, decision(make.newId()), callback)),
    );
    t.strictSame(given.map((one) => (typeof one === 'object' && 'status' in one ? one.status : one)).sort(), [
      'APPROVED',
      'PENDING',
    ]);
    let used = 0;
    await Promise.all(
      range(20).map((place) =>
        stores[place % 2]?.evaluations
          .record(make.evaluation(id, { reviewRequestId: reviewId, at: start + 2 }), (_, { named }) =>
            make.verdict({ consumesReview: named?.status === 'APPROVED', response: `${named?.status}` }),
          )
          .then((result) => {
            if ('response' in result && result.response === 'APPROVED') used++;
          }),
      ),
    );
    t.equal(used, 1);
  }
});

t.test('nothing is recorded in a session after it has ended, whoever ended it', async (t) => {
  const stores = await openTwo(t);
  const { id } = await make.createIntegration(stores[0]);
  for (let times = 0; times < 5; times++) {
    const session = make.session(id);
    await stores[0].sessions.create(session, '{}', null);
    const recorded = range(20).map(async (place) => {
      const store = stores[place % 2] as Store;
      const result = await store.evaluations.record(
        make.evaluation(id, { session: { id: session.id } }),
        ({ actionCount }) => make.verdict({ response: `${actionCount}` }),
      );
      return 'response' in result ? Number(result.response) : result.kind;
    });
    const ended = stores.map((store) =>
      store.sessions.end(id, session.id, 'COMPLETED', start, ({ actionCount }) => `${actionCount}`, null),
    );
    const kinds = (await Promise.all(ended)).map(({ kind }) => kind).sort();
    t.strictSame(kinds, ['ended', 'not_active']);
    const counts = (await Promise.all(recorded)).filter((one) => typeof one === 'number');
    const last = await stores[1].sessions.find(id, session.id, start);
    t.strictSame(
      counts.sort((one, other) => one - other),
      range(last?.actionCount ?? 0),
      'each has its place',
    );
    const answer = (await Promise.all(ended)).find((one) => one.kind === 'ended');
    t.equal(answer && 'response' in answer && answer.response, `${counts.length}`, 'and none came later');
  }
});

t.test('expiries, reminders and content: each is seen to once', async (t) => {
  const stores = await openTwo(t);
  const { id } = await make.createIntegration(stores[0]);
  for (let times = 0; times < 20; times++)
    await make.openReview(
      stores[0],
      id,
      { content: { ...make.review().content, input: '{}' } },
      { input: '{"secret":1}', at: start },
    );
  const told: string[] = [];
  const event = (review: StoredReview) => {
    told.push(review.id);
    return { id: make.newId(), type: 't', at: start, integrationId: id, subject: 's', data: '{}' };
  };
  const eventCount = async () => (await stores[0].events.listAfter(0, 1_000)).length;
  await Promise.all(
    stores.map((store) => store.reviewQueue.remindExpiring(start + 800_000, 1_000_000, event)),
  );
  await stores[1].events.bounds();
  t.equal(await eventCount(), 20, 'reminders');
  await Promise.all(stores.map((store) => store.reviews.forgetExpired(start + 900_000, event)));
  t.equal(await eventCount(), 40, 'expiries');
  const forget = async (store: Store) => {
    while (await store.evaluations.forgetContent(start + 1));
  };
  await Promise.all(stores.map(forget));
  const kept = await stores[0].evaluations.listRecorded(null, 100, wide);
  t.equal(kept?.filter(({ input }) => input !== null).length, 0);
  t.equal(kept?.length, 20);
});

t.test(
  'a reader of everything misses nothing that two replicas record, and sees each session in its order',
  async (t) => {
    const stores = await openTwo(t);
    const { id } = await make.createIntegration(stores[0]);
    const sessions = range(4).map(() => make.session(id));
    const first = make.evaluation(id);
    await stores[0].evaluations.record(first, () => make.verdict());
    for (const session of sessions) await stores[0].sessions.create(session, '{}', null);
    let isDone = false;
    const seen: { id: string; sessionId: string | null; seq: number | null }[] = [];
    const read = async () => {
      for (let after = first.id; ; ) {
        const last = isDone;
        const next = (await stores[1].evaluations.listRecorded(after, 50, wide)) ?? [];
        seen.push(...next);
        after = next.at(-1)?.id ?? after;
        if (last && next.length === 0) return;
      }
    };
    const record = async (store: Store) => {
      for (let times = 0; times < 15; times++)
        await Promise.all(
          range(20).map((place) => {
            const session = sessions[place % 5];
            return store.evaluations.record(
              make.evaluation(id, { session: session ? { id: session.id } : null }),
              () => make.verdict(),
            );
          }),
        );
    };
    const reading = read();
    await Promise.all(stores.map(record));
    isDone = true;
    await reading;
    t.equal(seen.length, 600);
    t.equal(new Set(seen.map((one) => one.id)).size, 600);
    for (const session of sessions)
      t.strictSame(
        seen.filter(({ sessionId }) => sessionId === session.id).map(({ seq }) => seq),
        range(120).map((place) => place + 1),
      );
    const uncovered = await stores[0].record.findUncovered({ evaluation: 0, entry: 0, call: 0 });
    t.equal(uncovered?.heads.length, 5, 'four sessions, and the integration');
  },
);
