import type { CompiledPolicy } from '../../policy/compile-policy.ts';
import type { Violation } from '../../schemas/decisions.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import { severities } from '../../schemas/words.ts';
import type { StoredEvaluation } from '../../store/store.ts';

/** The escalations of an evaluation. The record does not say which rules escalated: their findings tell. */
export interface Escalations {
  /** Whether findings of this policy were raised; null when there was none that could be. */
  raised(policy: CompiledPolicy): boolean | null;
  /** The rules that may have raised its findings, as `policy/rule`. */
  by(policy: CompiledPolicy): string[];
}

interface Decided {
  document: PolicyDocument;
  policy: CompiledPolicy;
}

const highest = severities.at(-1);

export function escalationsFor(
  policies: readonly Decided[],
  { violations, phase, tool }: StoredEvaluation,
): Escalations {
  const ruleOf = ({ policyId, ruleId }: Violation) =>
    policies
      .find(({ policy }) => policy.policyId === policyId)
      ?.document.rules.find(({ id }) => id === ruleId);
  /** An enforced policy raises all findings, a monitored one those that are monitored. */
  const reaches = (one: CompiledPolicy, { mode }: Pick<Violation, 'mode'>): boolean =>
    one.mode === 'ENFORCE' || mode === 'MONITOR';

  return {
    raised(policy) {
      const steps = violations.flatMap((violation) => {
        const rule = ruleOf(violation);
        const severity = rule?.severity ?? 'MEDIUM';
        const canRise = rule !== undefined && severity !== highest && reaches(policy, violation);
        return canRise ? [violation.severity !== severity] : [];
      });
      return steps.length === 0 ? null : steps.includes(true);
    },
    by: ({ mode }) =>
      policies
        .filter(({ policy }) => reaches(policy, { mode }))
        .flatMap(({ document, policy }) =>
          document.rules
            .filter(({ id, escalate, on = ['ACTION'] }) => {
              const tools = policy.rules.find((rule) => rule.id === id)?.tools;
              return escalate !== undefined && on.includes(phase) && (tools == null || tools.has(tool));
            })
            .map(({ id }) => `${policy.policyName}/${id}`),
        ),
  };
}
