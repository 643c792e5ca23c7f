import { and, desc, gt, lte, sql } from 'drizzle-orm';
import type { Verdict } from '../../../evaluate/evaluation.ts';
import type { ViolationDatabase } from '../../../features/violations/store.ts';
import { call } from '../../../sql/steps.ts';
import type { Sqlite } from '../database.ts';
import { hideValues } from '../hot-statement.ts';
import { evaluations, violations } from '../tables.ts';
import { createEvaluationTimes } from './evaluation-times.ts';

export interface ViolationRows {
  /** Adds the violations of an evaluation that is being recorded. Synchronous: it runs inside a change. */
  add(
    evaluationRow: number,
    integrationRow: number,
    sessionRow: number | null,
    verdict: Pick<Verdict, 'violations'>,
  ): void;
}

export function createViolationRows({ client }: Pick<Sqlite, 'client'>): ViolationRows {
  const insert = client.prepare<[number, number, string, number, number | null, string, string, string]>(
    hideValues(`INSERT INTO violations
      (evaluation_id, place, uid, integration_id, session_id, policy_uid, rule_id, severity)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
  );
  return {
    add(evaluationRow, integrationRow, sessionRow, { violations: found }) {
      for (const [place, { id, policyId, ruleId, severity }] of found.entries())
        insert.run(evaluationRow, place, id, integrationRow, sessionRow, policyId, ruleId, severity);
    },
  };
}

/** Violations have no time of their own here: rows of evaluations are in the order of time. */
export function createViolationDatabase({ client }: Pick<Sqlite, 'client'>): ViolationDatabase {
  const times = createEvaluationTimes({ client });
  const { evaluationId, place } = violations;
  return {
    violation: sql`${evaluations.violations} -> ('$[' || ${place} || ']')`,
    during: (from, to) =>
      call(() =>
        and(
          from === undefined ? undefined : gt(evaluationId, times.before(from)),
          to === undefined ? undefined : lte(evaluationId, times.before(to)),
        ),
      ),
    // Sessions have few violations: without the plus, SQLite may read all violations in their order to find them.
    newestFirst: ({ sessionId, entityId }) =>
      sessionId === undefined && entityId === undefined
        ? [desc(evaluationId), desc(place)]
        : [desc(sql`+${evaluationId}`), desc(place)],
  };
}
