/** Why it was decided so. */
export const whyStrings = {
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

/** The search for evaluations. */
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
};

/** What rules reported, and what became of it. */
export const violationStrings = {
  violations: {
    title: 'Violations',
    views: { all: 'Violations', rules: 'By rule' },
    viewLabel: 'View',
    none: 'No rule has reported anything yet.',
    noneFound: 'No violation matches.',
    choose: 'Choose a violation to see it, and say what it was.',
    statuses: { NEW: 'New', ACKNOWLEDGED: 'In work', RESOLVED: 'Resolved', DISMISSED: 'Dismissed' },
    severity: 'Severity',
    rule: 'Rule id',
    acknowledge: 'I look into it',
    resolve: 'Resolve',
    dismiss: 'Dismiss',
    resolution: 'What was done',
    resolutions: {
      AGENT_CHANGED: 'The agent was changed',
      POLICY_CHANGED: 'The policy was changed',
      ACCESS_REVOKED: 'Access was revoked',
      INCIDENT: 'An incident, handled elsewhere',
      ACCEPTED: 'The risk is accepted',
      OTHER: 'Something else',
    },
    reason: 'Why it is none',
    dismissals: {
      FALSE_POSITIVE: 'False positive: the rule was wrong',
      DUPLICATE: 'Reported already',
      TEST: 'A test',
      OTHER: 'Something else',
    },
    note: 'Note (optional)',
    changed: (status: string) => `The violation is now: ${status}`,
    evaluation: 'Evaluation',
    session: 'Session',
    entity: 'Entity',
    tool: 'Tool',
    reported: 'Reported',
    rulesText:
      'How often each rule was right, by what operators made of its violations. At most 200 rules, those that were wrong most often first.',
    noRules: 'No violation was resolved or dismissed yet.',
    rightness: 'False positives',
    columns: { rule: 'Rule', acknowledged: 'In work', resolved: 'Resolved', dismissed: 'Dismissed' },
    rate: (percent: string, count: number) => `${percent} (${count})`,
  },
};

/** Changes that one operator proposes and another one makes. */
export const proposalStrings = {
  proposals: {
    title: 'Proposals',
    none: 'No change is proposed.',
    noneHint:
      'Under four-eyes control one operator proposes a change of what decides, with assize proposals or the API, and another one makes it here.',
    statuses: { PENDING: 'Waits', ACTIVATED: 'Made', REJECTED: 'Rejected' },
    operations: {
      bindPolicy: 'Bind a policy',
      unbindPolicy: 'Unbind a policy',
      bindHousePolicy: 'Bind a house policy',
      unbindHousePolicy: 'Unbind a house policy',
      deprecatePolicy: 'Deprecate a policy',
      deletePolicy: 'Delete a policy',
      createList: 'Create a list',
      changeList: 'Change a list',
      deleteList: 'Delete a list',
      replaceToolCatalogue: 'Replace a tool catalogue',
      importTools: 'Import tools',
      acceptTools: 'Accept changed tools',
      changeIntegration: 'Change an integration',
      changeOperator: 'Change an operator',
    },
    what: 'Change',
    author: 'Proposed by',
    at: 'Proposed',
    decided: 'Decided',
    decidedBy: 'Decided by',
    note: 'Why',
    policy: 'Policy',
    integration: 'Integration',
    list: 'List',
    operator: 'Operator',
    change: 'The change',
    before: 'As it was when it was proposed',
    noBefore: 'It was not there when this was proposed.',
    activate: 'Make the change',
    activated: 'The change is made.',
    reject: 'Reject',
    rejected: 'The proposal is rejected.',
    own: 'You proposed it: under four-eyes control another operator makes the change.',
    rejectQuestion: 'Reject this proposal? It cannot be made afterwards.',
  },
};

/** The replay of the record with another policy. */
export const replayStrings = {
  replay: {
    title: 'Replay',
    about: 'Decides what was recorded once more, with the document as it is now. Nothing is recorded.',
    range: 'Evaluations',
    ranges: {
      day: 'of the last day',
      week: 'of the last 7 days',
      month: 'of the last 30 days',
      all: 'all that are recorded',
    },
    start: 'Replay the record',
    starting: 'Starting…',
    progress: (n: string, total: string) => `${n} of ${total} evaluations`,
    summary: (changed: number, n: string, total: string) =>
      changed === 1 ? `1 of ${total} decisions changes` : `${n} of ${total} decisions change`,
    stricter: 'stricter',
    looser: 'less strict',
    sessions: 'sessions concerned',
    notEvaluated: (n: string) =>
      `${n} decisions depend on content that was not kept, and go on as they were recorded.`,
    rule: 'Rule',
    findingsBefore: 'Findings then',
    findingsAfter: 'Findings now',
    action: 'Action',
    time: 'Time',
    was: 'Was',
    would: 'Would be',
    because: 'Because of',
    wouldNotCome: 'would not come',
    more: (n: string) => `The first ${n} are shown.`,
    outdated: 'The document has changed since this replay.',
  },
};
