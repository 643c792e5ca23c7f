import type { NewEvaluation } from '../store/store.ts';
import type { VerdictWithResponse } from './verdicts.ts';

/** The span of a caller (W3C Trace Context). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** When the parts of an evaluation began and ended, by `performance.now()`. */
export interface EvaluationTimes {
  beganAt: number;
  scannedAt: number;
  /** The rules: from here … */
  decidingAt: number;
  /** … to here. Then it is written. */
  decidedAt: number;
  /** The record is durable. */
  endedAt: number;
}

/** Gets every decision once it is durable. Must return at once and must not throw. */
export interface DecisionObserver {
  /** `trace`: the span of the caller; null when it sent none. */
  decided(
    evaluation: NewEvaluation,
    verdict: VerdictWithResponse,
    times: EvaluationTimes,
    trace: TraceParent | null,
  ): void;
}
