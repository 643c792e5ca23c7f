import type { Test } from 'tap';
import { placeUnder } from '../../../src/evaluate/session-places.ts';
import { continuableMs } from '../../../src/evaluate/sightings.ts';
import type { Sighting } from '../../../src/schemas/session-context.ts';
import type { SightingRows, SightingWrites } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import type { Open } from './open.ts';

const { start } = make;

/** In a text of a result. */
const one: Sighting = {
  seq: 1,
  tool: 'x',
  phase: 'RESULT',
  labels: [],
  whole: true,
  field: '',
  origin: '',
};

/** A store deletes one row for each identifier, or for many of them. */
const isFew = (steps: number): boolean => steps === 1 || steps === 2;

export function sightings(t: Test, open: Open): void {
  t.test('sightings: are a session’s own, replaced by later ones, and counted once', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const look = async (
      of: object,
      digests: string[],
      writes: SightingWrites['writes'] = [],
      isFull = false,
    ) => {
      let read: unknown[] = [];
      const readingOf = (rows: SightingRows | null) =>
        rows === null ? ['none'] : [rows.count, rows.isFull, ...digests.map((digest) => rows.find(digest))];
      await store.evaluations.record(make.evaluation(id, of), (_, __, ___, rows) => {
        read = readingOf(rows);
        return make.verdict({ sightings: { writes, isFull } });
      });
      return read;
    };
    const [mine, other] = [make.session(id), make.session(id)];
    await store.sessions.create(mine, '{}', null);
    const session = { session: { id: mine.id } };
    const seen = (tool: string): Sighting[] => [
      { seq: 1, tool, phase: 'RESULT', labels: [], whole: true, field: '', origin: '' },
    ];
    const put = (digest: string, tool: string) => ({ digest, sightings: seen(tool) });
    t.strictSame(await look(session, ['a'], [put('a', '1'), put('b', '2')]), [0, false, []]);
    t.strictSame(await look(session, ['a', 'b', 'c'], [put('a', '3')]), [2, false, seen('1'), seen('2'), []]);
    t.strictSame(await look(session, ['a', 'b'], [], true), [2, false, seen('3'), seen('2')]);
    t.strictSame(await look(session, ['a']), [2, true, seen('3')], 'once full, always full');
    const opened = { session: { open: other } };
    t.strictSame(await look(opened, ['a'], [put('c', '1')]), [0, false, []]);
    t.strictSame(await look({ session: { id: other.id } }, ['a', 'c']), [1, false, [], seen('1')]);
    t.strictSame(await look({ session: null }, [], [put('a', '9')]), ['none']);
    const needs = { ...make.evaluation(id).needs, sightings: false };
    t.strictSame(await look({ ...session, needs }, []), ['none'], 'nobody asks');
  });

  t.test('sightings: are deleted once their session is over, in small steps', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const [ended, expired, active] = [1_000, 2_000, 3_000].map((ms) =>
      make.session(id, { expiresAt: start + ms }),
    ) as [ReturnType<typeof make.session>, ReturnType<typeof make.session>, ReturnType<typeof make.session>];
    const counts: number[] = [];
    const look = (session: string, writes: SightingWrites['writes'] = []) =>
      store.evaluations.record(make.evaluation(id, { session: { id: session } }), (_, __, ___, rows) => {
        counts.push(rows?.count ?? -1);
        return make.verdict({ sightings: { writes, isFull: false } });
      });
    for (const session of [ended, expired, active]) {
      await store.sessions.create(session, '{}', null);
      const writes = Array.from({ length: 1_500 }, (_, index) => ({ digest: `d${index}`, sightings: [one] }));
      await look(session.id, writes);
    }
    t.equal(await store.sightings.forgetEnded(start), false, 'all are ACTIVE');
    await store.sessions.end(id, ended.id, { status: 'TERMINATED', now: start, response: () => '' });
    let steps = 0;
    const forget = async (before: number) => {
      for (steps = 0; await store.sightings.forgetEnded(before); ) steps++;
      return steps;
    };
    t.ok(isFew(await forget(start + 2_000)), 'those of the one that is TERMINATED');
    t.equal(await forget(start + 2_000 + continuableMs - 1), 0, 'the other one may be continued');
    t.ok(isFew(await forget(start + 2_000 + continuableMs)));
    await look(active.id);
    t.equal(counts.at(-1), 1_500);
  });

  t.test('sightings: of a tree are kept while it goes on; a root that forgot its own is full', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const root = make.session(id);
    await store.sessions.create(root, '{}', null);
    const under = placeUnder({ id: root.id, integrationId: id, place: null }, id);
    const see = async (session: object, at: number, digest = 'none') => {
      let seen: unknown;
      await store.evaluations.record(make.evaluation(id, { session, at } as never), (_, __, ___, rows) => {
        const parent = rows?.inherited[0];
        seen = parent && [parent.isFull, parent.find('a').length, parent.find('b').length];
        const writes = [{ digest, sightings: [one] }];
        return make.verdict({ sightings: { writes, isFull: false } });
      });
      return seen;
    };
    const next = (at: number, lasts: number) => ({
      open: make.session(id, {
        place: { ...under, previousId: root.id },
        ...{ continuesEnded: true, startedAt: at, expiresAt: at + lasts },
      }),
    });
    const forget = async (before: number) => {
      let steps = 0;
      while (await store.sightings.forgetEnded(before)) steps++;
      return steps;
    };
    await see({ id: root.id }, start, 'a');
    await store.sessions.end(id, root.id, { status: 'COMPLETED', now: start + 1, response: () => '' });
    const [week, day] = [continuableMs, continuableMs / 7];
    const later = next(start + week, 3 * week);
    t.strictSame(await see(later, start + week, 'b'), [false, 1, 0]);
    t.equal(await forget(start + 3 * week), 0, 'a session of the tree is ACTIVE');
    const last = next(start + 4 * week + day, day);
    t.strictSame(await see(last, start + 4 * week + day), [false, 1, 1], 'the root knows what it had seen');
    t.equal(await forget(start + 5 * week), 1, 'what the root knows as well');
    t.strictSame(await see({ id: last.open.id }, start + 4 * week + day), [false, 1, 1]);
    t.ok((await forget(start + 5 * week + 2 * day)) > 0, 'the tree is at rest');
    const late = next(start + 6 * week, day);
    t.strictSame(await see(late, start + 6 * week), [true, 0, 0]);
  });

  t.test('each database has a random salt of its own', async (t) => {
    const [first, second] = [await open(t), await open(t)];
    t.match(first.salt, /^[0-9a-f]{32}$/);
    t.not(second.salt, first.salt);
  });
}
