import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open } from './open.ts';

const { start } = make;

/** An evaluation under the name. Answers the id of the session that it joined. */
async function use(
  store: Store,
  integrationId: string,
  name: string,
  more: { at?: number; usedAfter?: number } = {},
) {
  const { at = start, usedAfter = at - 100 } = more;
  const open = make.session(integrationId, { startedAt: at, expiresAt: at + 1_000 });
  let joined = '';
  const result = await store.evaluations.record(
    make.evaluation(integrationId, { session: { name, usedAfter, open }, at }),
    (context) => {
      joined = context.id;
      return make.verdict();
    },
  );
  return result.kind === 'recorded' ? joined : result.kind;
}

export function namedSessions(t: Test, open: Open): void {
  t.test('named sessions: evaluations under a name share one while it is used', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const first = await use(store, id, 'a');
    t.equal(await use(store, id, 'a', { at: start + 99 }), first);
    t.equal(await use(store, id, 'a', { at: start + 198 }), first, 'every use keeps it');
    t.equal(await store.sessions.findNamed(id, 'a', start + 197, start + 199), first);
    t.equal(await store.sessions.findNamed(id, 'a', start + 198, start + 199), null, 'unused since then');
    const second = await use(store, id, 'a', { at: start + 298 });
    t.not(second, first);
    t.equal(await store.sessions.findNamed(id, 'a', start, start + 299), second);
    t.match(await store.sessions.find(id, first, start + 299), { actionCount: 3, status: 'ACTIVE' });
  });

  t.test('named sessions: a use that comes late does not shorten the life', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const first = await use(store, id, 'a', { at: start + 50 });
    t.equal(await use(store, id, 'a', { at: start }), first);
    t.equal(await store.sessions.findNamed(id, 'a', start + 49, start + 50), first);
  });

  t.test('named sessions: one that ended or expired is left', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const ended = await use(store, id, 'a');
    await store.sessions.end(id, ended, { status: 'COMPLETED', now: start, response: () => '' });
    t.equal(await store.sessions.findNamed(id, 'a', 0, start), null);
    const next = await use(store, id, 'a');
    t.not(next, ended);
    t.equal(await store.sessions.findNamed(id, 'a', 0, start + 999), next);
    t.equal(await store.sessions.findNamed(id, 'a', 0, start + 1_000), null, 'expired');
    t.not(await use(store, id, 'a', { at: start + 1_000, usedAfter: 0 }), next);
  });

  t.test('named sessions: apart by name and by integration', async (t) => {
    const store = await open(t);
    const [one, two] = [await make.createIntegration(store), await make.createIntegration(store)];
    const ours = await use(store, one.id, 'a');
    t.not(await use(store, one.id, 'b'), ours);
    t.not(await use(store, two.id, 'a'), ours);
    t.equal(await store.sessions.findNamed(missing, 'a', 0, start), null);
    t.equal(await use(store, one.id, 'a'), ours);
  });

  t.test('named sessions: parallel first uses share one', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const joined = await Promise.all(Array.from({ length: 10 }, () => use(store, id, 'a')));
    t.equal(new Set(joined).size, 1);
    t.match(await store.sessions.find(id, joined[0] ?? '', start), { actionCount: 10 });
  });

  t.test('named sessions: a refused evaluation opens none', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = { name: 'a', usedAfter: 0, open: make.session(id) };
    const refused = make.evaluation(id, { session, reviewRequestId: missing });
    t.match(await store.evaluations.record(refused, () => make.verdict()), { kind: 'no_review' });
    t.equal(await store.sessions.findNamed(id, 'a', 0, start), null);
  });
}
