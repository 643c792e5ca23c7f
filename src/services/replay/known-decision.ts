import type { Decision, Unevaluated } from '../../policy/subject.ts';
import type { OpenGrant } from '../../schemas/grants.ts';
import type { ActionReviews } from '../../store/store.ts';
import type { KnownContent } from './known-content.ts';
import type { PoliciesThen } from './policies-then.ts';
import type { RecordedVerdict } from './recorded-verdict.ts';

/** What could not be evaluated of a recorded evaluation, and the decision with which its replay goes on. */
export class KnownDecision {
  readonly unevaluated: Unevaluated[];
  /** Whether the decision is that of the record. */
  isAssumed = false;
  readonly #unknownPolicies: number;
  readonly #recorded: RecordedVerdict;
  readonly #grants: readonly OpenGrant[];
  readonly #hidesInput: boolean;
  #reviews = noReviews;

  constructor(
    { unknown }: Pick<PoliciesThen, 'unknown'>,
    recorded: RecordedVerdict,
    grants: readonly OpenGrant[],
    { hidesInput }: KnownContent,
  ) {
    this.unevaluated = unknown.map(({ policyId }) => ({
      policyId,
      policyName: policyId,
      ruleId: '*',
      counter: null,
      decides: true,
    }));
    this.#unknownPolicies = unknown.length;
    this.#recorded = recorded;
    this.#grants = grants;
    this.#hidesInput = hidesInput;
  }

  /** Forgets the decision before. Returns the reviews that count: none once the decision is assumed. */
  begin(reviews: ActionReviews): ActionReviews {
    this.unevaluated.length = this.#unknownPolicies;
    this.isAssumed = false;
    this.#reviews = reviews;
    const found = () => this.#reviews;
    return {
      get named() {
        return found().named;
      },
      get grants() {
        return found().grants;
      },
      pending: null,
      sessionExpiresAt: null,
      // What was found then says so.
      rejection: null,
      findFullQueue: () => null,
    };
  }

  /** The decision, or that of the record where something that decides could not be evaluated. */
  of(decision: Decision): Decision {
    const { unevaluated } = this;
    for (const one of decision.unevaluated ?? []) if (!unevaluated.includes(one)) unevaluated.push(one);
    // What a grant covers is compared by the content.
    if (this.#hidesInput && decision.enforcementAction === 'APPROVAL_REQUIRED')
      unevaluated.push(
        ...this.#grants.map((grant) => ({ ...grant, policyName: '', counter: null, decides: true })),
      );
    // The strictest there is: what could not be evaluated changes nothing.
    if (decision.enforcementAction === 'BLOCK' || !unevaluated.some(({ decides }) => decides))
      return decision;
    this.isAssumed = true;
    // What it meant for the decision is in the record.
    this.#reviews = noReviews;
    return { ...decision, ...this.#recorded.decision };
  }
}

const noReviews: ActionReviews = {
  named: null,
  pending: null,
  grants: [],
  sessionExpiresAt: null,
  rejection: null,
  findFullQueue: () => null,
};
