import type { Batch, Known } from './batch.ts';
import type { Db } from './database.ts';

/** What is done in a session, or may open one: together with others in one transaction. */
export interface Job<Result> {
  /** Sessions of which has to be known what is above them. */
  readonly sessionIds: readonly string[];
  /** Whatever has the same key is never under way twice in this process: it would wait for itself. */
  keys(known: Known): string[];
  /** Bytes of its texts, about. */
  readonly size: number;
  /** Says which locks and rows it needs, as far as it is known. */
  prepare(batch: Batch): void;
  /** Reads more, under the locks, before it runs. */
  read?(db: Db): Promise<void>;
  /**
   * Does it, and returns its result. It throws `NotLoaded` or `NotLocked` when something is missing, and is called again; then
   * nothing may have been done that would be done twice. Any other error is that of this job alone.
   */
  run(batch: Batch): Result;
}

/** A job failed after it had begun to change the batch: nothing of the batch may be written. */
export class HalfDone extends Error {}

/** Changes the batch: all of it, or the batch fails. */
export function apply<Result>(change: () => Result): Result {
  try {
    return change();
  } catch (cause) {
    throw new HalfDone('a job failed while it was applied', { cause });
  }
}
