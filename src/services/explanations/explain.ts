import type { PolicyChecker } from '../../features/policies/checker.ts';
import type { CompiledPolicy } from '../../policy/compile-policy.ts';
import { ruleReads } from '../../policy/reads.ts';
import { type EnforcementAction, letsThrough, type Violation } from '../../schemas/decisions.ts';
import type {
  ExplainedGrant,
  ExplainedReview,
  ExplainedRule,
  ExplainedValue,
  Explanation,
} from '../../schemas/explanations.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import type { PolicyRule } from '../../schemas/policy-rules.ts';
import { enforcementActions, severities } from '../../schemas/words.ts';
import type { Store, StoredEvaluation, StoredReview, WholeEvaluation } from '../../store/store.ts';
import { toolsOf } from '../replay/policies-of-record.ts';
import { createSteps, finish } from '../steps.ts';
import { isoTimeOrNull } from '../times.ts';
import { type Catalogue, type DecidedBy, decidingThen } from './deciding-then.ts';
import { type History, replayingHistory } from './history.ts';

import { explainValue } from './values.ts';

type Evaluated = WholeEvaluation;

/** Says why an evaluation was decided as it was. */
export type Explain = (evaluation: Evaluated) => Promise<Explanation>;

/** Earlier evaluations of a session that are read: beyond, the session is explained from its last ones. */
const mostEarlier = 5_000;
const pageSize = 200;

export function createExplain({
  store,
  now,
  read,
}: {
  store: Store;
  now: () => number;
  read: PolicyChecker['read'];
}): Explain {
  const policiesOf = decidingThen(store, read);

  /** Oldest first. */
  async function earlierOf({ id, sessionId }: Evaluated): Promise<StoredEvaluation[]> {
    const earlier: StoredEvaluation[] = [];
    let isEarlier = false;
    const step = createSteps();
    for (let page = 1; sessionId !== null && earlier.length < mostEarlier; page++) {
      const listed = await store.evaluations.listInSession(null, sessionId, { page, size: pageSize }, 65_536);
      const items = listed?.items ?? [];
      for (const item of items) {
        if (isEarlier) earlier.push(item);
        if (item.id === id) isEarlier = true;
      }
      if (items.length < pageSize) break;
      await step();
    }
    return earlier.reverse();
  }

  async function catalogueOf(integrationId: string): Promise<Catalogue> {
    const found = await store.toolCatalogues.find(integrationId);
    return { tools: toolsOf({ tools: found?.tools ?? null }), changedAt: found?.updatedAt ?? 0 };
  }

  const approvals = createApprovals({ store, now });

  return async (evaluation) => {
    const { createdAt, integrationId, sessionId } = evaluation;
    const policies = await policiesOf(evaluation);
    const integration = await store.integrations.find(integrationId);
    const session = sessionId === null ? null : await store.sessions.find(null, sessionId, now());
    const opened = session ?? {
      id: '',
      integrationId,
      entityId: null,
      externalSessionId: '',
      metadata: '{}',
      startedAt: createdAt,
      expiresAt: createdAt,
      place: null,
    };
    const { id, name, kind } = integration ?? { id: integrationId, name: '', kind: 'AGENT' };
    const earlier = await earlierOf(evaluation);
    const history = await finish(
      replayingHistory(policies, earlier, {
        integration: { id, name, kind },
        opened,
        catalogue: await catalogueOf(integrationId),
        removedLabels: await store.evaluations.listRemovedLabels(evaluation.id),
        rejectionCount: await store.evaluations.countRejections(evaluation.id),
        evaluation,
      }),
    );
    const explained: Omit<Explanation, 'text'> = {
      policies: await finish(explaining(policies, evaluation, history)),
      ...(await approvals.of(
        evaluation,
        earlier,
        (id) => policies.find(({ policy }) => policy.policyId === id)?.policy.policyName ?? id,
      )),
    };
    return { text: paragraphOf(evaluation, explained), ...explained };
  };
}

