import type { Test } from 'tap';
import { placeUnder } from '../../../src/evaluate/session-places.ts';
import type {
  CounterCell,
  CounterCells,
  CounterWrite,
  NewEvaluation,
  PlannedCounter,
} from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { amountOf, cAndD, cell, needs, planned, record, scopes, write } from './counting.ts';
import type { Open } from './open.ts';

const { start } = make;
const minute = 60_000;

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
    for (const name of ['', 'n']) {
      /** What it finds in each scope, before it writes its mark there. */
      const mark = async (integration: string, session: NewEvaluation['session'], amount: number) => {
        let seen: (number | null)[] = [];
        const asked = make.evaluation(integration, { session, needs: cAndD });
        await record(store, asked, (_, __, cells) => {
          seen = scopes.map((scope) => amountOf(cells.find(`c ${scope}`, scope, name)));
          const counterWrites = scopes.map((scope) => write({ scope, name, becomes: cell(amount) }));
          return make.verdict({ counterWrites });
        });
        return seen;
      };
      const at = (place: number) => ({ id: sessions[place]?.id ?? '' });
      t.strictSame(await mark(one.id, at(0), 1), [null, null, null]);
      t.strictSame(await mark(one.id, at(0), 2), [1, 1, 1]);
      t.strictSame(await mark(one.id, at(1), 3), [null, 2, 2], 'another session of the entity');
      t.strictSame(await mark(one.id, at(2), 4), [null, null, 3], 'a session without an entity');
      t.strictSame(await mark(one.id, null, 5), [null, 4, 4], 'no session: neither has an entity');
      t.strictSame(await mark(one.id, null, 6), [null, 5, 5], 'what is of no session is not kept');
      t.strictSame(await mark(other.id, at(3), 7), [null, null, null], 'another integration');
      t.strictSame(await mark(one.id, at(0), 8), [2, 3, 6]);
      const opened = make.session(one.id, { entityId });
      t.strictSame(await mark(one.id, { open: opened }, 9), [null, 8, 8]);
      t.strictSame(await mark(one.id, { id: opened.id }, 10), [9, 9, 9], 'one that it opened');
    }
  });

  t.test('a tree counts from an action on that neither reads nor counts anything', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = make.session(id);
    await store.sessions.create(session, '{}', null);
    const next = (decide: (cells: CounterCells) => CounterWrite[]) => {
      const counted = needs([{ identity: 'c tree', over: 'tree' }]);
      const asked = make.evaluation(id, { session: { id: session.id }, needs: counted });
      return record(store, asked, (_, __, cells) => make.verdict({ counterWrites: decide(cells) }));
    };
    await next(() => []);
    await next(() => [write({ scope: 'tree' })]);
    await next((cells) => {
      t.equal(amountOf(cells.find('c tree', 'tree', '')), 1);
      return [];
    });
  });

  t.test('counters and names do not mix, and nothing is kept of what is not recorded', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const names = [
      ['c', ''],
      ['c', 'n'],
      ['c', 'm'],
      ['d', ''],
      ['d', 'n'],
    ] as const;
    const look = async (writes: CounterWrite[], more: Partial<NewEvaluation> = {}) => {
      let seen: (number | null)[] = [];
      const asked = make.evaluation(id, { needs: cAndD, ...more });
      await record(store, asked, (_, __, cells: CounterCells) => {
        seen = names.map(([counter, name]) =>
          amountOf(cells.find(`${counter} integration`, 'integration', name)),
        );
        return make.verdict({ counterWrites: writes });
      });
      return seen;
    };
    await look([
      write({ becomes: cell(1) }),
      write({ name: 'n', becomes: cell(2) }),
      write({ name: 'm', becomes: cell(3) }),
    ]);
    const more = [
      write({ counter: 'd', becomes: cell(4) }),
      write({ counter: 'd', name: 'n', becomes: cell(5) }),
    ];
    t.strictSame(await look(more), [1, 2, 3, null, null]);
    t.strictSame(await look([write({ name: 'n', becomes: cell(6) })]), [1, 2, 3, 4, 5]);
    await look([write({ becomes: cell(99) })], { session: { id: make.newId() } });
    const failing = record(store, make.evaluation(id, { needs: cAndD }), () => {
      throw new TypeError('no verdict');
    });
    await t.rejects(failing);
    t.strictSame(await look([]), [1, 6, 3, 4, 5]);
    t.strictSame(
      await look([], { needs: needs(null) }),
      [null, null, null, null, null],
      'not loaded when no policy has counters',
    );
    t.strictSame(await look([]), [null, null, null, null, null], 'the record has to be counted anew');
  });

  t.test('an amount is added to a cell, in the order of the slices, and ended ones go', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    let found: CounterCell | null = null;
    const add = (slice: number, amount: number, first = 0) =>
      record(store, make.evaluation(id, { needs: cAndD }), (_, __, cells) => {
        const now = cells.find('c integration', 'integration', '');
        found = now && { ...now, slices: [...now.slices] };
        return make.verdict({ counterWrites: [write({ becomes: { slice, amount, first } })] });
      });
    for (const [slice, amount] of [
      [10, 1],
      [10, 2.5],
      [12, 4],
      [11, 8],
      [9, 16],
    ] as const)
      await add(slice, amount);
    await add(13, 1, 10);
    t.match(found, { slices: [9, 16, 10, 3.5, 11, 8, 12, 4], latest: 12 });
    await add(13, Number.NaN, 10);
    t.match(found, { slices: [10, 3.5, 11, 8, 12, 4, 13, 1], latest: 13 });
    await add(13, 1, 13);
    await add(13, 1, 13);
    t.match(found, { slices: [13, Number.NaN] });
  });

  t.test('a counter that was gone meanwhile begins anew, the others keep what they have', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const look = async (plan: readonly PlannedCounter[], writes: CounterWrite[] = []) => {
      const seen: (number | null)[] = [];
      await record(store, make.evaluation(id, { needs: needs(plan) }), (_, __, cells) => {
        for (const counter of ['c', 'd'])
          for (const name of ['', 'n'])
            seen.push(amountOf(cells.find(`${counter} integration`, 'integration', name)));
        return make.verdict({ counterWrites: writes });
      });
      return seen;
    };
    const all = ['c', 'd'].flatMap((counter) => [write({ counter }), write({ counter, name: 'n' })]);
    await look(planned('c', 'd'), all);
    t.strictSame(await look(planned('d', 'c')), [1, 1, 1, 1], 'their order means nothing');
    t.strictSame((await look(planned('d'))).slice(2), [1, 1]);
    t.strictSame(await look(planned('c', 'd')), [null, null, 1, 1]);
  });

  t.test('what has ended is deleted in small steps, what a session keeps with it', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const end = start + 100 * minute;
    const session = make.session(id, { expiresAt: end + 20 * minute });
    await store.sessions.create(session, '{}', null);
    const names = Array.from({ length: 1_100 }, (_, index) => String(index));
    const left = async (scope: CounterWrite['scope'] = 'integration') => {
      let found: string[] = [];
      const asked = make.evaluation(id, {
        needs: cAndD,
        session: scope === 'session' ? { id: session.id } : null,
      });
      await record(store, asked, (_, __, cells) => {
        found = names.filter((name) => cells.find(`c ${scope}`, scope, name) !== null);
        return make.verdict();
      });
      return found;
    };
    const put = (writes: CounterWrite[], more: Partial<NewEvaluation> = {}) =>
      record(store, make.evaluation(id, { needs: cAndD, ...more }), () =>
        make.verdict({ counterWrites: writes }),
      );
    await put(names.map((name) => write({ name, endsAt: end })));
    await put([write({ name: '1000', endsAt: null }), write({ name: '1001', endsAt: end + 20 * minute })]);
    await put([write({ name: '2', scope: 'session', endsAt: null })], { session: { id: session.id } });
    async function forget(before: number): Promise<number> {
      let steps = 1;
      while (await store.counters.forgetEnded(before)) steps++;
      return steps;
    }
    t.equal(await forget(end), 1);
    t.equal((await left()).length, names.length, 'none has ended before');
    t.ok((await forget(end + 1)) > 2, 'in steps');
    await put([write({ name: '1002', endsAt: null })], { at: end + 10 * minute });
    t.strictSame(await left(), ['1000', '1001', '1002']);
    t.strictSame(await left('session'), ['2']);
    await store.sessions.end(id, session.id, { status: 'COMPLETED', now: end, response: () => '' });
    await put([write({ name: '4', endsAt: null })], { at: end + 30 * minute });
    await forget(end + 31 * minute);
    t.strictSame(await left(), ['4', '1000', '1002']);
    await forget(Number.MAX_SAFE_INTEGER);
    t.strictSame(await left(), ['4', '1000', '1002'], 'what never ends stays');
  });

  t.test('what a tree keeps outlives its root, unless that was TERMINATED', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const ofTree = needs([{ identity: 'c tree', over: 'tree' }]);
    for (const status of ['COMPLETED', 'TERMINATED', 'EXPIRED'] as const) {
      const session = make.session(id);
      await store.sessions.create(session, '{}', null);
      const names = ['', ...Array.from({ length: 80 }, (_, index) => String(index))];
      let kept: number[] = [];
      const look = (of: object, at: number, writes: CounterWrite[] = []) =>
        record(store, make.evaluation(id, { needs: ofTree, session: of as never, at }), (_, __, cells) => {
          kept = names.flatMap((name) => amountOf(cells.find('c tree', 'tree', name)) ?? []);
          return make.verdict({ counterWrites: writes });
        });
      await look(
        { id: session.id },
        start,
        names.map((name) => write({ scope: 'tree', name })),
      );
      if (status !== 'EXPIRED')
        await store.sessions.end(id, session.id, { status, now: start + 1, response: () => '' });
      const later = session.expiresAt + 30 * 86_400_000;
      while (await store.counters.forgetEnded(later));
      const place = {
        ...placeUnder({ id: session.id, integrationId: id, place: null }, id),
        previousId: session.id,
      };
      const next = make.session(id, { place, startedAt: later, expiresAt: later + 1, continuesEnded: true });
      await look({ open: next }, later);
      t.equal(kept.length, status === 'TERMINATED' ? 0 : names.length, status);
    }
  });

  t.test('what a session keeps ends with it at the latest', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = make.session(id);
    await store.sessions.create(session, '{}', null);
    const seen: (number | null)[] = [];
    async function look(writes: CounterWrite[]) {
      let found: (number | null)[] = [];
      await record(
        store,
        make.evaluation(id, { needs: cAndD, session: { id: session.id } }),
        (_, __, cells) => {
          found = ['', '70'].map((name) => amountOf(cells.find('c session', 'session', name)));
          return make.verdict({ counterWrites: writes });
        },
      );
      seen.push(...found);
    }
    const many = Array.from({ length: 80 }, (_, index) => write({ scope: 'session', name: String(index) }));
    await look([write({ scope: 'session' }), ...many]);
    await store.counters.forgetEnded(session.expiresAt);
    await look([]);
    await store.counters.forgetEnded(session.expiresAt + 1);
    t.strictSame(seen, [null, null, 1, 1]);
  });
}
