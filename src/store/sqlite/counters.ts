import { setImmediate } from 'node:timers/promises';
import { and, asc, inArray, lt, sql } from 'drizzle-orm';
import type { CountedPlace, CounterStore } from '../../evaluate/counters/counters.ts';
import { takesResultsAt } from '../../evaluate/session.ts';
import type { CounterScopes } from '../../evaluate/sqlite/counter-scopes.ts';
import type { IntegrationRows } from '../../evaluate/sqlite/integration-rows.ts';
import type { RecordedRows } from '../../evaluate/sqlite/record.ts';
import type { CountedRecord } from '../../schemas/counter-cells.ts';
import { hourMs } from '../../schemas/durations.ts';
import type { Sqlite } from './database.ts';
import { hideValues } from './hot-statement.ts';
import { counterCells, counterScopes, countingSessions, sessionCells, sessionStates } from './tables.ts';

/** The evaluations that were recorded in the scopes of counters. */
interface CounterRecords {
  /** In small steps, each a read of its own; in the order in which they were recorded. */
  list(place: CountedPlace, since: number): Promise<{ rows: number[]; last: number }>;
  /** The evaluations after a row, of a scope in which little was recorded since. Synchronous: it runs inside a change. */
  listAfter(place: CountedPlace, after: number): number[];
  /** Synchronous as well. */
  read(rows: readonly number[], withInput: boolean): CountedRecord[];
}

/** Rows that one step looks at: a millisecond or two. */
const rowsPerStep = 500;
/** Processes record with clocks that differ a little. */
const clockSlackMs = hourMs;

type RecordRow = [
  id: string,
  resultOf: string | null,
  phase: CountedRecord['phase'],
  tool: string,
  resultStatus: CountedRecord['resultStatus'],
  cost: string | null,
  at: number,
  enforcementAction: CountedRecord['enforcementAction'],
  severity: CountedRecord['severity'],
  violations: string | null,
  dataTags: string | null,
  detections: string | null,
  input: string | null,
  targetKey: string | null,
  sessionId: string | null,
  entityId: string | null,
  metadata: string,
  startedAt: number,
];

