import { at, ids } from '../../http/openapi/example-story.ts';
import { listChange, listId } from '../lists/examples.ts';
import { operator } from '../operators/examples.ts';

const proposal = {
  id: '0198c2f1-6b20-7d53-b1f4-8c7e5a9d3f61',
  operation: 'changeList',
  status: 'PENDING',
  note: listChange.note,
  author: { id: ids.operator, name: operator.name },
  decidedBy: null,
  createdAt: at,
  decidedAt: null,
};

export const proposalExamples: Readonly<Record<string, unknown>> = {
  Proposal: { ...proposal, change: { listId, add: listChange.add }, before: { version: 2 } },
  ProposalStatus: proposal.status,
  ProposalSummary: proposal,
  ProposeChange: { operation: proposal.operation, listId, ...listChange },
};
