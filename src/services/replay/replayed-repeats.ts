import type { ReplayRow, ReplaySource } from '../../store/replay.ts';
import type { NewEvaluation } from '../../store/store.ts';
import { exactName } from '../repeats.ts';
import { knownContent } from './known-content.ts';
import type { PoliciesThen } from './policies-then.ts';
import { newEvaluation, type ReplayedOf } from './replayed-evaluation.ts';

const rowsAtOnce = 1_000;

/**
 * How often each exact action of a session was attempted. The record says it where a policy asked, and it depends on no decision; so
 * actions are hashed only when a later one needs a number that the record does not have.
 */
export class ReplayedRepeats {
  readonly #attempts = new Map<string, number>();
  /** Rows whose own number is recorded. */
  #notHashed: number[] = [];

  /** How often this action was attempted before; 0 where no policy asks. */
  before(
    row: ReplayRow,
    evaluation: NewEvaluation,
    then: PoliciesThen,
    of: ReplayedOf & { source: ReplaySource },
  ): number {
    if (row.repeats !== null) return row.repeats;
    if (!counts(evaluation)) return 0;
    const rows = this.#notHashed;
    this.#notHashed = [];
    for (let first = 0; first < rows.length; first += rowsAtOnce)
      for (const earlier of of.source.rowsAt(rows.slice(first, first + rowsAtOnce))) {
        const content = knownContent(earlier, then.inputPaths);
        this.#count(newEvaluation(earlier, then, [], { ...of, content, named: null }));
      }
    return this.#attempts.get(nameOf(evaluation)) ?? 0;
  }

  add({ row, repeats }: ReplayRow, evaluation: NewEvaluation): void {
    if (!counts(evaluation)) return;
    if (repeats === null) this.#count(evaluation);
    else this.#notHashed.push(row);
  }

  #count(evaluation: NewEvaluation): void {
    const name = nameOf(evaluation);
    this.#attempts.set(name, (this.#attempts.get(name) ?? 0) + 1);
  }
}

const counts = ({ phase, needs }: NewEvaluation): boolean => needs.repeats && phase === 'ACTION';
const nameOf = (evaluation: NewEvaluation): string =>
  exactName({ tool: evaluation.tool, inputHash: evaluation.inputHash() });