export function createCounterRecords(
  { client, look }: Pick<Sqlite, 'client' | 'look'>,
  integrations: IntegrationRows,
): CounterRecords {
  const prepare = <Values extends unknown[], Row>(text: string) =>
    client.prepare<Values, Row>(hideValues(text)).raw() as unknown as {
      all(...values: Values): Row[];
      get(...values: Values): Row | undefined;
    };
  // The links of a session, followed backwards while they are young enough.
  const chain = prepare<[number, number, number], [number, number | null]>(
    `WITH RECURSIVE chain(id, previous) AS (
       SELECT id, previous_id FROM evaluations WHERE id = ? AND created_at >= ?
       UNION ALL
       SELECT e.id, e.previous_id FROM chain JOIN evaluations e ON e.id = chain.previous
         WHERE e.created_at >= ? LIMIT ${rowsPerStep})
     SELECT id, previous FROM chain`,
  );
  const lastOfSession = prepare<[number, string], [number | null]>(
    `SELECT t.last_evaluation_id FROM evaluation_sessions s JOIN session_states t ON t.session_id = s.id
     WHERE s.integration_id = ? AND s.uid = ?`,
  );
  const lastOfEntity = prepare<[number, string, number], [number, number | null]>(
    `SELECT s.id, t.last_evaluation_id FROM evaluation_sessions s JOIN session_states t ON t.session_id = s.id
     WHERE s.integration_id = ? AND s.entity_id = ? AND s.id > ? ORDER BY s.id LIMIT ${rowsPerStep}`,
  );
  // The root, and all that have it as theirs.
  const ofTree = "(s.uid = ? OR s.place IS NOT NULL AND json_extract(s.place, '$.rootId') = ?)";
  const lastOfTree = prepare<[string, string, number], [number, number | null]>(
    `SELECT s.id, t.last_evaluation_id FROM evaluation_sessions s JOIN session_states t ON t.session_id = s.id
     WHERE ${ofTree} AND s.id > ? ORDER BY s.id LIMIT ${rowsPerStep}`,
  );
  const rangeOfTree = prepare<[number, number, string, string], [number]>(
    `SELECT e.id FROM evaluations e JOIN evaluation_sessions s ON s.id = e.session_id
     WHERE e.id > ? AND e.id <= ? AND ${ofTree} ORDER BY e.id`,
  );
  const lastRow = prepare<[], [number | null]>('SELECT max(id) FROM evaluations');
  const timeFrom = prepare<[number], [number, number]>(
    'SELECT id, created_at FROM evaluations WHERE id >= ? ORDER BY id LIMIT 1',
  );
  const inRange = (where: string): string =>
    `SELECT e.id FROM evaluations e LEFT JOIN evaluation_sessions s ON s.id = e.session_id
     WHERE e.id > ? AND e.id <= ? AND e.integration_id = ? AND ${where} ORDER BY e.id`;
  const ranges = {
    session: prepare<[number, number, number, string], [number]>(inRange('s.uid = ?')),
    entity: prepare<[number, number, number, string], [number]>(inRange('s.entity_id = ?')),
    noEntity: prepare<[number, number, number], [number]>(inRange('s.entity_id IS NULL')),
    integration: prepare<[number, number, number], [number]>(inRange('TRUE')),
  };
  const columns = (input: string): string =>
    `SELECT e.uid, e.result_of, e.phase, e.tool, e.result_status, e.cost, e.created_at, e.enforcement_action, e.enforced_severity, e.violations,
       e.data_tags, e.detections, ${input}, e.target_key, s.uid, s.entity_id, s.metadata, s.started_at
     FROM json_each(?) j JOIN evaluations e ON e.id = j.value LEFT JOIN evaluation_sessions s ON s.id = e.session_id
     ORDER BY j.key`;
  const withInput = prepare<[string], RecordRow>(columns('e.input'));
  const withoutInput = prepare<[string], RecordRow>(columns('NULL'));

  function listRange(place: CountedPlace, from: number, to: number): number[] {
    if (place.scope === 'tree')
      return rangeOfTree.all(from, to, place.rootId, place.rootId).map(([id]) => id);
    const integrationRow = integrations.find(place.integrationId);
    const range = [from, to, integrationRow] as const;
    const rows =
      place.scope === 'session'
        ? ranges.session.all(...range, place.sessionId)
        : place.scope === 'integration'
          ? ranges.integration.all(...range)
          : place.entityId === null
            ? ranges.noEntity.all(...range)
            : ranges.entity.all(...range, place.entityId);
    return rows.map(([id]) => id);
  }

  /** The first row recorded at that time or later: rows are appended in the order of time. */
  function rowAt(since: number, last: number): number {
    let [low, high] = [1, last + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = timeFrom.get(middle);
      if (found && found[1] < since) low = found[0] + 1;
      else high = middle;
    }
    return low;
  }

  async function atOneStep<T>(take: () => T): Promise<T> {
    const taken = await look(take);
    await setImmediate();
    return taken;
  }

  async function listChain(last: number | null, since: number, rows: number[]): Promise<void> {
    for (let next = last; next !== null; ) {
      const from = next;
      const links = await atOneStep(() => chain.all(from, since, since));
      for (const [id] of links) rows.push(id);
      next = links.length < rowsPerStep ? null : (links.at(-1)?.[1] ?? null);
    }
  }

  /** The evaluations of several sessions: `listAfter` gives them by their rows, with the last evaluation of each. */
  async function listOfSessions(
    listAfter: (row: number) => [number, number | null][],
    since: number,
  ): Promise<number[]> {
    const rows: number[] = [];
    for (let after = 0; ; ) {
      const from = after;
      const sessions = await atOneStep(() => listAfter(from));
      for (const [, last] of sessions) await listChain(last, since, rows);
      const end = sessions.at(-1);
      if (end === undefined || sessions.length < rowsPerStep) return rows.sort((left, right) => left - right);
      after = end[0];
    }
  }

  async function listSince(place: CountedPlace, since: number, last: number): Promise<number[]> {
    const rows: number[] = [];
    const from = await atOneStep(() => rowAt(since, last) - 1);
    for (let row = from; row < last; row += rowsPerStep) {
      const start = row;
      rows.push(...(await atOneStep(() => listRange(place, start, Math.min(start + rowsPerStep, last)))));
    }
    return rows;
  }

  async function listUpTo(place: CountedPlace, since: number, last: number): Promise<number[]> {
    const integrationRow = integrations.find(place.integrationId);
    if (place.scope === 'tree')
      return listOfSessions((after) => lastOfTree.all(place.rootId, place.rootId, after), since);
    const entityId = place.scope === 'entity' ? place.entityId : null;
    if (entityId !== null)
      return listOfSessions((after) => lastOfEntity.all(integrationRow, entityId, after), since);
    if (place.scope !== 'session') return listSince(place, since, last);
    const rows: number[] = [];
    await listChain(
      await look(() => lastOfSession.get(integrationRow, place.sessionId)?.[0] ?? null),
      since,
      rows,
    );
    return rows.reverse();
  }

  return {
    async list(place, time) {
      const last = await look(() => lastRow.get()?.[0] ?? 0);
      // Evaluations that are recorded from now on come after it.
      const rows = await listUpTo(place, time - clockSlackMs, last);
      return { rows: rows.filter((row) => row <= last), last };
    },

    listAfter: (place, after) => listRange(place, after, Number.MAX_SAFE_INTEGER),

    read: (rows, needsInput) =>
      (needsInput ? withInput : withoutInput).all(JSON.stringify(rows)).map(toRecord),
  };
}

