// Without TypeBox: commands read it at every start.

/** What may be proposed: changes of what decides that are no version of a policy, by the operationId of their route. */
export const proposedOperations = [
  'bindPolicy',
  'unbindPolicy',
  'bindHousePolicy',
  'unbindHousePolicy',
  'changeList',
  'deprecatePolicy',
] as const;
export type ProposedOperation = (typeof proposedOperations)[number];

export const proposalStatuses = ['PENDING', 'ACTIVATED', 'REJECTED'] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];
