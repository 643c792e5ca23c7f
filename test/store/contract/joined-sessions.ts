import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open } from './open.ts';

const { start } = make;

/** An evaluation that joins by external id. Answers the id of its session. */
async function join(store: Store, integrationId: string, at = start, entityId: string | null = null) {
  const open = make.session(integrationId, {
    externalSessionId: 'e',
    entityId,
    startedAt: at,
    expiresAt: at + 1_000,
  });
  let joined = '';
  const { kind } = await store.evaluations.record(
    make.evaluation(integrationId, { session: { externalSessionId: 'e', entityId, open }, at }),
    (context) => {
      joined = context.id;
      return make.verdict();
    },
  );
  return kind === 'recorded' ? joined : kind;
}

export function joinedSessions(t: Test, open: Open): void {
  t.test(
    'joined sessions: parallel first uses share the newest ACTIVE one of their integration',
    async (t) => {
      const store = await open(t);
      const { id } = await make.createIntegration(store);
      const other = await make.createIntegration(store);
      const all = await Promise.all([
        join(store, id),
        join(store, id),
        join(store, other.id),
        join(store, id),
      ]);
      const [first, , theirs] = all;
      t.equal(new Set(all).size, 2);
      t.not(theirs, first);
      t.match(await store.sessions.find(id, `${first}`, start), { actionCount: 3, externalSessionId: 'e' });
      const newer = make.session(id, { externalSessionId: 'e' });
      await store.sessions.create(newer, '{}', null);
      t.equal(await join(store, id), newer.id);
      await store.sessions.end(id, newer.id, { status: 'COMPLETED', now: start, response: () => '{}' });
      t.equal(await join(store, id), first);
      t.notOk([first, newer.id, theirs].includes(await join(store, id, start + 1_000)), 'both are over');
    },
  );

  t.test('joined sessions: another entity is refused, and nothing is recorded', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const first = await join(store, id, start, missing);
    t.equal(await join(store, id, start, make.newId()), 'other_entity');
    t.equal(await join(store, id, start, missing), first);
    t.equal(await join(store, id), first, 'without an entity');
    t.match(await store.sessions.find(id, first, start), { actionCount: 3 });
  });
}