/** Each rule may look through all earlier evaluations, so it pauses after each. */
function* explaining(
  policies: readonly DecidedBy[],
  evaluation: Evaluated,
  history: History,
): Generator<void, Explanation['policies']> {
  const escalations = escalationsFor(policies, evaluation);
  const explained: Explanation['policies'] = [];
  for (const decidedBy of policies) {
    const { document, policy } = decidedBy;
    const reads = ruleReads(document);
    const rules: ExplainedRule[] = [];
    for (const [place, rule] of document.rules.entries()) {
      rules.push(explainRule(rule, reads[place] ?? [], evaluation, { decidedBy, history, escalations }));
      yield;
    }
    const { policyId, policyName, policyVersion: version, mode } = policy;
    explained.push({ policyId, policyName, version, mode, rules });
  }
  return explained;
}

function explainRule(
  rule: PolicyRule,
  reads: readonly (readonly string[])[],
  evaluation: StoredEvaluation,
  { decidedBy, history, escalations }: { decidedBy: DecidedBy; history: History; escalations: Escalations },
): ExplainedRule {
  const { policy } = decidedBy;
  const violation = evaluation.violations.find(
    ({ policyId, ruleId }) => policyId === policy.policyId && ruleId === rule.id,
  );
  const compiled = policy.rules.find(({ id }) => id === rule.id);
  const isForIt =
    (rule.on ?? ['ACTION']).includes(evaluation.phase) &&
    (compiled?.tools == null || compiled.tools.has(evaluation.tool));
  const severity = rule.severity ?? 'MEDIUM';
  const isRaised = violation !== undefined && violation.severity !== severity;
  const effect = rule.effect ?? null;
  const isStricter =
    violation !== undefined &&
    effect !== null &&
    enforcementActions.indexOf(violation.enforcementAction) > enforcementActions.indexOf(effect);
  return {
    ruleId: rule.id,
    ruleName: rule.name ?? rule.id,
    when: rule.when,
    result: resultOf(rule, isForIt, violation?.reason ?? null, escalations.raised(policy)),
    reads: isForIt ? reads.map((path) => explainValue(path, reads, evaluation, { decidedBy, history })) : [],
    raisedFrom: isRaised ? severity : null,
    escalatedBy: isRaised ? escalations.by(policy) : [],
    strengthenedFrom: isStricter ? effect : null,
    strengthenedBy: isStricter ? (violation.reason === 'rule_error' ? 'ON_ERROR' : 'FLOOR') : null,
  };
}

/** `raised`: whether anything was raised; null when there was nothing to raise. */
function resultOf(
  rule: PolicyRule,
  isForIt: boolean,
  reason: string | null,
  raised: boolean | null,
): ExplainedRule['result'] {
  if (reason === 'rule_error') return 'FAILED';
  if (reason !== null) return 'MATCHED';
  if (!isForIt) return 'NOT_APPLICABLE';
  return rule.escalate === undefined || raised === false ? 'NOT_MATCHED' : 'ESCALATES';
}

type Approvals = Pick<Explanation, 'review' | 'grants'>;

/** The decisions of people about an evaluation: the review of it, and the grants of earlier approvals that it used. */
function createApprovals({ store, now }: { store: Store; now: () => number }) {
  return {
    async of(
      { reviewRequestId, enforcementAction, grants }: WholeEvaluation,
      earlier: readonly StoredEvaluation[],
      nameOf: (policyId: string) => string,
    ): Promise<Approvals> {
      const find = (id: string) => store.reviews.find(null, id, now());
      const heldBy = (id: string): number | null =>
        earlier.find((one) => one.reviewRequestId === id && one.enforcementAction === 'APPROVAL_REQUIRED')
          ?.seq ?? null;
      const granted = [];
      for (const { id, reviewRequestId, policyId, ruleId } of grants) {
        const review = await find(reviewRequestId);
        const rule = `${nameOf(policyId)}/${ruleId}`;
        granted.push({
          grantId: id,
          reviewRequestId,
          rule,
          action: heldBy(reviewRequestId),
          ...decided(review),
        });
      }
      const review = reviewRequestId === null || granted.length > 0 ? null : await find(reviewRequestId);
      return {
        grants: granted,
        review: review && {
          reviewRequestId: review.id,
          role: roleOf(enforcementAction),
          status: review.status,
          action: heldBy(review.id),
          ...decided(review),
        },
      };
    },
  };
}

function roleOf(action: EnforcementAction): 'HOLDS' | 'APPROVES' | 'REJECTS' {
  if (action === 'APPROVAL_REQUIRED') return 'HOLDS';
  return letsThrough(action) ? 'APPROVES' : 'REJECTS';
}

