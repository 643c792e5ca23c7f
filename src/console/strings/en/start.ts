/** The steps from the demo to agents of one's own. */
export const startStrings = {
  start: {
    title: 'Set up your own agents',
    about: 'Four steps from the demo to your agents. Each is done once the service sees it.',
    putAway: 'Hide the steps',
    isAway: 'The steps are hidden. The settings show them again.',
    done: 'Done',
    open: 'To do',
    first: 'Connect an agent first.',
    connect: '1. Connect your agent',
    connectMeans: 'Each agent has an integration with a key of its own.',
    bind: '2. Bind policies that only monitor',
    bindMeans: (n: number) =>
      `Binds ${n === 1 ? 'the active policy' : `the ${n} active policies`} in MONITOR: they report without changing a decision.`,
    noStarters: 'There is no active policy yet.',
    bindNow: 'Bind in MONITOR',
    bound: (n: number) => (n === 1 ? '1 policy is bound.' : `${n} policies are bound.`),
    openIntegration: 'Open the integration',
    invite: '3. Invite a reviewer',
    inviteMeans: 'Reviewers approve or reject held actions.',
    inviteNow: 'Create a reviewer',
    webhook: '4. Test a webhook',
    webhookMeans: 'A webhook tells a service, Slack, Teams or a mailbox about held actions.',
  },
};
