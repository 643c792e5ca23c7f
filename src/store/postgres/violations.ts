import { and, count, desc, eq, getTableColumns, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { EntityFigures } from '../../features/entities/store.ts';
import type { StoredViolation, ViolationFilter, ViolationStore } from '../../features/violations/store.ts';
import { isOperator } from '../../sql/postgres/sql.ts';
import { offsetOf } from '../pages.ts';
import type { Db, Postgres } from './database.ts';
import { totalOf } from './pages.ts';
import { evaluationSessions, evaluations, operators, violations } from './tables.ts';

const { evaluationId, integrationId, sessionId, status, outcome, note, triagedBy, triagedAt, createdAt } =
  getTableColumns(violations);
const columns = {
  // The json type keeps a text as it is.
  violation: sql<string>`(${evaluations.violations}::json -> ${violations.place})::text`,
  evaluationRunId: evaluationId,
  integrationId,
  sessionId,
  entityId: evaluationSessions.entityId,
  tool: evaluations.tool,
  status,
  outcome,
  note,
  triagedBy,
  triagedByName: operators.name,
  triagedAt,
  createdAt,
};
const newestFirst = [desc(createdAt), desc(evaluationId), desc(violations.place)];
const mostRules = 200;

/** `audited`: the same database, where what operators do is recorded. */
export function createViolations({ read }: Postgres, audited: Pick<Postgres, 'change'>): ViolationStore {
  return {
    find: (id) => read((db) => find(db, id)),

    list: (filter, page, mostCounted) =>
      read(async (db) => {
        const where = matching(db, filter);
        const counted = db
          .select({ one: sql`1`.as('one') })
          .from(violations)
          .where(where)
          .limit(mostCounted + 1)
          .as('counted');
        const [total] = await db.select({ total: count() }).from(counted);
        const rows = await select(db)
          .where(where)
          .orderBy(...newestFirst)
          .limit(page.size)
          .offset(offsetOf(page));
        return { items: rows.map(toStored), total: total?.total ?? 0 };
      }),

    triage: (id, from, { by, at, ...triage }) =>
      audited.change(async (tx) => {
        const changed = await tx
          .update(violations)
          .set({ ...triage, triagedBy: by, triagedAt: at })
          .where(and(eq(violations.id, id), inArray(status, [...from])));
        const violation = await find(tx, id);
        return violation && { changed: changed.rowCount === 1, violation };
      }),

    countByRule: ({ from, to }) =>
      read((db) => {
        const of = (value: string) =>
          sql<number>`count(*) FILTER (WHERE ${status} = ${value})`.mapWith(Number);
        const falsePositiveCount = sql<number>`count(*) FILTER (WHERE ${outcome} = 'FALSE_POSITIVE')`;
        return db
          .select({
            policyId: violations.policyUid,
            ruleId: violations.ruleId,
            acknowledgedCount: of('ACKNOWLEDGED'),
            resolvedCount: of('RESOLVED'),
            dismissedCount: of('DISMISSED'),
            falsePositiveCount: falsePositiveCount.mapWith(Number),
          })
          .from(violations)
          .where(and(inArray(status, ['ACKNOWLEDGED', 'RESOLVED', 'DISMISSED']), during(from, to)))
          .groupBy(violations.policyUid, violations.ruleId)
          .orderBy(desc(falsePositiveCount), desc(count()), violations.ruleId)
          .limit(mostRules);
      }),
  };
}

const select = (db: Db) =>
  db
    .select(columns)
    .from(violations)
    .innerJoin(evaluations, eq(evaluations.id, evaluationId))
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, sessionId))
    .leftJoin(operators, isOperator(operators, triagedBy));

async function find(db: Db, id: string): Promise<StoredViolation | null> {
  const [row] = await select(db).where(eq(violations.id, id));
  return row ? toStored(row) : null;
}

const toStored = ({
  violation,
  ...row
}: Omit<StoredViolation, 'violation'> & { violation: string }): StoredViolation => ({
  ...row,
  violation: JSON.parse(violation),
});

const during = (from: number | undefined, to: number | undefined): SQL | undefined =>
  and(
    from === undefined ? undefined : gte(createdAt, from),
    to === undefined ? undefined : lt(createdAt, to),
  );

function matching(db: Db, filter: ViolationFilter): SQL | undefined {
  const { ruleId, policyId, severity, entityId } = filter;
  return and(
    filter.status && eq(status, filter.status),
    ruleId === undefined ? undefined : eq(violations.ruleId, ruleId),
    policyId === undefined ? undefined : eq(violations.policyUid, policyId.toLowerCase()),
    severity && eq(violations.severity, severity),
    filter.integrationId === undefined ? undefined : eq(integrationId, filter.integrationId),
    filter.sessionId === undefined ? undefined : eq(sessionId, filter.sessionId),
    entityId === undefined ? undefined : inArray(sessionId, sessionsOf(db, entityId)),
    during(filter.from, filter.to),
  );
}

const isOfEntity = (id: string): SQL => eq(evaluationSessions.entityId, id.toLowerCase());

/** Sessions of an entity in all integrations. */
const sessionsOf = (db: Db, entityId: string) =>
  db.select({ id: evaluationSessions.id }).from(evaluationSessions).where(isOfEntity(entityId));

/** How many sessions and violations an entity has, in all integrations. */
export async function figuresOfEntity(db: Db, id: string): Promise<EntityFigures> {
  const violationCounts = { NEW: 0, ACKNOWLEDGED: 0, RESOLVED: 0, DISMISSED: 0 };
  const counted = await db
    .select({ status, total: count() })
    .from(violations)
    .where(inArray(sessionId, sessionsOf(db, id)))
    .groupBy(status);
  for (const { status, total } of counted) violationCounts[status] = total;
  return { sessionCount: await totalOf(db, evaluationSessions, isOfEntity(id)), violationCounts };
}
