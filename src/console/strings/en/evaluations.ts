/** Evaluations, and why each was decided so. */
export const evaluationStrings = {
  evaluations: {
    title: 'Evaluations',
    none: 'No action has been evaluated yet.',
    noneFound: 'No evaluation matches.',
    decision: 'Decision',
    filters: {
      tool: 'Tool',
      rule: 'Rule id',
      tag: 'Data tag',
      correlationId: 'Correlation id',
      traceId: 'Trace id',
    },
    columns: { tool: 'Action', why: 'Why', integration: 'Integration', at: 'At' },
    pages: 'Pages of the search',
    noneSoFar: 'None among the newest. Continue with “Older”.',
    newest: 'Newest',
  },
  evaluation: {
    title: 'Evaluation',
    did: (phase: 'ACTION' | 'PROMPT' | 'RESULT', tool: string | null) => {
      if (phase === 'PROMPT') return 'A person sent the agent a prompt.';
      if (phase === 'RESULT') return `An action returned a result${tool ? ` (${tool})` : ''}.`;
      return tool ? `The agent wanted to call ${tool}.` : 'The agent wanted to send content.';
    },
    verdict: {
      ALLOW: 'It was allowed.',
      WARN: 'It was allowed with a warning.',
      APPROVAL_REQUIRED: 'It was held until a person decides.',
      BLOCK: 'It was blocked.',
    },
    policy: (name: string, version: number) => `${name}, version ${version}`,
    detections: 'Data that was found',
    policies: 'Policies that decided',
    noPolicies: 'No policy applied.',
    input: 'Input',
    raw: 'Raw JSON',
    session: 'Session',
    review: 'Review',
    id: 'Evaluation id',
    correlation: 'Correlation id',
    identity: 'Verified identity',
    trace: 'Trace',
    columns: { type: 'Kind of data', place: 'Place' },
  },
  why: {
    title: 'Why',
    by: { ALLOW: 'Allowed by', WARN: 'Warned by', APPROVAL_REQUIRED: 'Held by', BLOCK: 'Blocked by' },
    of: 'of',
    noRule: 'No enforced rule reported anything.',
    settled: {
      ALLOW: 'An approval let it through.',
      WARN: 'An approval let it through.',
      APPROVAL_REQUIRED: 'It needs an approval.',
      BLOCK: 'It was rejected before.',
    },
    also: 'Also reported',
    monitored: 'Monitored policies',
    monitoredMeans: 'They report without deciding: nothing of this changed the decision.',
    would: {
      ALLOW: 'would allow it',
      WARN: 'would warn',
      APPROVAL_REQUIRED: 'would hold it',
      BLOCK: 'would block it',
    },
    condition: 'Condition and values',
    failed: 'The condition could not be evaluated, so the rule counts as matched.',
    raised: (from: string, by: readonly string[]) =>
      `Its severity was raised from ${from}${by.length > 0 ? ` by ${by.join(' or ')}` : ''}.`,
    stricter: (from: string) => `A severity floor or onError made it stricter than its own effect (${from}).`,
    unknown: (why: string) => `not known: ${why}`,
    actions: (places: readonly number[]) =>
      `${places.length === 1 ? 'action' : 'actions'} ${places.join(', ')}`,
    foundIn: (type: string, place: string) => `${type} in ${place}`,
    roles: { APPROVES: 'Approved by', REJECTS: 'Rejected by' },
    granted: 'An earlier approval covers',
  },
};
