import { asc, eq, gt, sql } from 'drizzle-orm';
import {
  type CountedEvaluation,
  countEvaluations,
  type StatsRow,
  type StatsStore,
} from '../../../features/stats/store.ts';
import type { Violation } from '../../../schemas/decisions.ts';
import { parseList } from '../../rows.ts';
import type { Sqlite } from '../database.ts';
import { prepareHotRead } from '../hot-statement.ts';
import { evaluationSessions, evaluations, integrations, statsProgress } from '../tables.ts';

/** A step ends after either: each holds up the event loop, and to read the row of a large input takes 40 µs for each 100 KB. */
const rowsInStep = 1_000;
const msInStep = 2;
/** Evaluations in memory that are not counted yet, some 100 bytes each: more than a busy service records between two counts. */
const mostFresh = 50_000;

/** An evaluation that this process recorded, in the form that is counted. */
export interface FreshEvaluation extends CountedEvaluation {
  /** Its row. */
  readonly id: number;
}

/** The statistics of this database. */
export interface SqliteStats extends Pick<StatsStore, 'count'> {
  /** Remembers an evaluation that is being recorded: counting it then needs no second look at its row. Synchronous: inside a change. */
  note(evaluation: FreshEvaluation): void;
}

/** Statistics follow the evaluations: which are counted is written in the transaction that counts them, so each counts once. */
export function createStats({
  client,
  db,
  writer,
  read,
}: Pick<Sqlite, 'client' | 'db' | 'writer' | 'read'>): SqliteStats {
  const columns = {
    id: evaluations.id,
    integrationId: integrations.id,
    entityId: evaluationSessions.entityId,
    tool: evaluations.tool,
    enforcementAction: evaluations.enforcementAction,
    violations: evaluations.violations,
    dataTags: evaluations.dataTags,
    createdAt: evaluations.createdAt,
    tookUs: evaluations.tookUs,
  };
  const uncounted = prepareHotRead(
    client,
    columns,
    db
      .select(columns)
      .from(evaluations)
      .innerJoin(integrations, eq(integrations.row, evaluations.integrationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
      .where(gt(evaluations.id, sql.placeholder('after')))
      .orderBy(asc(evaluations.id)),
    ['after'],
  );
  const add = client.prepare<[StatsRow]>(
    `INSERT INTO stats (dimension, unit, slot, integration_id, name, allowed, warned, held, blocked, timed, took_us, slowest_us)
     VALUES (@dimension, @unit, @slot, (SELECT row FROM integrations WHERE id = @integrationId), @name, @allowed, @warned, @held,
       @blocked, @timed, @tookUs, @slowestUs)
     ON CONFLICT DO UPDATE SET allowed = allowed + excluded.allowed, warned = warned + excluded.warned,
       held = held + excluded.held, blocked = blocked + excluded.blocked, timed = timed + excluded.timed,
       took_us = took_us + excluded.took_us, slowest_us = max(slowest_us, excluded.slowest_us)`,
  );
  const progress = () => db.select().from(statsProgress).get()?.evaluationId ?? 0;

  /** In the order of their rows. Rows that are missing here were written by another process, or before the start: they are read. */
  let fresh: FreshEvaluation[] = [];
  writer.onRollback(() => {
    fresh = [];
  });

  /** The evaluations in memory that follow the last one that is counted without a gap. */
  function freshAfter(counted: number): readonly FreshEvaluation[] {
    const start = fresh.findIndex(({ id }) => id > counted);
    if (start === -1) {
      fresh = [];
      return fresh;
    }
    let end = start;
    while (end - start < rowsInStep && fresh[end]?.id === counted + 1 + end - start) end++;
    const next = fresh.slice(start, end);
    fresh = fresh.slice(end);
    return next;
  }

  function nextStep(): { rows: readonly FreshEvaluation[]; isLast: boolean } {
    const counted = progress();
    const remembered = freshAfter(counted);
    return remembered.length > 0 ? { rows: remembered, isLast: false } : readStep(counted);
  }

  function readStep(counted: number): ReturnType<typeof nextStep> {
    const rows = [];
    const endsAt = performance.now() + msInStep;
    for (const { violations, dataTags, ...row } of uncounted.iterate(counted)) {
      rows.push({
        ...row,
        violations: parseList<Violation>(violations),
        dataTags: parseList<string>(dataTags),
      });
      if (rows.length === rowsInStep || performance.now() > endsAt) return { rows, isLast: false };
    }
    return { rows, isLast: true };
  }

  return {
    note(evaluation) {
      if (fresh.length === mostFresh) fresh = fresh.slice(mostFresh / 2);
      fresh.push(evaluation);
    },

    async count() {
      if ((await read(() => uncounted.get(progress()))) === undefined) return false;
      return writer.run(() => {
        const { rows, isLast } = nextStep();
        const last = rows.at(-1);
        if (!last) return false;
        for (const row of countEvaluations(rows)) add.run(row);
        db.insert(statsProgress)
          .values({ id: 1, evaluationId: last.id })
          .onConflictDoUpdate({ target: statsProgress.id, set: { evaluationId: last.id } })
          .run();
        return !isLast;
      });
    },
  };
}
