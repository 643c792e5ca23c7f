import type { SimulationLine } from '../../schemas/replays.ts';
import type { ReplayFilter, ReplayRow, ReplaySource } from '../../store/replay.ts';
import { changesNothing, type ReplayChange } from './change.ts';
import { Comparison } from './comparison.ts';
import { countersInTree } from './counters-in-trees.ts';
import { ReplayEvaluator } from './evaluator.ts';
import { PartialEvaluator } from './partial-evaluator.ts';
import { PoliciesOfRecord } from './policies-of-record.ts';
import { ReplayedIntegrations } from './replayed-integrations.ts';
import { ReplayedSessions } from './replayed-sessions.ts';

export interface ReplayOptions {
  change: ReplayChange;
  filter: ReplayFilter;
  /** Of the evaluations that change, so many are named. */
  differences: number;
  mostToolNames: number;
}

/** Rows between two pauses, read at once: some milliseconds of work, and a megabyte at most, unless contents are large. */
const rowsPerPage = 250;
/** Pages between two sweeps of sessions that are over. */
const pagesPerSweep = 200;
const progressEveryMs = 250;

/** Replays the record, and tells of it line by line. `goOn` is called after each page: the replay ends early when it says no. */
export async function replay(
  source: ReplaySource,
  { change, filter, differences, mostToolNames }: ReplayOptions,
  tell: (line: SimulationLine) => void,
  goOn: () => Promise<boolean>,
): Promise<void> {
  const beganAt = performance.now();
  const integrations = new ReplayedIntegrations(source);
  const policies = new PoliciesOfRecord(source, change, mostToolNames);
  const isWide = policies.countAcrossSessions();
  const range = source.range(filter, isWide);
  const comparison = new Comparison();
  let shown = 0;
  if (range) {
    const sessions = new ReplayedSessions(source, policies.readRecentActions());
    const all = new ReplayEvaluator(source, policies, range.after);
    const inPart =
      isWide || changesNothing(change)
        ? null
        : new PartialEvaluator(all, sessions, policies, { source, after: range.after });
    const asked = filter.sessionId === undefined ? null : source.sessionRow(filter.sessionId.toLowerCase());
    const total = Math.max(0, range.last - range.after);
    let toldAt = beganAt;

    const isSelected = (row: ReplayRow, integrationId: string): boolean =>
      row.row >= range.firstSelected &&
      (filter.from === undefined || row.createdAt >= filter.from) &&
      (filter.to === undefined || row.createdAt < filter.to) &&
      (filter.tool === undefined || row.tool === filter.tool) &&
      (asked === null || row.sessionRow === asked) &&
      (filter.integrationId === undefined || integrationId === filter.integrationId.toLowerCase());

    for (let after = range.after, pages = 1; after < range.last; after += rowsPerPage, pages++) {
      const upTo = Math.min(after + rowsPerPage, range.last);
      const changes = source.changes(after, upTo);
      let nextChange = 0;
      const rows = source.rows(range, after, upTo);
      for (const row of rows) {
        for (let one = changes[nextChange]; one && one.afterRow < row.row; one = changes[++nextChange])
          sessions.change(one);
        const integration = integrations.of(row.integrationRow);
        const session = row.sessionRow === null ? null : sessions.of(row.sessionRow);
        const rootOwner = session ? integrations.of(session.rootIntegrationRow) : integration;
        const replayed = inPart
          ? inPart.evaluate(row, integration, session, integration.counters)
          : all.evaluate(row, integration, session, countersInTree(integration.counters, rootOwner.counters));
        if (session) sessions.passed(session, row.row);
        if (!isSelected(row, integration.stored.id)) continue;
        const of = { integrationId: integration.stored.id, sessionId: session?.id ?? null };
        const difference = comparison.add(row, of, replayed, () => source.triage(row.row));
        if (difference && shown < differences) {
          shown++;
          tell(difference);
        }
      }
      for (; nextChange < changes.length; nextChange++) {
        const one = changes[nextChange];
        if (one) sessions.change(one);
      }
      const last = rows.at(-1);
      if (last && pages % pagesPerSweep === 0) sessions.sweep(last.createdAt);
      if (performance.now() - toldAt > progressEveryMs) {
        toldAt = performance.now();
        tell({ type: 'progress', evaluations: upTo - range.after, total });
      }
      if (!(await goOn())) return;
    }
    tell({ type: 'progress', evaluations: total, total });
  }
  tell(comparison.result(shown, (performance.now() - beganAt) / 1_000));
}
