import type { Test } from 'tap';
import { placeUnder } from '../../../src/evaluate/session-places.ts';
import type { NewEvent, Store, StoredSession } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import type { Open } from './open.ts';

const { start } = make;
const hour = 3_600_000;

async function createSession(store: Store, integrationId: string, more: object = {}) {
  const session = make.session(integrationId, { expiresAt: start + hour, endsWhenIdle: true, ...more });
  await store.sessions.create(session, '', null);
  return session;
}

const ended = ({ id, integrationId }: StoredSession): NewEvent => ({
  id: make.newId(),
  type: 'session.ended',
  at: start,
  integrationId,
  subject: id,
  data: '{}',
});

/** Ends what has been idle since `idleSince`. Answers the ids of what was ended. */
async function endIdle(store: Store, idleSince: number, now = idleSince + 100) {
  const ids: string[] = [];
  let after = null;
  do {
    after = await store.sessions.endIdle({ idleSince, now, after }, (session) => {
      ids.push(session.id);
      return ended(session);
    });
  } while (after);
  return ids;
}

export function idleSessions(t: Test, open: Open): void {
  t.test('idle sessions: ended once without an evaluation for long enough, and told of', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const idle = await createSession(store, id);
    const used = await createSession(store, id);
    const endsOtherwise = await createSession(store, id, { endsWhenIdle: false });
    const evaluation = make.evaluation(id, { session: { id: used.id }, at: start + 10 });
    await store.evaluations.record(evaluation, () => make.verdict());
    t.strictSame(await endIdle(store, start - 1), []);
    t.strictSame(await endIdle(store, start), [idle.id]);
    t.match(await store.sessions.find(id, idle.id, start + 200), {
      status: 'COMPLETED',
      endedAt: start + 100,
    });
    t.strictSame(await endIdle(store, start + 9), [], 'ended once; every evaluation keeps the other');
    t.strictSame(await endIdle(store, start + 10), [used.id]);
    t.match(await store.sessions.find(id, endsOtherwise.id, start + 200), { status: 'ACTIVE' });
    const told = await store.events.listAfter(0, 9);
    t.strictSame(
      told.map(({ subject }) => subject),
      [idle.id, used.id],
    );
  });

  t.test('idle sessions: one that is still needed is kept', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const held = make.session(id, { expiresAt: start + hour, endsWhenIdle: true });
    await make.openReview(store, id, { expiresAt: start + 1_000 }, { session: { open: held } });
    const parent = await createSession(store, id);
    await createSession(store, id, { endsWhenIdle: false, place: placeUnder(parent, id) });
    t.strictSame(await endIdle(store, start + 900, start + 999), []);
    t.strictSame(await endIdle(store, start + 900, start + 1_000), [held.id], 'its review has expired');
  });

  t.test('idle sessions: one that has expired stays expired', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const expired = await createSession(store, id, { expiresAt: start + 50 });
    t.strictSame(await endIdle(store, start), []);
    t.match(await store.sessions.find(id, expired.id, start + 200), { status: 'EXPIRED', endedAt: null });
  });

  t.test('idle sessions: one that is used meanwhile is kept', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = await createSession(store, id);
    const [, recorded] = await Promise.all([
      endIdle(store, start + 100),
      store.evaluations.record(make.evaluation(id, { session: { id: session.id }, at: start + 101 }), () =>
        make.verdict(),
      ),
    ]);
    const { status } = (await store.sessions.find(id, session.id, start + 200)) ?? {};
    t.strictSame([recorded.kind, status], ['recorded', 'ACTIVE']);
  });

  t.test('idle sessions: all are looked at, in steps', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const sessions = await Promise.all(
      Array.from({ length: 450 }, (_, at) => createSession(store, id, { startedAt: start + (at % 3) })),
    );
    const found = await endIdle(store, start + 10);
    t.strictSame([...found].sort(), sessions.map((one) => one.id).sort());
  });
}
