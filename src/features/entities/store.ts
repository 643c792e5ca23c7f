import { and, desc, eq } from 'drizzle-orm';
import { all, type Db, first, run, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import { offsetOf, type Page, type PageRequest } from '../../store/pages.ts';
import type { ViolationStatus } from '../violations/schema.ts';
import type { EntityKind } from './words.ts';

export interface StoredEntity {
  id: string;
  name: string;
  kind: EntityKind;
  owner: string | null;
  /** JSON text. */
  metadata: string;
  createdAt: number;
  updatedAt: number;
}

export interface EntityFigures {
  sessionCount: number;
  violationCounts: Record<ViolationStatus, number>;
}

/** Registered entities. A session names any entity, registered or not. */
export interface EntityStore {
  register(entity: Omit<StoredEntity, 'updatedAt'>): Promise<StoredEntity | 'registered'>;
  /** Its figures cover all integrations. */
  find(id: string): Promise<(StoredEntity & EntityFigures) | null>;
  /** Newest first. */
  list(page: PageRequest, filter: { kind?: EntityKind; owner?: string }): Promise<Page<StoredEntity>>;
  /** Fields that are absent stay as they are. Null when it is not registered. */
  change(
    id: string,
    change: Partial<Omit<StoredEntity, 'id' | 'createdAt' | 'updatedAt'>>,
    now: number,
  ): Promise<(StoredEntity & EntityFigures) | null>;
  /** Its sessions and their record stay. Null when it is not registered. */
  delete(id: string): Promise<(StoredEntity & EntityFigures) | null>;
}

/** `figuresOf`: how many sessions and violations an entity has, in all integrations. */
export function createEntityStore(
  sql: Sql,
  { figuresOf }: { figuresOf(db: Db, id: string): Step<EntityFigures> },
): EntityStore {
  const { entities } = sql.tables;

  const find = (db: Db, id: string): Step<StoredEntity | null> =>
    first(db.select().from(entities).where(eq(entities.id, id.toLowerCase())));

  function* findWithFigures(db: Db, id: string): Step<(StoredEntity & EntityFigures) | null> {
    const entity = yield* find(db, id);
    return entity && { ...entity, ...(yield* figuresOf(db, entity.id)) };
  }

  return {
    register: (entity) =>
      sql.change(function* (db) {
        if (yield* find(db, entity.id)) return 'registered';
        yield* run(db.insert(entities).values({ ...entity, updatedAt: entity.createdAt }));
        return (yield* find(db, entity.id)) as StoredEntity;
      }),

    find: (id) => sql.read((db) => findWithFigures(db, id)),

    list: (page, { kind, owner }) =>
      sql.read(function* (db) {
        const where = and(
          kind && eq(entities.kind, kind),
          owner === undefined ? undefined : eq(entities.owner, owner),
        );
        const items = yield* all(
          db
            .select()
            .from(entities)
            .where(where)
            .orderBy(desc(entities.createdAt), desc(entities.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return { items, total: yield* totalOf(db, entities, where) };
      }),

    change: (id, change, now) =>
      sql.change(function* (db) {
        yield* run(
          db
            .update(entities)
            .set({ ...change, updatedAt: now })
            .where(eq(entities.id, id.toLowerCase())),
        );
        return yield* findWithFigures(db, id);
      }),

    delete: (id) =>
      sql.change(function* (db) {
        const last = yield* findWithFigures(db, id);
        if (last) yield* run(db.delete(entities).where(eq(entities.id, last.id)));
        return last;
      }),
  };
}
