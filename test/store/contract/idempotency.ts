import type { Test } from 'tap';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';

const { start } = make;

export function idempotency(t: Test, open: Open): void {
  t.test('idempotency: one key counts once, for its integration and its request, for its time', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const other = await make.createIntegration(store);
    const create = (of: string, response: string, more = {}, at = start) =>
      store.sessions.create(make.session(of, { startedAt: at }), response, make.once(more));
    t.strictSame(await create(id, 'first'), { kind: 'created' });
    t.strictSame(await create(id, 'second'), { kind: 'replayed', response: 'first' });
    t.strictSame(await create(id, 'second', { requestHash: 'other' }), { kind: 'key_reused' });
    t.strictSame(await create(other.id, 'theirs'), { kind: 'created' }, 'keys are per integration');
    const decide = () => make.verdict({ response: 'never' });
    const evaluate = () =>
      store.evaluations.record(make.evaluation(id, { idempotency: make.once() }), decide);
    t.strictSame(await evaluate(), { kind: 'replayed', response: 'first' });
    const end = await store.sessions.end(id, missing, {
      status: 'COMPLETED',
      now: start,
      response: () => 'x',
      idempotency: make.once(),
    });
    t.strictSame(end, { kind: 'replayed', response: 'first' });
    t.strictSame(await create(id, 'later', { notBefore: start }), { kind: 'replayed', response: 'first' });
    const late = { notBefore: start + 1, requestHash: 'other' };
    t.strictSame(await create(id, 'later', late, start + 1), { kind: 'created' }, 'forgotten after its time');
    t.strictSame(await create(id, 'x', late), { kind: 'replayed', response: 'later' });
    t.equal((await store.sessions.list(id, {}, page, start)).total, 2);
  });

  t.test('idempotency: a racing repeat is replayed, a refused request leaves the key free', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const created = make.session(id);
    const asked = { idempotency: make.once() };
    const record = (more = {}) =>
      store.evaluations.record(make.evaluation(id, { ...asked, ...more }), () =>
        make.verdict({ response: 'a' }),
      );
    t.strictSame(await record({ session: { id: created.id } }), { kind: 'no_session' });
    t.strictSame(await Promise.all([record(), record()]), [
      { kind: 'recorded', response: 'a' },
      { kind: 'replayed', response: 'a' },
    ]);
  });
}
