import type { CompiledPolicy } from '../../policy/compile-policy.ts';
import type { Decision } from '../../policy/subject.ts';
import type { NewEvaluation, PolicyTerms } from '../../store/store.ts';
import type { RecordedVerdict } from './recorded-verdict.ts';

/** What decides an evaluation in a replay. */
export interface PoliciesThen {
  policies: readonly CompiledPolicy[];
  /** Those of the record, which are not known any more: nothing is decided without them. */
  unknown: readonly PolicyTerms[];
  /** Policies that are on trial: they are not compared by their version. */
  tried: ReadonlySet<string>;
  needs: NewEvaluation['needs'];
  toolNames: NewEvaluation['toolNames'];
  reads: ReadonlySet<string>;
  inputPaths: readonly (readonly string[])[];
  /** Whether custom detectors are others than those that scanned the content then. */
  detectsAnew: boolean;
  readsCatalogue: boolean;
  /** Whether a policy was enforced then. */
  wasEnforced: boolean;
  /** Null when all policies have to be judged. */
  part: PartOnTrial | null;
}

/** The policies on trial, apart from those that decide as they did. */
export interface PartOnTrial {
  policies: PoliciesThen;
  /** Whether they find what was found then: the other policies do the same then, and the verdict is the recorded one. */
  agrees: (decision: Decision, recorded: RecordedVerdict) => boolean;
}
