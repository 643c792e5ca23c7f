import { and, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Violation } from '../../schemas/decisions.ts';
import { keyOf, uidOf } from '../../sql/hot-tables.ts';
import { all, boundedTotalOf, type Db, first, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import { offsetOf, type PageRequest } from '../../store/pages.ts';
import type { EntityFigures } from '../entities/store.ts';
import type { ViolationStatus } from './schema.ts';

export interface StoredViolation {
  /** As it was decided. */
  violation: Violation;
  evaluationRunId: string;
  integrationId: string;
  sessionId: string | null;
  entityId: string | null;
  tool: string;
  status: ViolationStatus;
  /** The type of a resolution, or the reason of a dismissal. */
  outcome: string | null;
  note: string | null;
  triagedBy: string | null;
  /** Null for an id that no operator has. */
  triagedByName: string | null;
  triagedAt: number | null;
  createdAt: number;
}

export interface ViolationFilter {
  status?: ViolationStatus;
  ruleId?: string;
  policyId?: string;
  severity?: Violation['severity'];
  integrationId?: string;
  sessionId?: string;
  entityId?: string;
  /** Made from this time on. */
  from?: number;
  /** Made before this time. */
  to?: number;
}

export interface Triage {
  status: Exclude<ViolationStatus, 'NEW'>;
  outcome: string | null;
  /** Undefined leaves the note that is there. */
  note: string | undefined;
  by: string;
  at: number;
}

export interface StoredRuleViolations {
  policyId: string;
  ruleId: string;
  acknowledgedCount: number;
  resolvedCount: number;
  dismissedCount: number;
  falsePositiveCount: number;
}

/** Violations of all integrations, recorded with their evaluations: NEW, ACKNOWLEDGED, then RESOLVED or DISMISSED for good. */
export interface ViolationStore {
  find(id: string): Promise<StoredViolation | null>;
  /** Newest first. `total` is counted up to `mostCounted`, and more than that when there are more. */
  list(
    filter: ViolationFilter,
    page: PageRequest,
    mostCounted: number,
  ): Promise<{ items: StoredViolation[]; total: number }>;
  /** Changes it when its status is among `from`; else returns it as it is, with `changed` false. Null when there is none. */
  triage(
    id: string,
    from: readonly ViolationStatus[],
    triage: Triage,
  ): Promise<{ changed: boolean; violation: StoredViolation } | null>;
  /** Counts of the violations that are not NEW, by rule: the most dismissed first, at most 200. */
  countByRule(filter: { from?: number; to?: number }): Promise<StoredRuleViolations[]>;
}

/** The statements that depend on how a database orders evaluations. */
export interface ViolationDatabase {
  /** The JSON text of a violation among those of its evaluation. */
  readonly violation: SQL<string>;
  /** Violations of evaluations made from `from` on and before `to`. */
  during(from: number | undefined, to: number | undefined): Step<SQL | undefined>;
  newestFirst(filter: ViolationFilter): SQL[];
}

const mostRules = 200;

export function createViolationStore(database: Sql, host: ViolationDatabase): ViolationStore {
  const { evaluations, evaluationSessions, violations } = database.hot;
  const { integrations, operators } = database.tables;
  const { policyUid, ruleId, severity, status, outcome, note, triagedBy, triagedAt } = violations;
  const uid = uidOf(violations);
  const isOfEntity = createIsOfEntity(database);
  const columns = {
    violation: host.violation,
    evaluationRunId: uidOf(evaluations),
    integrationId: integrations.id,
    sessionId: uidOf(evaluationSessions),
    entityId: evaluationSessions.entityId,
    tool: evaluations.tool,
    status,
    outcome,
    note,
    triagedBy,
    triagedByName: operators.name,
    triagedAt,
    createdAt: evaluations.createdAt,
  };

  const select = (db: Db) =>
    db
      .select(columns)
      .from(violations)
      .innerJoin(evaluations, eq(evaluations.id, violations.evaluationId))
      .innerJoin(integrations, eq(keyOf(integrations), violations.integrationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, violations.sessionId))
      .leftJoin(operators, database.isOperator(triagedBy));

  function* find(db: Db, id: string): Step<StoredViolation | null> {
    const row = yield* first(select(db).where(eq(uid, id.toLowerCase())));
    return row && toStored(row);
  }

  function* matching(db: Db, filter: ViolationFilter): Step<SQL | undefined> {
    const { integrationId, sessionId, entityId } = filter;
    const owner = db.select({ key: keyOf(integrations) }).from(integrations);
    const session = db.select({ key: evaluationSessions.id }).from(evaluationSessions);
    return and(
      filter.status && eq(status, filter.status),
      filter.ruleId === undefined ? undefined : eq(ruleId, filter.ruleId),
      filter.policyId === undefined ? undefined : eq(policyUid, filter.policyId.toLowerCase()),
      filter.severity && eq(severity, filter.severity),
      integrationId === undefined
        ? undefined
        : eq(violations.integrationId, owner.where(eq(integrations.id, integrationId.toLowerCase()))),
      sessionId === undefined
        ? undefined
        : eq(violations.sessionId, session.where(eq(uidOf(evaluationSessions), sessionId.toLowerCase()))),
      entityId === undefined
        ? undefined
        : inArray(violations.sessionId, session.where(isOfEntity(db, entityId))),
      yield* host.during(filter.from, filter.to),
    );
  }

  return {
    find: (id) => database.read((db) => find(db, id)),

    list: (filter, page, mostCounted) =>
      database.read(function* (db) {
        const where = yield* matching(db, filter);
        const rows = yield* all(
          select(db)
            .where(where)
            .orderBy(...host.newestFirst(filter))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        const total = yield* boundedTotalOf(db, violations, where, mostCounted);
        return { items: rows.map(toStored), total };
      }),

    triage: (id, from, { by, at, ...triage }) =>
      database.change(function* (db) {
        const changed = yield* all(
          db
            .update(violations)
            .set({ ...triage, triagedBy: by, triagedAt: at })
            .where(and(eq(uid, id.toLowerCase()), inArray(status, [...from])))
            .returning({ status }),
        );
        const violation = yield* find(db, id);
        return violation && { changed: changed.length === 1, violation };
      }),

    countByRule: ({ from, to }) =>
      database.read(function* (db) {
        const having = (condition: SQL) => sql<number>`CAST(count(*) FILTER (WHERE ${condition}) AS integer)`;
        const falsePositiveCount = having(eq(outcome, 'FALSE_POSITIVE'));
        return yield* all(
          db
            .select({
              policyId: policyUid,
              ruleId,
              acknowledgedCount: having(eq(status, 'ACKNOWLEDGED')),
              resolvedCount: having(eq(status, 'RESOLVED')),
              dismissedCount: having(eq(status, 'DISMISSED')),
              falsePositiveCount,
            })
            .from(violations)
            .where(
              and(inArray(status, ['ACKNOWLEDGED', 'RESOLVED', 'DISMISSED']), yield* host.during(from, to)),
            )
            .groupBy(policyUid, ruleId)
            .orderBy(desc(falsePositiveCount), desc(count()), ruleId)
            .limit(mostRules),
        );
      }),
  };
}

/** The condition of sessions of an entity, which may act through several integrations: an index has its sessions by integration. */
function createIsOfEntity({ hot: { evaluationSessions }, tables: { integrations } }: Sql) {
  return (db: Db, id: string): SQL | undefined =>
    and(
      inArray(evaluationSessions.integrationId, db.select({ key: keyOf(integrations) }).from(integrations)),
      eq(evaluationSessions.entityId, id.toLowerCase()),
    );
}

/** How many sessions and violations an entity has, in all integrations. */
export function createEntityFigures(database: Sql): (db: Db, id: string) => Step<EntityFigures> {
  const { evaluationSessions, violations } = database.hot;
  const isOfEntity = createIsOfEntity(database);
  // An expression in place of the column keeps SQLite from reading all violations in the order of their status.
  const status = sql<ViolationStatus>`${violations.status} || ''`;
  return function* (db, id) {
    const isIts = isOfEntity(db, id);
    const sessions = db.select({ key: evaluationSessions.id }).from(evaluationSessions).where(isIts);
    const violationCounts = { NEW: 0, ACKNOWLEDGED: 0, RESOLVED: 0, DISMISSED: 0 };
    const counted = yield* all(
      db
        .select({ status, total: count() })
        .from(violations)
        .where(inArray(violations.sessionId, sessions))
        .groupBy(status),
    );
    for (const { status, total } of counted) violationCounts[status] = total;
    return { sessionCount: yield* totalOf(db, evaluationSessions, isIts), violationCounts };
  };
}

const toStored = ({
  violation,
  ...row
}: Omit<StoredViolation, 'violation'> & { violation: string | null }): StoredViolation => ({
  ...row,
  violation: JSON.parse(violation ?? 'null') as Violation,
});