const decided = (review: StoredReview | null) => ({
  decidedBy: review?.decidedByName ?? review?.decidedBy ?? null,
  decidedAt: isoTimeOrNull(review?.decidedAt ?? null),
});

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

function escalationsFor(
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

/** The explanation as one paragraph that a reviewer understands. */
function paragraphOf(
  { tool, phase, enforcementAction, seq }: StoredEvaluation,
  { policies, review, grants }: Omit<Explanation, 'text'>,
): string {
  const what = phase === 'ACTION' ? `the action ${tool || 'without a tool'}` : `the ${phase.toLowerCase()}`;
  const place = seq === null ? '' : `, action ${seq} of its session,`;
  const sentences = [`${capital(what)}${place} got ${enforcementAction}.`];
  let others = 0;
  for (const { policyName, version, mode, rules } of policies) {
    const of = `${policyName} (version ${version}${mode === 'MONITOR' ? ', which only monitors' : ''})`;
    for (const rule of rules) {
      if (rule.result === 'MATCHED' || rule.result === 'FAILED')
        sentences.push(sentenceOf(rule, of, escalations(policies, rule)));
      else others++;
    }
  }
  if (policies.length === 0) sentences.push('No policy took part.');
  else if (others > 0) sentences.push(`${others} other ${others === 1 ? 'rule' : 'rules'} found nothing.`);
  sentences.push(...grants.map(grantSentence));
  if (review) sentences.push(reviewSentence(review));
  return sentences.join(' ');
}

function sentenceOf(
  { ruleName, result, reads, raisedFrom, strengthenedFrom, strengthenedBy }: ExplainedRule,
  of: string,
  escalatedBy: string,
): string {
  const verb = result === 'FAILED' ? 'could not be evaluated' : 'matched';
  const values = reads.map(valueText).filter((text) => text !== '');
  const because = values.length > 0 ? `: ${listed(values)}` : '';
  const raised =
    raisedFrom === null ? '' : `; escalation raised its severity from ${raisedFrom}${escalatedBy}`;
  const made = strengthenedBy === 'FLOOR' ? 'a severity floor' : 'onError';
  const stricter =
    strengthenedFrom === null ? '' : `; ${made} made it stricter than its effect, ${strengthenedFrom}`;
  return `The rule "${ruleName}" of ${of} ${verb}${because}${raised}${stricter}.`;
}

function valueText({ path, value, why, actions }: ExplainedValue): string {
  // Most catalogues list no fields that others write, and then no field is decided by them.
  if (path === 'seen.byOthers' && JSON.stringify(value) === '{}') return '';
  const from =
    actions.length === 0
      ? ''
      : ` (${actions.length === 1 ? 'action' : 'actions'} ${listed(actions.map(String))})`;
  return why === null
    ? `${path} is ${JSON.stringify(value)}${from}`
    : `${path} is not known, because ${why}${from}`;
}

/** The values that escalating rules read, or may have read. */
function escalations(policies: Explanation['policies'], { escalatedBy }: ExplainedRule): string {
  const named = policies.flatMap(({ policyName, rules }) =>
    rules
      .filter(({ ruleId }) => escalatedBy.includes(`${policyName}/${ruleId}`))
      .map(({ ruleName, reads }) => {
        const values = reads.map(valueText).filter((text) => text !== '');
        return `"${ruleName}"${values.length > 0 ? ` (${listed(values)})` : ''}`;
      }),
  );
  return named.length === 0 ? '' : `, by ${named.join(' or ')}`;
}

function grantSentence({ rule, action, decidedBy, decidedAt }: ExplainedGrant): string {
  const of = action === null ? 'an earlier action' : `action ${action}`;
  return `What ${rule} held was let through by a grant: the approval of ${of}${given(decidedBy, decidedAt)} covers its like.`;
}

function reviewSentence({ role, status, decidedBy, decidedAt, action }: ExplainedReview): string {
  const of = action === null ? '' : ` of action ${action}`;
  if (role === 'APPROVES')
    return `It was let through by an approval${of}, given${given(decidedBy, decidedAt)}.`;
  return role === 'REJECTS'
    ? `It was blocked because the same action${of} was rejected${given(decidedBy, decidedAt)}.`
    : `A review of it is ${status}${decidedBy === null ? '' : `, decided${given(decidedBy, decidedAt)}`}.`;
}

const given = (by: string | null, at: string | null): string => (by === null ? '' : ` by ${by} at ${at}`);

function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
