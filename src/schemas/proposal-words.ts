// Without TypeBox: commands read it at every start.

/** Changes that may be proposed: those of what decides, besides versions of policies, by the operationId of their route. */
export const proposedOperations = [
  'bindPolicy',
  'unbindPolicy',
  'bindHousePolicy',
  'unbindHousePolicy',
  'deprecatePolicy',
  'deletePolicy',
  'createList',
  'changeList',
  'deleteList',
  'replaceToolCatalogue',
  'importTools',
  'acceptTools',
  'changeIntegration',
  'changeOperator',
] as const;
export type ProposedOperation = (typeof proposedOperations)[number];

export const proposalStatuses = ['PENDING', 'ACTIVATED', 'REJECTED'] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];
