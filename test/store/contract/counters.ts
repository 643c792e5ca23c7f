import type { Test } from 'tap';
import type { CounterRows, CounterWrite, NewEvaluation } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import type { Open } from './open.ts';

const { start } = make;

const write = (more: Partial<CounterWrite> = {}): CounterWrite => ({
  counter: 'c',
  scope: 'integration',
  name: 'n',
  data: '1',
  endsAt: null,
  ...more,
});

export function counters(t: Test, open: Open): void {
  t.test('counters keep what evaluations write, each scope and integration its own', async (t) => {
    const store = await open(t);
    const [one, other] = [await make.createIntegration(store), await make.createIntegration(store)];
    const entityId = make.newId();
    const sessions = [
      make.session(one.id, { entityId }),
      make.session(one.id, { entityId }),
      make.session(one.id),
      make.session(other.id, { entityId }),
    ];
    for (const session of sessions) await store.sessions.create(session, '{}', null);
    const scopes = ['session', 'entity', 'integration'] as const;
    /** What it finds in each scope, before it writes its mark there. */
    async function record(integration: string, session: NewEvaluation['session'], mark: string) {
      let seen: (string | null)[] = [];
      await store.evaluations.record(make.evaluation(integration, { session }), (_, __, rows) => {
        seen = scopes.map((scope) => rows.find('c', scope, 'n'));
        return make.verdict({ counterWrites: scopes.map((scope) => write({ scope, data: mark })) });
      });
      return seen;
    }
    const at = (place: number) => ({ id: sessions[place]?.id ?? '' });
    t.strictSame(await record(one.id, at(0), 'a'), [null, null, null]);
    t.strictSame(await record(one.id, at(0), 'b'), ['a', 'a', 'a']);
    t.strictSame(await record(one.id, at(1), 'c'), [null, 'b', 'b'], 'another session of the entity');
    t.strictSame(await record(one.id, at(2), 'd'), [null, null, 'c'], 'a session without an entity');
    t.strictSame(await record(one.id, null, 'e'), [null, 'd', 'd'], 'no session: neither has an entity');
    t.strictSame(await record(one.id, null, 'f'), [null, 'e', 'e'], 'what is of no session is not kept');
    t.strictSame(await record(other.id, at(3), 'g'), [null, null, null], 'the entity of another integration');
    t.strictSame(await record(one.id, at(0), 'h'), ['b', 'c', 'f']);
    const opened = make.session(one.id, { entityId });
    t.strictSame(await record(one.id, { open: opened }, 'i'), [null, 'h', 'h']);
    t.strictSame(await record(one.id, { id: opened.id }, 'j'), ['i', 'i', 'i'], 'one that it opened');
  });

  t.test('counters and names do not mix, and nothing is kept of what is not recorded', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const names = [
      ['c', 'n'],
      ['c', 'm'],
      ['d', 'n'],
    ] as const;
    const look = async (writes: CounterWrite[], more: Partial<NewEvaluation> = {}) => {
      let seen: (string | null)[] = [];
      await store.evaluations.record(make.evaluation(id, more), (_, __, rows: CounterRows) => {
        seen = names.map(([counter, name]) => rows.find(counter, 'integration', name));
        return make.verdict({ counterWrites: writes });
      });
      return seen;
    };
    await look([write({ data: '1' }), write({ name: 'm', data: '2' })]);
    t.strictSame(await look([write({ counter: 'd', data: '3' })]), ['1', '2', null]);
    t.strictSame(await look([write({ data: '4' })]), ['1', '2', '3']);
    await look([write({ data: 'lost' })], { session: { id: make.newId() } });
    const failing = store.evaluations.record(make.evaluation(id), () => {
      throw new TypeError('no verdict');
    });
    await t.rejects(failing);
    t.strictSame(await look([]), ['4', '2', '3']);
    const needs = { recentActions: false, pendingReview: false, counters: false, repeats: false };
    t.strictSame(await look([], { needs }), [null, null, null], 'not loaded when no policy has counters');
  });

  t.test('rows that have ended are deleted in small steps, those of a session with it', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = make.session(id);
    await store.sessions.create(session, '{}', null);
    const names = Array.from({ length: 1_100 }, (_, index) => String(index));
    const left = async (scope: CounterWrite['scope'] = 'integration') => {
      let found: string[] = [];
      const asked = make.evaluation(id, { session: scope === 'session' ? { id: session.id } : null });
      await store.evaluations.record(asked, (_, __, rows) => {
        found = names.filter((name) => rows.find('c', scope, name) !== null);
        return make.verdict();
      });
      return found;
    };
    const put = (writes: CounterWrite[], more: Partial<NewEvaluation> = {}) =>
      store.evaluations.record(make.evaluation(id, more), () => make.verdict({ counterWrites: writes }));
    await put(names.map((name) => write({ name, endsAt: start + 10 })));
    await put([write({ name: '0', endsAt: null }), write({ name: '1', endsAt: start + 20 })]);
    await put([write({ name: '2', scope: 'session', endsAt: null })], { session: { id: session.id } });
    async function forget(before: number): Promise<number> {
      let steps = 1;
      while (await store.counters.forgetEnded(before)) steps++;
      return steps;
    }
    t.equal(await forget(start + 10), 1);
    t.equal((await left()).length, names.length, 'none has ended before');
    t.ok((await forget(start + 11)) > 2, 'in steps');
    t.strictSame(await left(), ['0', '1']);
    t.strictSame(await left('session'), ['2']);
    const entity = { session: { id: session.id }, at: start + 30 };
    await put([write({ name: '3', scope: 'session', endsAt: start + 40 })], entity);
    await store.sessions.end(id, session.id, 'COMPLETED', start + 30, () => '', null);
    await put([write({ name: '4' })]);
    await forget(start + 31);
    t.strictSame(await left(), ['0', '4']);
    await forget(Number.MAX_SAFE_INTEGER);
    t.strictSame(await left(), ['0', '4'], 'what never ends stays');
  });

  t.test('a row of a session ends with it at the latest', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = make.session(id);
    await store.sessions.create(session, '{}', null);
    const asked = () => make.evaluation(id, { session: { id: session.id } });
    const seen: (string | null)[] = [];
    const look = (writes: CounterWrite[]) =>
      store.evaluations.record(asked(), (_, __, rows) => {
        seen.push(rows.find('c', 'session', 'n'));
        return make.verdict({ counterWrites: writes });
      });
    await look([write({ scope: 'session', endsAt: null })]);
    await store.counters.forgetEnded(session.expiresAt);
    await look([]);
    await store.counters.forgetEnded(session.expiresAt + 1);
    await look([]);
    t.strictSame(seen, [null, '1', null]);
  });
}