const toRecord = ([
  id,
  resultOf,
  phase,
  tool,
  resultStatus,
  cost,
  at,
  enforcementAction,
  severity,
  violations,
  dataTags,
  detections,
  input,
  targetKey,
  sessionId,
  entityId,
  metadata,
  startedAt,
]: RecordRow): CountedRecord => ({
  id,
  resultOf,
  phase,
  tool,
  resultStatus,
  cost,
  at,
  enforcementAction,
  severity,
  violations,
  dataTags,
  detections,
  input,
  targetKey,
  session: sessionId === null ? null : { id: sessionId, entityId, metadata, startedAt },
});

export function createCounterHistory(
  { writer, look }: Pick<Sqlite, 'writer' | 'look'>,
  rows: Pick<RecordedRows, 'integrations' | 'sessions' | 'revisions' | 'counterScopes' | 'trees'>,
  records: CounterRecords,
): Pick<CounterStore, 'listRecords' | 'readRecords' | 'catchUp'> {
  const { integrations, sessions, revisions, counterScopes: scopes, trees } = rows;
  function ownersOf(place: CountedPlace, integrationRow: number) {
    const rootSession = place.scope === 'tree' ? sessions.findAny(place.rootId) : null;
    return {
      session: place.scope === 'session' ? sessions.find(integrationRow, place.sessionId) : null,
      entityId: place.scope === 'entity' ? place.entityId : null,
      root: rootSession && trees.rootOf(rootSession, integrationRow),
    };
  }

  return {
    listRecords: records.list,
    readRecords: (rows, withInput) => look(() => records.read(rows, withInput)),

    catchUp: (place, { planned, delegators, revision }, after, at, count) =>
      writer.run(() => {
        const integrationRow = integrations.find(place.integrationId);
        if (revisions.of(integrationRow) !== revision) return;
        const of = { integrationRow, ...ownersOf(place, integrationRow) };
        const { session } = of;
        if (place.scope === 'session' && !(session && takesResultsAt(session, at))) return;
        const loaded = scopes.load(of, planned, { integrationId: place.integrationId, delegators });
        if (!loaded.uncounted.some(({ scope }) => scope === place.scope)) return;
        const writes = count(records.read(records.listAfter(place, after), true));
        scopes.catchUp(loaded, place.scope, session, writes, at);
        if (session) sessions.changed(session);
      }),
  };
}

/** A step deletes so many of each: a few milliseconds. */
const mostDeleted = 500;

export function createEndedCounters(
  { db, writer }: Pick<Sqlite, 'db' | 'writer'>,
  scopes: Pick<CounterScopes, 'forget'>,
): Pick<CounterStore, 'forgetEnded'> {
  function deleteCells(before: number): number {
    const ended = db
      .select({ place: sql`${counterCells.integrationId}, ${counterCells.scope}, ${counterCells.key}` })
      .from(counterCells)
      .where(lt(counterCells.endsAt, before))
      .orderBy(asc(counterCells.endsAt))
      .limit(mostDeleted);
    return db
      .delete(counterCells)
      .where(sql`(${counterCells.integrationId}, ${counterCells.scope}, ${counterCells.key}) IN (${ended})`)
      .run().changes;
  }

  function deleteScopes(before: number): number {
    const ended = db
      .select({ place: sql`${counterScopes.integrationId}, ${counterScopes.scope}` })
      .from(counterScopes)
      .where(lt(counterScopes.endsAt, before))
      .orderBy(asc(counterScopes.endsAt))
      .limit(mostDeleted);
    return db
      .delete(counterScopes)
      .where(sql`(${counterScopes.integrationId}, ${counterScopes.scope}) IN (${ended})`)
      .run().changes;
  }

  /** A session's cells go a few at a time, its state last. */
  function emptySessions(before: number): number {
    const ended = db
      .select()
      .from(countingSessions)
      .where(lt(countingSessions.endsAt, before))
      .orderBy(asc(countingSessions.endsAt))
      .limit(mostDeleted)
      .all();
    const last = ended.at(-1);
    if (!last) return 0;
    const sessionRows = ended.map(({ sessionId }) => sessionId);
    const cells = db
      .select({ place: sql`${sessionCells.sessionId}, ${sessionCells.key}` })
      .from(sessionCells)
      .where(inArray(sessionCells.sessionId, sessionRows))
      .limit(mostDeleted);
    const { changes } = db
      .delete(sessionCells)
      .where(sql`(${sessionCells.sessionId}, ${sessionCells.key}) IN (${cells})`)
      .run();
    if (changes === mostDeleted) return mostDeleted;
    db.update(sessionStates)
      .set({ counters: null })
      .where(inArray(sessionStates.sessionId, sessionRows))
      .run();
    db.delete(countingSessions)
      .where(and(lt(countingSessions.endsAt, before), inArray(countingSessions.sessionId, sessionRows)))
      .run();
    return ended.length;
  }

  return {
    forgetEnded: (before) =>
      writer.run(() => {
        const deleted = [deleteCells(before), deleteScopes(before), emptySessions(before)];
        if (deleted.some((count) => count > 0)) scopes.forget();
        return deleted.some((count) => count === mostDeleted);
      }),
  };
}
