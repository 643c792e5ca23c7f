import { and, count, desc, eq, inArray } from 'drizzle-orm';
import type { EntityFigures, EntityStore, StoredEntity } from '../entities.ts';
import { offsetOf } from '../pages.ts';
import type { Db, Postgres } from './database.ts';
import { totalOf } from './pages.ts';
import { entities, evaluationSessions, violations } from './tables.ts';

export function createEntities({ read, change }: Postgres): EntityStore {
  return {
    register: (entity) =>
      change(async (tx) => {
        if (await find(tx, entity.id)) return 'registered';
        await tx.insert(entities).values({ ...entity, updatedAt: entity.createdAt });
        return (await find(tx, entity.id)) as StoredEntity;
      }),

    find: (id) => read((db) => findWithFigures(db, id)),

    list: (page, { kind, owner }) =>
      read(async (db) => {
        const where = and(
          kind && eq(entities.kind, kind),
          owner === undefined ? undefined : eq(entities.owner, owner),
        );
        const items = await db
          .select()
          .from(entities)
          .where(where)
          .orderBy(desc(entities.createdAt), desc(entities.id))
          .limit(page.size)
          .offset(offsetOf(page));
        return { items, total: await totalOf(db, entities, where) };
      }),

    change: (id, changed, now) =>
      change(async (tx) => {
        await tx
          .update(entities)
          .set({ ...changed, updatedAt: now })
          .where(eq(entities.id, id));
        return findWithFigures(tx, id);
      }),

    delete: (id) =>
      change(async (tx) => {
        const last = await findWithFigures(tx, id);
        if (last) await tx.delete(entities).where(eq(entities.id, id));
        return last;
      }),
  };
}

async function find(db: Db, id: string): Promise<StoredEntity | null> {
  const [found] = await db.select().from(entities).where(eq(entities.id, id));
  return found ?? null;
}

async function findWithFigures(db: Db, id: string): Promise<(StoredEntity & EntityFigures) | null> {
  const entity = await find(db, id);
  return entity && { ...entity, ...(await figuresOf(db, entity.id)) };
}

/** Its sessions in all integrations. */
export const sessionsOf = (db: Db, entityId: string) =>
  db
    .select({ id: evaluationSessions.id })
    .from(evaluationSessions)
    .where(eq(evaluationSessions.entityId, entityId.toLowerCase()));

async function figuresOf(db: Db, entityId: string): Promise<EntityFigures> {
  const violationCounts = { NEW: 0, ACKNOWLEDGED: 0, RESOLVED: 0, DISMISSED: 0 };
  const counted = await db
    .select({ status: violations.status, total: count() })
    .from(violations)
    .where(inArray(violations.sessionId, sessionsOf(db, entityId)))
    .groupBy(violations.status);
  for (const { status, total } of counted) violationCounts[status] = total;
  const ofEntity = eq(evaluationSessions.entityId, entityId.toLowerCase());
  return { sessionCount: await totalOf(db, evaluationSessions, ofEntity), violationCounts };
}
