import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { EntityFigures, EntityStore, StoredEntity } from '../entities.ts';
import { offsetOf } from '../pages.ts';
import type { Sqlite } from './database.ts';
import { sessionRowsOf } from './entity-evaluations.ts';
import { entities, violations } from './tables.ts';

const {
  id: _,
  uid,
  ...plain
} = {
  id: entities.id,
  uid: entities.uid,
  name: entities.name,
  kind: entities.kind,
  owner: entities.owner,
  metadata: entities.metadata,
  createdAt: entities.createdAt,
  updatedAt: entities.updatedAt,
};
const columns = { id: uid, ...plain };

export function createEntities({ db, writer, read }: Sqlite): EntityStore {
  const find = (id: string): StoredEntity | null =>
    db.select(columns).from(entities).where(eq(uid, id.toLowerCase())).get() ?? null;

  function figuresOf(id: string): EntityFigures {
    const sessions = sessionRowsOf(db, id);
    const violationCounts = { NEW: 0, ACKNOWLEDGED: 0, RESOLVED: 0, DISMISSED: 0 };
    const counted = db
      .select({ status: violations.status, total: count() })
      .from(violations)
      .where(sql`${violations.sessionId} IN (SELECT value FROM json_each(${JSON.stringify(sessions)}))`)
      .groupBy(sql`+${violations.status}`)
      .all();
    for (const { status, total } of counted) violationCounts[status] = total;
    return { sessionCount: sessions.length, violationCounts };
  }
  const found = (id: string) => {
    const entity = find(id);
    return entity && { ...entity, ...figuresOf(entity.id) };
  };

  return {
    register: ({ id, ...entity }) =>
      writer.run(() => {
        if (find(id)) return 'registered';
        db.insert(entities)
          .values({ ...entity, uid: id, updatedAt: entity.createdAt })
          .run();
        return find(id) as StoredEntity;
      }),

    find: (id) => read(() => found(id)),

    list: (page, { kind, owner }) =>
      read(() => {
        const where = and(
          kind && eq(entities.kind, kind),
          owner === undefined ? undefined : eq(entities.owner, owner),
        );
        return {
          items: db
            .select(columns)
            .from(entities)
            .where(where)
            .orderBy(desc(entities.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all(),
          total: db.select({ total: count() }).from(entities).where(where).get()?.total ?? 0,
        };
      }),

    change: (id, change, now) =>
      writer.run(() => {
        if (!find(id)) return null;
        db.update(entities)
          .set({ ...change, updatedAt: now })
          .where(eq(uid, id.toLowerCase()))
          .run();
        return found(id);
      }),

    delete: (id) =>
      writer.run(() => {
        const last = found(id);
        if (last) db.delete(entities).where(eq(uid, last.id)).run();
        return last;
      }),
  };
}
