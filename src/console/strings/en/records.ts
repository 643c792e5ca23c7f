/** Reviews, sessions, and the actions in them. */
export const sessionStrings = {
  reviews: {
    title: 'Reviews',
    list: 'Reviews',
    statuses: {
      PENDING: 'Pending',
      APPROVED: 'Approved',
      REJECTED: 'Rejected',
      EXPIRED: 'Expired',
      CANCELLED: 'Cancelled',
      CONSUMED: 'Used',
    },
    none: 'No action waits for a decision.',
    noneHint: 'When a policy holds an action, it appears here.',
    noneOfStatus: 'No review has this status.',
    choose: 'Choose a review to see what was held and why.',
    wants: 'wants to call',
    wantsContent: 'wants to send',
    why: 'Why it was held',
    input: 'Arguments',
    rawInput: 'Arguments as JSON',
    argumentKinds: {
      recipient: 'recipient',
      amount: 'amount',
      command: 'command',
      path: 'path',
      address: 'address',
      text: 'free text',
    },
    was: 'before:',
    isNew: 'not there before',
    gone: 'No longer there:',
    sameAsBefore: 'The same as the last action of this tool that was held:',
    comparedWith: 'What is marked differs from the last action of this tool that was held:',
    showAll: (n: string) => `Show all of it (${n} arguments)`,
    readOn: 'Read on to approve',
    decidedTogether: 'Actions of this decision',
    actions: (n: number) => (n === 1 ? '1 action' : `${n} actions`),
    inAll: 'The same in all of them',
    noDifference: 'Nothing is different here.',
    target: 'Target',
    metadata: 'Target metadata',
    before: 'The session so far',
    openSession: 'Open the session',
    noSession: 'This action belongs to no session.',
    comment: 'Comment (optional; the agent receives it)',
    rejection: 'Comment (the agent receives it)',
    receives: 'What the agent receives',
    approveMeans: (n: number) =>
      n === 1
        ? 'The agent may do this action once, exactly as it is shown here.'
        : `Each of the ${n} actions may be done once, exactly as it is listed here.`,
    rejectMeans: (n: number) =>
      n === 1
        ? 'The action stays blocked, and the agent receives your comment.'
        : `The ${n} actions stay blocked, and the agents receive your comment.`,
    send: (verb: 'approve' | 'reject', n: number) => {
      const word = verb === 'approve' ? 'Approve' : 'Reject';
      return n > 1 ? `${word} ${n} actions` : word;
    },
    sending: 'Sending…',
    select: 'Select',
    selected: (n: number) => `${n} selected`,
    clear: 'Clear the selection',
    decision: 'Decision',
    approved: (n: number) => (n === 1 ? 'Approved.' : `${n} actions approved.`),
    rejected: (n: number) => (n === 1 ? 'Rejected.' : `${n} actions rejected.`),
    lost: (who: string, status: string) => `Not decided by you: ${who} was faster (${status}).`,
    unsent: (comment: string) => `You wrote, and it was not sent: ${comment}`,
    changed: 'The agent tried the action again since you read it. Read the new findings, then decide.',
    counted: (n: number) =>
      n === 1 ? 'Your approval counts. Others are needed.' : `Your ${n} approvals count. Others are needed.`,
    reason: 'Reason (optional)',
    reasons: {
      EXPECTED: 'Expected',
      CONFIRMED_WITH_REQUESTER: 'Confirmed with the requester',
      FALSE_POSITIVE: 'False positive',
      WRONG_RECIPIENT: 'Wrong recipient',
      TOO_MUCH_DATA: 'Too much data',
      NOT_AUTHORIZED: 'Not authorized',
      SUSPECTED_INJECTION: 'Suspected injection',
      OTHER: 'Something else',
    },
    once: 'This action alone, without the later ones',
    grant: (rule: string, same: readonly string[] | null, uses: number | null, minutes: number | null) =>
      `Rule ${rule} then lets ${uses === null ? 'later actions' : `${uses} later actions`} of the session pass ${
        same === null ? 'that are the very same' : same.length > 0 ? `with the same ${same.join(', ')}` : ''
      } ${minutes === null ? 'until it ends' : `for ${minutes} minutes`}.`.replace(/ +/g, ' '),
    takes: 'Approvals',
    progress: (n: number, needed: number) =>
      `${n} of ${needed} ${needed === 1 ? 'approval' : 'approvals'}; the agent still waits.`,
    refusals: {
      own_request:
        'You cannot approve this: you had a key of this integration, or the session works for you. Somebody else must.',
      not_in_group: 'You cannot approve this: you are in none of the groups that it needs.',
      already_approved: 'You have approved this already. Another operator must approve it, too.',
    },
    someRefused: (n: number) =>
      n === 1
        ? 'You cannot approve one of these actions: open it to see why.'
        : `You cannot approve ${n} of these actions: open them to see why.`,
    requires: (n: number, groups: readonly string[]) =>
      `${n === 1 ? '1 operator' : `${n} operators`}${groups.length > 0 ? ` of ${groups.join(' or ')}` : ''} must approve it.`,
    notRequester:
      'Operators who had a key of the integration, or whom the session works for, cannot approve it.',
    approvedBy: 'Approved by',
    assign: 'Assign to me',
    release: 'Release',
    assignedTo: 'Assigned to',
    extend: (minutes: number) => `Extend by ${minutes} minutes`,
    comments: 'Comments',
    commentsHint: 'For other operators: the agent never sees them.',
    newComment: 'Comment for other operators',
    writeComment: 'Comment',
    keys: 'Keys: J next, K previous, X select, A approve, R reject, Esc back.',
    notify: 'Notify me',
    notifying: 'Notifications are on',
    filterLabel: 'Status of the reviews',
  },
  sessions: {
    title: 'Sessions',
    none: 'No session has been opened yet.',
    noneHint: 'An agent opens one with its first call, or with POST /v1/evaluation-sessions.',
    noneFound: 'No session matches.',
    statuses: { ACTIVE: 'Active', COMPLETED: 'Completed', TERMINATED: 'Terminated', EXPIRED: 'Expired' },
    search: 'External session id',
    columns: {
      session: 'Session',
      started: 'Started',
      actions: 'Actions',
      decisions: 'Decisions',
      tags: 'Data seen',
    },
    counts: (warnings: number, holds: number, blocks: number) =>
      `${warnings} warnings, ${holds} held, ${blocks} blocked`,
  },
  session: {
    title: (name: string) => `Session ${name}`,
    timeline: 'Timeline',
    follow: 'Follow',
    following: 'Following',
    none: 'This session has no evaluation yet.',
    choose: 'Choose an entry to see it in full.',
    actions: 'Actions',
    warnings: 'Warnings',
    holds: 'Held',
    rejections: 'Rejected',
    blocks: 'Blocked',
    started: 'Started',
    ends: 'Expires',
    ended: 'Ended',
    entity: 'Entity',
    seen: 'Data seen',
    letThrough: (n: string, of: string) => `${n} of ${of} let through`,
    state: 'State',
    since: (seq: number) => `since action ${seq}`,
    newTag: 'first seen here',
    tools: 'Tools',
    metadata: 'Metadata',
    grants: 'Granted by approvals',
    grant: (rule: string, left: number | null) =>
      `${rule} (${left === null ? 'any number' : `${left} left`})`,
    parent: 'Delegated by',
    previous: 'Continues',
    root: 'First session',
    labels: 'Labels',
    removeLabel: (label: string) => `Remove the label ${label}`,
    removeLabelQuestion: (label: string) =>
      `Remove the label ${label}? Rules that read it no longer see it in this session.`,
    labelRemoved: (label: string) => `The label ${label} is removed.`,
    children: 'Delegated to',
    allChildren: (n: number) => `All ${n} of them`,
    end: 'End the session',
    endQuestion: 'End this session? Its agent can do nothing more in it, nor in the sessions below it.',
    endedNow: 'The session is ended.',
    copyTest: 'Copy as a policy test',
    print: 'Print',
    preparingPrint: 'Loading all of it…',
    printedInPart: (n: string) =>
      `Only what was on the screen is printed here. The button “Print” prints all ${n} evaluations.`,
    evaluations: (n: string) => `${n} evaluations`,
  },
  flow: {
    title: 'Flow of data',
    text: 'Each column is an action in the order of the session. A line starts where a kind of data was first seen, and ends at the last action.',
    stopped: 'stopped',
    step: 'Action',
    tags: 'Data in it',
    none: 'None of the last actions contained data of a kind that is detected.',
    asTable: 'As a table',
    partial: (n: number) => `The last ${n} actions.`,
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
    noPolicies: 'No policy took part.',
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
};

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

/** Texts about the reports of rules, and their triage. */
export const violationStrings = {
  violations: {
    title: 'Violations',
    views: { all: 'Violations', rules: 'By rule' },
    viewLabel: 'View',
    none: 'No rule has reported anything yet.',
    noneFound: 'No violation matches.',
    choose: 'Choose a violation to see it, and say what it was.',
    statuses: { NEW: 'New', ACKNOWLEDGED: 'In progress', RESOLVED: 'Resolved', DISMISSED: 'Dismissed' },
    severity: 'Severity',
    rule: 'Rule id',
    acknowledge: 'Acknowledge',
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
    reason: 'Reason',
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
    columns: {
      rule: 'Rule',
      triaged: 'Triaged',
      acknowledged: 'In progress',
      resolved: 'Resolved',
      dismissed: 'Dismissed',
    },
    selected: (n: number) => (n === 1 ? '1 violation selected' : `${n} violations selected`),
    select: 'Select',
    clear: 'Clear the selection',
    changedMany: (n: number, failed: number) =>
      `${n} changed${failed > 0 ? `, ${failed} could not be changed` : ''}.`,
    replayException: 'Replay an exception',
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
    statuses: { PENDING: 'Pending', ACTIVATED: 'Applied', REJECTED: 'Rejected' },
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
    propose: (label: string) => `Propose: ${label}…`,
    proposeMeans: 'Under four-eyes control another operator makes this change. Say why it should be made.',
    send: 'Propose the change',
    noteField: 'Why (optional)',
    proposed: 'The change is proposed: another operator makes it.',
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
    activate: 'Apply the change',
    activated: 'The change is applied.',
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
    alike: 'decided alike, with other findings',
    nowhere: 'No recorded evaluation is concerned: the policy applies to none of them.',
    integration: 'Integration',
    evaluations: 'Evaluations',
    decisionsChanged: 'Decisions that change',
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

/** Proofs about a policy. */
export const proveStrings = {
  prove: {
    title: 'Prove',
    about:
      'Says what the document does with every action in every session. Each counterexample was decided by the engine.',
    company: 'Policies',
    alone: 'this policy alone',
    inForceFor: (integration: string) => `all in force for ${integration}`,
    start: 'Prove',
    running: 'Searching all actions and sessions…',
    outdated: 'The document or the choice of policies has changed since this proof.',
    monitored:
      'The policy only monitors there: it changes no decision. Its rules and properties are proved as if it were enforced alone.',
    rules: (n: number) =>
      n === 0
        ? 'No rule is superfluous'
        : n === 1
          ? '1 rule adds nothing'
          : `${n} rules add nothing or match everything`,
    properties: (n: number) =>
      n === 0 ? 'The policy has no properties' : n === 1 ? '1 property' : `${n} properties`,
    verdicts: {
      PROVED: 'proved',
      VIOLATED: 'violated',
      UNKNOWN: 'unknown',
      PROVER_ERROR: 'error of the prover',
    },
    comparisons: {
      EQUAL: 'Decides every action as before',
      STRICTER: 'Stricter than before',
      LAXER: 'Less strict than before',
      MIXED: 'Stricter for some actions, less strict for others',
      UNKNOWN: 'Cannot be compared for certain',
      PROVER_ERROR: 'Error of the prover: the engine does not confirm a difference',
    },
    before: 'Before:',
    now: 'Now:',
    given: 'Action and session',
    shownBy: 'It does not hold for this action:',
    repeated: (n: number) => `It no longer holds after a new session has done this ${n} times:`,
    mayStop: 'It may stop holding after this action, in a session that may never come about:',
    tooLong: 'The search took too long. The command assize policies prove searches longer.',
    notModelled: (parts: string) => `The proof does not look into ${parts}`,
    proverError:
      'The engine does not confirm the action that was found. It says nothing about the policy: please report it.',
  },
};
