import type { NewEvaluation, Verdict } from '../store/store.ts';

/** Gets every decision once it is durable. Must return at once and must not throw. */
export interface DecisionObserver {
  /** `seconds`: from the request to the durable record. */
  decided(evaluation: NewEvaluation, verdict: Verdict, seconds: number): void;
}
