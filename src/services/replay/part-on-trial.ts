import type { CompiledPolicy } from '../../policy/compile-policy.ts';
import type { Violation } from '../../schemas/decisions.ts';
import type { PartOnTrial, PoliciesThen } from './policies-then.ts';
import { formOf } from './violation-form.ts';

/** What decides an evaluation, as recorded and on trial. */
interface Sides {
  recorded: readonly CompiledPolicy[];
  now: readonly CompiledPolicy[];
  /** Ids of the policies that are on trial, those that do not decide any more among them. */
  ids: ReadonlySet<string>;
}

const enforces = (policies: readonly CompiledPolicy[]): boolean =>
  policies.some(({ mode }) => mode === 'ENFORCE');
const labels = ({ rules }: CompiledPolicy): boolean => rules.some((rule) => rule.labels.length > 0);
const raises = ({ rules, floors }: CompiledPolicy): boolean =>
  rules.some(({ escalate }) => escalate > 0) || floors.some((floor) => floor > 0);

/** `describe`: what decides, with the policies on trial alone. Null where the record does not tell what the others did. */
export function partOnTrial(
  { recorded, now, ids }: Sides,
  describe: (policies: readonly CompiledPolicy[]) => PoliciesThen,
): PartOnTrial | null {
  const tried = now.filter(({ policyId }) => ids.has(policyId));
  const all = [...recorded, ...now];
  // What happens without an enforced policy, what monitored policies labelled, and a counter that waits for the decision depend on
  // all policies.
  if (enforces(recorded) !== enforces(now)) return null;
  if (all.some((one) => one.mode === 'MONITOR' && labels(one))) return null;
  if (tried.some(({ counters }) => counters.some(({ readsDecision }) => readsDecision))) return null;
  const raisesOthers = all.some(raises);
  const mayLabel = all.some((one) => ids.has(one.policyId) && labels(one));
  const ofTrial = (violations: readonly Omit<Violation, 'id'>[]): string[] =>
    violations
      .filter(({ policyId }) => ids.has(policyId))
      .map((one) => `${one.policyId} ${one.ruleId} ${formOf(one, ids)}`);
  return {
    policies: describe(tried),
    agrees(decision, { violations, labels: given }) {
      if (decision.unevaluated || decision.labels.length + decision.monitoredLabels.length > 0) return false;
      if (mayLabel && given.length > 0) return false;
      if (violations.length === 0) return ofTrial(decision.violations).length === 0;
      return !raisesOthers && ofTrial(decision.violations).join() === ofTrial(violations).join();
    },
  };
}
