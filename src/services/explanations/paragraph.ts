import type { ExplainedRule, ExplainedValue, Explanation } from '../../schemas/explanations.ts';
import type { StoredEvaluation } from '../../store/store.ts';

/** The explanation as one paragraph that a reviewer understands. */
export function paragraphOf(
  { tool, phase, enforcementAction, seq }: StoredEvaluation,
  { policies, review }: Omit<Explanation, 'text'>,
): string {
  const what = phase === 'ACTION' ? `the action ${tool || 'without a tool'}` : `the ${phase.toLowerCase()}`;
  const place = seq === null ? '' : `, action ${seq} of its session,`;
  const sentences = [`${capital(what)}${place} got ${enforcementAction}.`];
  let others = 0;
  for (const { policyName, version, mode, rules } of policies) {
    const of = `${policyName} (version ${version}${mode === 'MONITOR' ? ', which only monitors' : ''})`;
    for (const rule of rules) {
      if (rule.result === 'MATCHED' || rule.result === 'FAILED') sentences.push(sentenceOf(rule, of));
      else others++;
    }
  }
  if (policies.length === 0) sentences.push('No policy took part.');
  else if (others > 0) sentences.push(`${others} other ${others === 1 ? 'rule' : 'rules'} found nothing.`);
  if (review) sentences.push(reviewSentence(review));
  return sentences.join(' ');
}

function sentenceOf(
  { ruleName, result, reads, raisedFrom, strengthenedFrom }: ExplainedRule,
  of: string,
): string {
  const verb = result === 'FAILED' ? 'could not be evaluated' : 'matched';
  const values = reads.map(valueText).filter((text) => text !== '');
  const because = values.length > 0 ? `: ${listed(values)}` : '';
  const raised = raisedFrom === null ? '' : `; escalation raised its severity from ${raisedFrom}`;
  const stricter = strengthenedFrom === null ? '' : `; its effect would have been ${strengthenedFrom}`;
  return `The rule "${ruleName}" of ${of} ${verb}${because}${raised}${stricter}.`;
}

function valueText({ path, value, why, actions }: ExplainedValue): string {
  const from =
    actions.length === 0
      ? ''
      : ` (${actions.length === 1 ? 'action' : 'actions'} ${listed(actions.map(String))})`;
  if (path.startsWith('params')) return '';
  return why === null
    ? `${path} is ${JSON.stringify(value)}${from}`
    : `${path} is not known, because ${why}${from}`;
}

function reviewSentence({ role, status, decidedBy, decidedAt }: NonNullable<Explanation['review']>): string {
  const by = decidedBy === null ? '' : ` by ${decidedBy} at ${decidedAt}`;
  return role === 'APPROVES'
    ? `It was let through by an approval, given${by}.`
    : `A review of it is ${status}${decidedBy === null ? '' : `, decided${by}`}.`;
}

function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
