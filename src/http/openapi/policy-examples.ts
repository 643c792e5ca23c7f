import { operator, policySummary } from './example-management.ts';
import { at, ids, later } from './example-story.ts';

const listId = '0198c2f1-6b20-7d53-b1f4-8c7e5a9d3f28';
const bindingTerms = { params: { maxCalls: 20 }, mode: null, createdAt: at, updatedAt: at };
const binding = { integrationId: ids.integration, policyId: ids.policy, ...bindingTerms };
const list = {
  id: listId,
  name: 'internalDomains',
  kind: 'DOMAINS',
  description: 'our own domains',
  version: 2,
  entryCount: 2,
  createdAt: at,
  updatedAt: at,
};
const change = { add: ['example.org'], note: 'a new subsidiary' };

const policyChange = {
  part: 'RULE',
  name: 'budget',
  change: 'CHANGED',
  before: { severity: 'LOW' },
  after: { severity: 'HIGH' },
};

const proposal = {
  id: '0198c2f1-6b20-7d53-b1f4-8c7e5a9d3f61',
  operation: 'changeList',
  status: 'PENDING',
  note: change.note,
  author: { id: ids.operator, name: operator.name },
  decidedBy: null,
  createdAt: at,
  decidedAt: null,
};

/** Versions and bindings of policies, and the shared lists that policies read. */
export const policyExamples: Readonly<Record<string, unknown>> = {
  BindPolicy: { params: { maxCalls: 20 }, mode: 'MONITOR' },
  BoundPolicy: { ...policySummary, binding },
  ChangeList: change,
  CreateList: { name: list.name, kind: list.kind, entries: ['example.com'] },
  HousePolicy: { policyId: ids.policy, ...bindingTerms, policy: policySummary },
  ListChange: {
    version: 2,
    author: { id: ids.operator, name: operator.name },
    note: change.note,
    added: change.add,
    removed: [],
    createdAt: at,
  },
  ListKind: list.kind,
  PolicyBinding: binding,
  PolicyChange: policyChange,
  PolicyDiff: {
    policyId: ids.policy,
    from: 1,
    to: 2,
    changes: [policyChange],
    text: `--- ${policySummary.name} version 1\n+++ ${policySummary.name} version 2\n@@ -4,2 +4,2 @@\n   - id: budget\n-    severity: LOW\n+    severity: HIGH\n`,
  },
  Proposal: { ...proposal, change: { listId, add: change.add }, before: { version: 2 } },
  ProposalStatus: proposal.status,
  ProposalSummary: proposal,
  ProposeChange: { operation: proposal.operation, listId, ...change },
  SchedulePolicy: { version: 2, at: later },
  SimulationRequest: {
    bindings: [{ policyId: ids.policy, integrationId: ids.integration, params: { maxCalls: 20 } }],
    filter: { from: at },
  },
  'simulatePolicies response application/x-ndjson': `${JSON.stringify({ type: 'progress', evaluations: 250_000, total: 1_000_000 })}\n`,
  SharedList: { ...list, entries: ['example.com', 'example.org'] },
  SharedListSummary: list,
};
