import { type Static, Type } from '@sinclair/typebox';
import { GroupName } from '../features/operators/schema.ts';

/** So many operators of these groups must approve; of all where there are none. */
export const ApprovalRequirement = Type.Object({
  quorum: Type.Integer({ minimum: 1, maximum: 10 }),
  from: Type.Array(GroupName, { description: 'groups of operators; empty is every operator who decides' }),
});
export type ApprovalRequirement = Static<typeof ApprovalRequirement>;

/** The requirements for the approval of a review. One approval may count for several of them. */
export interface ReviewTerms {
  readonly requires: readonly ApprovalRequirement[];
  /** Whether who may have requested the action may not approve it. */
  readonly notRequester: boolean;
}

export const plainTerms: ReviewTerms = { requires: [{ quorum: 1, from: [] }], notRequester: false };

/** The terms of all that hold an action: each of them must be met. */
export function termsOfAll(all: readonly ReviewTerms[]): ReviewTerms {
  const requires = new Map<string, ApprovalRequirement>();
  for (const { quorum, from } of all.flatMap((terms) => terms.requires)) {
    const key = JSON.stringify([...from].sort());
    const other = requires.get(key);
    if (!other || other.quorum < quorum) requires.set(key, { quorum, from });
  }
  if (requires.size === 0) return plainTerms;
  return { requires: [...requires.values()], notRequester: all.some(({ notRequester }) => notRequester) };
}
