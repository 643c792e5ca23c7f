import { exactName } from '../../evaluate/judge.ts';
import type { ReplayRow } from '../../store/replay.ts';
import type { NewEvaluation } from '../../store/store.ts';

/**
 * How often each exact action of a session was attempted. The record says it where a policy asked, and it depends on no decision; so
 * actions are hashed only when a later one needs a number that the record does not have.
 */
export class ReplayedRepeats {
  readonly #attempts = new Map<string, number>();
  /** Rows whose own number is recorded. */
  #notHashed: number[] = [];

  /** How often this action was attempted before; 0 where no policy asks. `readAgain`: what was recorded in these rows. */
  before(
    { repeats }: ReplayRow,
    evaluation: NewEvaluation,
    readAgain: (rows: readonly number[]) => Iterable<NewEvaluation>,
  ): number {
    if (repeats !== null) return repeats;
    if (!counts(evaluation)) return 0;
    for (const earlier of readAgain(this.#notHashed)) this.#count(earlier);
    this.#notHashed = [];
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
  exactName({ tool: evaluation.tool, contentHash: evaluation.contentHash() });
