/** Changes that may be proposed, by the operationId of their route. Versions of policies are proposed as versions. */
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
