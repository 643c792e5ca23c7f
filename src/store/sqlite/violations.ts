import { and, count, desc, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { Verdict } from '../../evaluate/evaluation.ts';
import type { EntityFigures } from '../../features/entities/store.ts';
import type { StoredViolation, ViolationFilter, ViolationStore } from '../../features/violations/store.ts';
import type { Violation } from '../../schemas/decisions.ts';
import { offsetOf } from '../pages.ts';
import type { Sqlite } from './database.ts';
import { sessionRowsOf } from './entity-evaluations.ts';
import { createEvaluationTimes } from './evaluation-times.ts';
import { hideValues } from './stable-plan.ts';
import { evaluationSessions, evaluations, integrations, operators, violations } from './tables.ts';

export interface ViolationRows extends ViolationStore {
  /** Of an evaluation that is being recorded. Synchronous: it runs inside a change. */
  add(
    evaluationRow: number,
    integrationRow: number,
    sessionRow: number | null,
    verdict: Pick<Verdict, 'violations'>,
  ): void;
}

const columns = {
  evaluationRow: violations.evaluationId,
  place: violations.place,
  uid: violations.uid,
  violation: sql<string | null>`${evaluations.violations} -> ('$[' || ${violations.place} || ']')`,
  evaluationRunId: evaluations.uid,
  integrationId: integrations.id,
  sessionId: evaluationSessions.uid,
  entityId: evaluationSessions.entityId,
  tool: evaluations.tool,
  status: violations.status,
  outcome: violations.outcome,
  note: violations.note,
  triagedBy: violations.triagedBy,
  triagedByName: operators.name,
  triagedAt: violations.triagedAt,
  createdAt: evaluations.createdAt,
};

/** `audited`: the same database, where what operators do is recorded. */
export function createViolations(
  { client, db, read }: Sqlite,
  audited: Pick<Sqlite, 'writer'>,
): ViolationRows {
  const times = createEvaluationTimes({ client });
  const insert = client.prepare<[number, number, string, number, number | null, string, string, string]>(
    hideValues(`INSERT INTO violations
      (evaluation_id, place, uid, integration_id, session_id, policy_uid, rule_id, severity)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
  );
  const select = () =>
    db
      .select(columns)
      .from(violations)
      .innerJoin(evaluations, eq(evaluations.id, violations.evaluationId))
      .innerJoin(integrations, eq(integrations.row, violations.integrationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, violations.sessionId))
      .leftJoin(operators, eq(operators.id, violations.triagedBy));
  const find = (id: string): StoredViolation | null => {
    const row = select().where(eq(violations.uid, id.toLowerCase())).get();
    return row ? toStored(row) : null;
  };
  const integrationRowOf = (id: string): number => {
    const isIt = eq(integrations.id, id.toLowerCase());
    return db.select({ row: integrations.row }).from(integrations).where(isIt).get()?.row ?? -1;
  };
  const sessionRowOf = (id: string): number => {
    const isIt = eq(evaluationSessions.uid, id.toLowerCase());
    return db.select({ row: evaluationSessions.id }).from(evaluationSessions).where(isIt).get()?.row ?? -1;
  };
  const during = (from: number | undefined, to: number | undefined): SQL | undefined =>
    and(
      from === undefined ? undefined : gt(violations.evaluationId, times.before(from)),
      to === undefined ? undefined : lte(violations.evaluationId, times.before(to)),
    );

  function matching(filter: ViolationFilter): SQL | undefined {
    const { status, ruleId, policyId, severity, integrationId, sessionId, entityId, from, to } = filter;
    return and(
      status && eq(violations.status, status),
      ruleId === undefined ? undefined : eq(violations.ruleId, ruleId),
      policyId === undefined ? undefined : eq(violations.policyUid, policyId.toLowerCase()),
      severity && eq(violations.severity, severity),
      integrationId === undefined ? undefined : eq(violations.integrationId, integrationRowOf(integrationId)),
      sessionId === undefined ? undefined : eq(violations.sessionId, sessionRowOf(sessionId)),
      entityId === undefined ? undefined : isAmong(sessionRowsOf(db, entityId)),
      during(from, to),
    );
  }

  /** Sessions have few violations: without the plus, SQLite may read all violations in their order to find them. */
  const newestFirst = ({ sessionId, entityId }: ViolationFilter): SQL[] =>
    sessionId === undefined && entityId === undefined
      ? [desc(violations.evaluationId), desc(violations.place)]
      : [desc(sql`+${violations.evaluationId}`), desc(violations.place)];

  return {
    add(evaluationRow, integrationRow, sessionRow, { violations: found }) {
      for (const [place, { id, policyId, ruleId, severity }] of found.entries())
        insert.run(evaluationRow, place, id, integrationRow, sessionRow, policyId, ruleId, severity);
    },

    find: (id) => read(() => find(id)),

    list: (filter, page, mostCounted) =>
      read(() => {
        const where = matching(filter);
        const counted = db
          .select({ one: sql`1` })
          .from(violations)
          .where(where)
          .limit(mostCounted + 1)
          .as('counted');
        return {
          items: select()
            .where(where)
            .orderBy(...newestFirst(filter))
            .limit(page.size)
            .offset(offsetOf(page))
            .all()
            .map(toStored),
          total: db.select({ total: count() }).from(counted).get()?.total ?? 0,
        };
      }),

    triage: (id, from, { status, outcome, note, by, at }) =>
      audited.writer.run(() => {
        const before = find(id);
        if (!before) return null;
        if (!from.includes(before.status)) return { changed: false, violation: before };
        db.update(violations)
          .set({ status, outcome, note, triagedBy: by, triagedAt: at })
          .where(eq(violations.uid, id.toLowerCase()))
          .run();
        return { changed: true, violation: find(id) as StoredViolation };
      }),

    countByRule: ({ from, to }) =>
      read(() => {
        const of = (status: string) => sql<number>`count(*) FILTER (WHERE ${violations.status} = ${status})`;
        const falsePositiveCount = sql<number>`count(*) FILTER (WHERE ${violations.outcome} = 'FALSE_POSITIVE')`;
        return db
          .select({
            policyId: violations.policyUid,
            ruleId: violations.ruleId,
            acknowledgedCount: of('ACKNOWLEDGED'),
            resolvedCount: of('RESOLVED'),
            dismissedCount: of('DISMISSED'),
            falsePositiveCount,
          })
          .from(violations)
          .where(and(inArray(violations.status, ['ACKNOWLEDGED', 'RESOLVED', 'DISMISSED']), during(from, to)))
          .groupBy(violations.policyUid, violations.ruleId)
          .orderBy(desc(falsePositiveCount), desc(count()), violations.ruleId)
          .limit(200)
          .all();
      }),
  };
}

/** How many sessions and violations an entity has, in all integrations. */
export function figuresOfEntity(db: Sqlite['db'], id: string): EntityFigures {
  const sessions = sessionRowsOf(db, id);
  const violationCounts = { NEW: 0, ACKNOWLEDGED: 0, RESOLVED: 0, DISMISSED: 0 };
  const counted = db
    .select({ status: violations.status, total: count() })
    .from(violations)
    .where(isAmong(sessions))
    .groupBy(sql`+${violations.status}`)
    .all();
  for (const { status, total } of counted) violationCounts[status] = total;
  return { sessionCount: sessions.length, violationCounts };
}

const isAmong = (sessions: readonly number[]): SQL =>
  sql`${violations.sessionId} IN (SELECT value FROM json_each(${JSON.stringify(sessions)}))`;

function toStored({
  evaluationRow: _,
  place: __,
  uid: ___,
  violation,
  ...row
}: {
  evaluationRow: number;
  place: number;
  uid: string;
  violation: string | null;
} & Omit<StoredViolation, 'violation'>): StoredViolation {
  return { ...row, violation: JSON.parse(violation ?? 'null') as Violation };
}
