import type { Violation } from '../schemas/decisions.ts';
import { plainTerms, type ReviewTerms } from '../schemas/review-terms.ts';

/** An operator's approval of a review. */
export interface GivenApproval {
  readonly operatorId: string;
  /** Of the operator now: two operators with the same one are one person. */
  readonly entityId: string | null;
  /** Those of the operator then. */
  readonly groups: readonly string[];
  /** What the operator saw: `findingsOf` the review then. */
  readonly findings: string;
  /** Of this action alone, without the grants. */
  readonly once: boolean;
}

/** What holds an action, as a text: approvals of other findings do not count together. */
export const findingsHolding = (violations: readonly Violation[]): string =>
  JSON.stringify(
    violations
      .filter(
        ({ mode, enforcementAction }) => mode === 'ENFORCE' && enforcementAction === 'APPROVAL_REQUIRED',
      )
      .map(({ policyId, policyVersion, ruleId, reason, severity }) =>
        [policyId, policyVersion, ruleId, reason, severity].join(' '),
      )
      .sort(),
  );

/** What one more approval does; pure, for every backend. */
export function withApproval(
  terms: ReviewTerms | null,
  given: readonly GivenApproval[],
  one: GivenApproval,
): 'approved' | 'approved_once' | 'more_needed' | 'not_in_group' | 'already_approved' {
  const { requires } = terms ?? plainTerms;
  const fits = (from: readonly string[], { groups }: GivenApproval): boolean =>
    from.length === 0 || groups.some((group) => from.includes(group));
  if (!requires.some(({ from }) => fits(from, one))) return 'not_in_group';
  const valid = given.filter(({ findings }) => findings === one.findings);
  const isSamePerson = ({ operatorId, entityId }: GivenApproval): boolean =>
    operatorId === one.operatorId || (entityId !== null && entityId === one.entityId);
  if (valid.some(isSamePerson)) return 'already_approved';
  const all = [...valid, one];
  const isMet = requires.every(({ quorum, from }) => all.filter((each) => fits(from, each)).length >= quorum);
  if (!isMet) return 'more_needed';
  return all.some(({ once }) => once) ? 'approved_once' : 'approved';
}
