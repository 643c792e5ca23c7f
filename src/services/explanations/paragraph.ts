import type {
  ExplainedGrant,
  ExplainedReview,
  ExplainedRule,
  ExplainedValue,
  Explanation,
} from '../../schemas/explanations.ts';
import type { StoredEvaluation } from '../../store/store.ts';

/** The explanation as one paragraph that a reviewer understands. */
export function paragraphOf(
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
