/** Held actions, and the decisions of operators. */
export const reviewStrings = {
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
    noDifference: 'No differences.',
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
    unsent: (comment: string) => `Your comment was not sent: ${comment}`,
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
      }${
        same?.includes('origin') ? ', whatever the record says that named the values of this action,' : ''
      } ${minutes === null ? 'until it ends' : `for ${minutes} minutes`}.`.replace(/ +/g, ' '),
    takes: 'Approvals',
    progress: (n: number, needed: number) =>
      `${n} of ${needed} ${needed === 1 ? 'approval' : 'approvals'}; the agent still waits.`,
    refusals: {
      own_request:
        'You cannot approve this: you had a key of this integration, or the session works for you. Someone else must approve it.',
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
};
