import type { Test } from 'tap';
import { placeUnder } from '../../../src/evaluate/session-places.ts';
import type { CountedRecord, NewEvaluation, NewSession } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { amountOf, cAndD, cell, needs, planned, record, write } from './counting.ts';
import type { Open } from './open.ts';

const { start } = make;
const minute = 60_000;

export function counterHistory(t: Test, open: Open): void {
  t.test('a scope says what it has not counted, and lists what was recorded in it', async (t) => {
    const store = await open(t);
    const [one, other] = [await make.createIntegration(store), await make.createIntegration(store)];
    const entityId = make.newId();
    const life = { expiresAt: start + 1_000 * minute };
    const sessions = [
      make.session(one.id, { entityId, ...life }),
      make.session(one.id, { entityId, ...life }),
      make.session(one.id, life),
    ];
    for (const session of sessions) await store.sessions.create(session, '{}', null);
    const at = (place: number) => ({ id: sessions[place]?.id ?? '' });
    const none = needs(null);
    const sent = async (integration: string, session: NewEvaluation['session'], tool: string, more = {}) => {
      const asked = make.evaluation(integration, { session, tool, needs: none, ...more });
      await store.evaluations.record(asked, () => make.verdict({ enforcementAction: 'WARN' }));
      return asked;
    };
    const known = { input: '{"a":1}', detections: '[]', dataTags: ['PII'], targetKey: 'k' };
    const first = await sent(one.id, at(0), 'a', { ...known, at: start });
    await sent(other.id, null, 'b', { at: start + 60 * minute });
    await sent(one.id, at(1), 'c', { at: start + 120 * minute });
    await sent(one.id, at(2), 'd', { at: start + 180 * minute });
    await sent(one.id, null, 'e', { at: start + 240 * minute });
    await sent(one.id, at(0), 'f', { at: start + 300 * minute });
    const asked = make.evaluation(one.id, { session: at(0), needs: cAndD, at: start + 300 * minute });
    const integrationId = one.id;
    const scopesOf = async (evaluation: NewEvaluation) => {
      const result = await store.evaluations.record(evaluation, () => make.verdict());
      return result.kind === 'uncounted' ? result.scopes : [];
    };
    const of = (scope: string) => [`c ${scope}`, `d ${scope}`];
    const places = [
      { integrationId, scope: 'session', sessionId: sessions[0]?.id ?? '' },
      { integrationId, scope: 'entity', entityId },
      { integrationId, scope: 'integration' },
    ] as const;
    t.strictSame(
      await scopesOf(asked),
      places.map((place) => ({ place, counters: of(place.scope) })),
    );
    const toolsOf = async (
      place: (typeof places)[number] | { integrationId: string; scope: 'entity'; entityId: null },
      since: number,
    ) => {
      const { rows } = await store.counters.listRecords(place, since);
      return (await store.counters.readRecords(rows, false)).map(({ tool }) => tool).join('');
    };
    const [ofSession, ofEntity, ofIntegration] = places;
    t.equal(await toolsOf(ofSession, Number.NEGATIVE_INFINITY), 'af');
    t.equal(await toolsOf(ofEntity, 0), 'acf');
    t.equal(await toolsOf(ofIntegration, 0), 'acdef');
    t.equal(await toolsOf({ integrationId, scope: 'entity', entityId: null }, 0), 'de');
    t.equal(await toolsOf(ofSession, start + 200 * minute), 'f');
    t.equal(await toolsOf(ofIntegration, start + 241 * minute), 'ef', 'clocks may differ by an hour');
    t.equal(await toolsOf({ ...ofIntegration, integrationId: make.newId() }, 0), '');
    const { rows, last } = await store.counters.listRecords(ofSession, 0);
    const [oldest] = await store.counters.readRecords(rows, true);
    t.strictSame(oldest, {
      id: first.id,
      resultOf: null,
      phase: 'ACTION',
      tool: 'a',
      resultStatus: null,
      cost: null,
      at: first.at,
      enforcementAction: 'WARN',
      severity: null,
      violations: null,
      dataTags: '["PII"]',
      detections: '[]',
      input: '{"a":1}',
      targetKey: 'k',
      session: {
        id: sessions[0]?.id ?? '',
        entityId,
        metadata: sessions[0]?.metadata ?? '',
        startedAt: sessions[0]?.startedAt ?? 0,
      },
    } satisfies CountedRecord);
    t.equal((await store.counters.readRecords(rows, false))[0]?.input, null);
    await sent(one.id, at(0), 'g', { at: start + 301 * minute });
    const later: string[] = [];
    const count = (records: readonly CountedRecord[]) => {
      later.push(...records.map(({ tool }) => tool));
      return [write({ scope: 'session', becomes: cell(7) })];
    };
    const upTo = { planned: cAndD.counters ?? [], delegators: [], revision: 0 };
    await store.counters.catchUp(ofSession, { ...upTo, revision: 5 }, last, asked.at, count);
    t.strictSame(later, [], 'by what decides no more');
    await store.counters.catchUp(ofSession, upTo, last, asked.at, count);
    t.strictSame(later, ['g'], 'what was recorded meanwhile');
    await store.counters.catchUp(ofSession, upTo, last, asked.at, count);
    t.strictSame(later, ['g'], 'once');
    t.strictSame(
      (await scopesOf(asked)).map(({ place }) => place.scope),
      ['entity', 'integration'],
    );
    let seen: number | null = null;
    await record(store, asked, (_, __, cells) => {
      seen = amountOf(cells.find('c session', 'session', ''));
      return make.verdict();
    });
    t.equal(seen, 7);
    t.strictSame(await scopesOf({ ...asked, id: make.newId() }), []);
    t.strictSame(await scopesOf({ ...asked, id: make.newId(), session: { open: make.session(one.id) } }), [
      { place: { integrationId, scope: 'entity', entityId: null }, counters: of('entity') },
    ]);
    t.strictSame(
      await scopesOf({ ...asked, id: make.newId(), needs: needs(planned('d', 'e')) }),
      places.map((place) => ({ place, counters: [`e ${place.scope}`] })),
      'a younger one',
    );
  });

  t.test(
    'what one delegation makes a scope count leaves the counters of another to be counted',
    async (t) => {
      const store = await open(t);
      const { id: integrationId } = await make.createIntegration(store);
      const delegator = await make.createIntegration(store);
      const [entityId, elsewhere] = [make.newId(), make.newId()];
      const root = make.session(delegator.id);
      const place = placeUnder({ id: root.id, integrationId: delegator.id, place: null }, integrationId);
      const own = make.session(integrationId, { entityId });
      const delegated = make.session(integrationId, { entityId, place });
      const delegatedElsewhere = make.session(integrationId, { entityId: elsewhere, place });
      for (const session of [root, own, delegated, delegatedElsewhere])
        await store.sessions.create(session, '{}', null);
      /** An evaluation with counters of these names over the entity: of its own policies, and of those of the delegator. */
      const asked = (session: NewSession, names: string) =>
        make.evaluation(integrationId, {
          session: { id: session.id },
          needs: needs([...names].map((identity) => ({ identity, over: 'entity' }))),
          delegators: session === own ? [] : [{ integrationId: delegator.id, revision: 0 }],
        });
      const uncounted = async (evaluation: NewEvaluation): Promise<readonly string[]> => {
        const result = await store.evaluations.record(evaluation, () => make.verdict());
        if (result.kind === 'uncounted') return result.scopes.flatMap(({ counters }) => counters);
        t.equal(result.kind, 'recorded');
        return [];
      };
      const catchUp = async ({ needs: { counters }, delegators, at }: NewEvaluation) => {
        const upTo = { planned: counters ?? [], delegators, revision: 0 };
        const ofEntity = { integrationId, scope: 'entity', entityId } as const;
        await store.counters.catchUp(ofEntity, upTo, Number.MAX_SAFE_INTEGER, at, () => []);
      };

      for (const session of [own, delegatedElsewhere])
        t.strictSame(await uncounted(asked(session, '')), [], 'recorded before there is any counter');
      t.strictSame(await uncounted(asked(delegatedElsewhere, 'ab')), ['a', 'b']);
      t.strictSame(await uncounted(asked(delegatedElsewhere, 'c')), ['c']);
      t.strictSame(await uncounted(asked(own, 'd')), ['d']);
      await catchUp(asked(own, 'd'));
      t.strictSame(await uncounted(asked(own, 'd')), []);
      t.strictSame(await uncounted(asked(delegated, 'ad')), ['a']);
      await catchUp(asked(delegated, 'ad'));
      t.strictSame(await uncounted(asked(delegated, 'ad')), []);
      t.strictSame(await uncounted(asked(delegated, 'abcd')), ['b', 'c'], 'nobody has counted for these');
      await catchUp(asked(delegated, 'abcd'));
      t.strictSame(await uncounted(asked(delegated, 'abcd')), []);
      t.strictSame(await uncounted(asked(delegated, 'abcde')), ['e']);
      await catchUp(asked(delegated, 'abcde'));
      t.strictSame(await uncounted(asked(delegated, 'acd')), []);
      t.strictSame(await uncounted(asked(delegated, 'abcde')), ['b', 'e'], 'not counted meanwhile');
      t.strictSame(await uncounted({ ...asked(delegated, ''), needs: needs(null) }), []);
      t.strictSame(await uncounted(asked(delegated, 'bd')), ['b', 'd'], 'nor when there was no counter');
    },
  );
}
