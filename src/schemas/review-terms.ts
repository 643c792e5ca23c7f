import { type Static, Type } from '@sinclair/typebox';
import { GroupName } from '../features/operators/schema.ts';
import type { Severity } from './decisions.ts';
import { Nullable, Timestamp, Uuid } from './values.ts';

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

/** The terms by which a rule lets one approval cover later actions. */
export interface GrantTerms {
  /** Paths whose values have to be the same; null for the very same action. */
  readonly same: readonly string[] | null;
  /** From the approval on; null for as long as the session. */
  readonly seconds: number | null;
  /** Null for any number. */
  readonly uses: number | null;
}

/** The grant that the approval of a held action would give, by one of the rules that hold it. */
export interface GrantOffer extends GrantTerms {
  /** The id of the grant, once it is given. */
  readonly id: string;
  /** The digest of the rule and of all that a later action must have in common with this one. */
  readonly key: string;
  readonly policyId: string;
  readonly ruleId: string;
  /** The severity of the finding: one of a higher severity is not covered. */
  readonly severity: Severity;
}

/** A grant that an action may use. */
export interface OpenGrant {
  readonly id: string;
  readonly reviewRequestId: string;
  readonly policyId: string;
  readonly ruleId: string;
  readonly key: string;
  readonly tool: string;
  readonly severity: Severity;
  /** The data tags of the approved action. */
  readonly dataTags: readonly string[];
  /** Null for any number. */
  readonly usesLeft: number | null;
  /** Milliseconds since 1970; null for as long as the session. */
  readonly expiresAt: number | null;
}

const terms = {
  policyId: Uuid,
  ruleId: Type.String(),
  same: Nullable(
    Type.Array(Type.String(), { description: 'what has to be the same; null: the very same action' }),
  ),
  uses: Nullable(Type.Integer({ minimum: 1, description: 'how many later actions; null: any number' })),
};

/** A grant in a review: its approval would give it, or has given it. */
export const ReviewGrant = Type.Object({
  id: Uuid,
  ...terms,
  seconds: Nullable(Type.Integer({ minimum: 1, description: 'from the approval on; null: the session' })),
  usedCount: Type.Integer({ minimum: 0 }),
  expiresAt: Nullable(Timestamp),
});
export type ReviewGrant = Static<typeof ReviewGrant>;

/** A grant in a session. */
export const SessionGrant = Type.Object({
  id: Uuid,
  reviewRequestId: Uuid,
  policyId: Uuid,
  ruleId: Type.String(),
  tool: Nullable(Type.String()),
  usesLeft: Nullable(Type.Integer({ minimum: 1, description: 'null: any number' })),
  expiresAt: Nullable(Timestamp),
});
export type SessionGrant = Static<typeof SessionGrant>;

/** A grant in an evaluation that used it. */
export const UsedGrant = Type.Object({
  id: Uuid,
  reviewRequestId: Type.String({ ...Uuid, description: 'the review whose approval granted it' }),
  policyId: Uuid,
  ruleId: Type.String({ description: 'the rule that would have held the action' }),
});
export type UsedGrant = Static<typeof UsedGrant>;
