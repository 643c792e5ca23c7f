import type { Client } from '../client.ts';
import { hideValues } from '../hot-statement.ts';

/** Finds evaluations by time without an index: they are recorded in the order of their times. */
export interface EvaluationTimes {
  /** The row of the last evaluation; 0 when there is none. */
  last(): number;
  /** The row of the last evaluation made before `time`; 0 when there is none. */
  before(time: number): number;
  /** Whether it was made from `from` on and before `to`. */
  isWithin(row: number, from: number | undefined, to: number | undefined): boolean;
}

/** Two processes that record in one file may be so many evaluations apart from the order of time. */
const slack = 256;

export function createEvaluationTimes({ client }: { client: Client }): EvaluationTimes {
  const lastRow = client.prepare<[], number | null>(hideValues('SELECT max(id) FROM evaluations')).pluck();
  const timeFrom = client
    .prepare<[number], number>(
      hideValues('SELECT created_at FROM evaluations WHERE id >= ? ORDER BY id LIMIT 1'),
    )
    .pluck();
  const last = (): number => lastRow.get() ?? 0;

  return {
    last,
    before(time) {
      let [low, high] = [1, last() + 1];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if ((timeFrom.get(middle) ?? time) < time) low = middle + 1;
        else high = middle;
      }
      return low - 1;
    },
    isWithin(row, from = -Infinity, to = Infinity) {
      if (from === -Infinity && to === Infinity) return true;
      const time = timeFrom.get(row) as number;
      return time >= from && time < to;
    },
  };
}

/** Rows in which one of that time may be, beside those found by it. */
export const withSlack = (low: number, high: number): [low: number, high: number] => [
  low - slack,
  high + slack,
];
