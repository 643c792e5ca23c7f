import { and, eq, exists, gt, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { mostIdentifiers } from '../../schemas/sightings.ts';
import type { SightingStore } from '../sightings.ts';
import type { Sqlite } from './database.ts';
import { prepareHot, prepareHotRead } from './hot-statement.ts';
import type { SessionState } from './session-state.ts';
import { evaluationSessions, provenanceSalts, sessionStates, sightings } from './tables.ts';

/**
 * The first two are synchronous: they run inside a change. Rows are kept in memory as those of counters are: those that
 * changed are written at the end of the transaction, and all are dropped when it is rolled back or another connection wrote.
 */
export interface SightingsOfStore extends SightingStore {
  find(session: SessionState, digest: string): string | null;
  write(session: SessionState, digest: string, data: string): void;
  all(session: SessionState): readonly { digest: string; data: string }[];
  /** That one session may keep. */
  readonly most: number;
}

interface Kept {
  readonly place: readonly [sessionRow: number, digest: string];
  data: string | null;
}

/** A step deletes so many rows: a few milliseconds. */
const mostDeleted = 1_000;
/** At most some 600 bytes each, most a third of that. */
const mostKept = 50_000;

export function createSightings({
  client,
  db,
  writer,
  read,
}: Pick<Sqlite, 'client' | 'db' | 'writer' | 'read'>): SightingsOfStore {
  const { placeholder } = sql;
  const fields = { data: sightings.data };
  const select = prepareHotRead<{ data: string }, [number, string]>(
    client,
    fields,
    db
      .select(fields)
      .from(sightings)
      .where(
        and(eq(sightings.sessionId, placeholder('sessionRow')), eq(sightings.digest, placeholder('digest'))),
      ),
    ['sessionRow', 'digest'],
  );
  const upsert = prepareHot<[number, string, string]>(
    client,
    db
      .insert(sightings)
      .values({
        sessionId: placeholder('sessionRow'),
        digest: placeholder('digest'),
        data: placeholder('data'),
      })
      .onConflictDoUpdate({
        target: [sightings.sessionId, sightings.digest],
        set: { data: sql`excluded.data` },
      }),
    ['sessionRow', 'digest', 'data'],
  );
  const kept = new Map<string, Kept>();
  const changed = new Set<Kept>();
  writer.onForeignCommit(() => kept.clear());
  function flush(): void {
    for (const { place, data } of changed) upsert.run(...place, data ?? '');
    changed.clear();
  }
  writer.onEnd(() => {
    flush();
    if (kept.size > mostKept) kept.clear();
  });
  writer.onRollback(() => {
    changed.clear();
    kept.clear();
  });

  function keep({ row: { id: sessionRow } }: SessionState, digest: string): Kept {
    const id = `${sessionRow} ${digest}`;
    let row = kept.get(id);
    if (!row) {
      row = { place: [sessionRow, digest], data: select.get(sessionRow, digest)?.data ?? null };
      kept.set(id, row);
    }
    return row;
  }

  const roots = alias(evaluationSessions, 'roots');
  const isRootOver = (before: number) =>
    exists(
      db
        .select({ one: sql`1` })
        .from(roots)
        .where(
          and(
            eq(roots.uid, sql`${evaluationSessions.place} ->> '$.rootId'`),
            or(ne(roots.status, 'ACTIVE'), lte(roots.expiresAt, before)),
          ),
        ),
    );

  /** One session whose sightings nobody reads any more. */
  const nextEnded = (before: number) =>
    db
      .select({ id: sessionStates.sessionId })
      .from(sessionStates)
      .innerJoin(evaluationSessions, eq(evaluationSessions.id, sessionStates.sessionId))
      .where(
        and(
          gt(sessionStates.sightingCount, 0),
          // Its ancestors may not know them yet.
          or(isNull(evaluationSessions.parentUid), eq(evaluationSessions.gathered, 1), isRootOver(before)),
          or(ne(evaluationSessions.status, 'ACTIVE'), lte(evaluationSessions.expiresAt, before)),
        ),
      )
      .limit(1)
      .get();

  return {
    find: (session, digest) => (session.sightingCount === 0 ? null : keep(session, digest).data),

    write(session, digest, data) {
      const row = keep(session, digest);
      if (row.data === null) session.sightingCount++;
      row.data = data;
      changed.add(row);
    },

    most: mostIdentifiers,

    all(session) {
      if (session.sightingCount === 0) return [];
      flush();
      return db
        .select({ digest: sightings.digest, data: sightings.data })
        .from(sightings)
        .where(eq(sightings.sessionId, session.row.id))
        .all();
    },

    salt: async () => {
      const found = await read(() => db.select().from(provenanceSalts).get());
      if (!found) throw new Error('the database has no salt');
      return found.salt;
    },

    forgetEnded: (before) =>
      writer.run(() => {
        const ended = nextEnded(before);
        if (!ended) return false;
        const some = db
          .select({ digest: sightings.digest })
          .from(sightings)
          .where(eq(sightings.sessionId, ended.id))
          .limit(mostDeleted);
        const { changes } = db
          .delete(sightings)
          .where(and(eq(sightings.sessionId, ended.id), sql`${sightings.digest} IN (${some})`))
          .run();
        if (changes < mostDeleted)
          db.update(sessionStates)
            .set({ sightingCount: 0 })
            .where(eq(sessionStates.sessionId, ended.id))
            .run();
        kept.clear();
        return true;
      }),
  };
}
