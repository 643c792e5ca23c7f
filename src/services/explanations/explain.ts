import type { PolicyChecker } from '../../features/policies/checker.ts';
import { ruleReads } from '../../policy/reads.ts';
import type { ExplainedRule, Explanation } from '../../schemas/explanations.ts';
import type { PolicyRule } from '../../schemas/policy-rules.ts';
import { enforcementActions } from '../../schemas/words.ts';
import type { Store, StoredEvaluation, WholeEvaluation } from '../../store/store.ts';
import { toolsOf } from '../replay/policies-of-record.ts';
import { createSteps, finish } from '../steps.ts';
import { createApprovals } from './approvals.ts';
import { type DecidedBy, decidingThen } from './deciding-then.ts';
import { type Escalations, escalationsFor } from './escalations.ts';
import { type History, replayingHistory } from './history.ts';
import { paragraphOf } from './paragraph.ts';
import type { Catalogue } from './past-subjects.ts';
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
