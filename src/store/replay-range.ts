import type { ReplayFilter, ReplayRange } from './replay.ts';

/** What a store reads to say which rows a replay needs. Rows are numbered in the order of time. */
export interface RangeReads {
  /** How far from the order of time a row may be, in milliseconds. */
  slackMs: number;
  /** 0 when there is none. */
  lastRow(): number;
  /** The first row with this number or a higher one. */
  rowFrom(row: number): { row: number; at: number } | undefined;
  integrationRow(id: string): number | undefined;
  rootOf(sessionId: string): string | undefined;
  treeOf(rootId: string): { row: number; startedAt: number; last: number }[];
  /** Whether any session was delegated to another integration. */
  hasDelegates(): boolean;
  /** When the first of the trees began in which something was recorded from that row on; null when there is none. */
  firstStart(row: number): number | null;
}

/** Says which rows a replay has to read, so that it meets every selected evaluation with the state that it had. */
export function replayRange(reads: RangeReads, filter: ReplayFilter, isWide: boolean): ReplayRange | null {
  const { integrationId, sessionId, from, to } = filter;
  const { slackMs } = reads;
  const all = reads.lastRow();
  const rowAt = (time: number): number => firstRowAt(reads, time, all);
  const owner = integrationId === undefined ? null : reads.integrationRow(integrationId.toLowerCase());
  const root = sessionId === undefined ? null : reads.rootOf(sessionId.toLowerCase());
  if (owner === undefined || root === undefined) return null;
  const firstSelected = from === undefined ? 1 : rowAt(from - slackMs);
  const last = to === undefined ? all : rowAt(to + slackMs) - 1;
  const integrationRows = owner !== null && !reads.hasDelegates() ? [owner] : null;
  const range = { firstSelected, last, integrationRows, sessionRows: null, after: 0 };
  if (isWide) return range;
  if (root !== null) {
    const tree = reads.treeOf(root);
    const start = Math.min(...tree.map(({ startedAt }) => startedAt));
    return {
      ...range,
      last: Math.min(last, Math.max(...tree.map((session) => session.last))),
      after: rowAt(start - slackMs) - 1,
      integrationRows: null,
      sessionRows: tree.map(({ row }) => row),
    };
  }
  if (firstSelected === 1) return range;
  // What the roots of the trees met counts for all of them.
  const start = reads.firstStart(firstSelected);
  const after = start === null ? firstSelected : Math.min(firstSelected, rowAt(start - slackMs));
  return { ...range, after: after - 1 };
}

/** The first row made at that time or later, found by halves. */
function firstRowAt({ rowFrom }: RangeReads, time: number, last: number): number {
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = rowFrom(middle);
    if (found && found.at < time) low = found.row + 1;
    else high = middle;
  }
  return low;
}
