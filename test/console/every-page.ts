import type { Scene } from './scene.ts';

/** Every page of the console, by a name for people. `ready` is a text that is there once the page shows its data. */
export interface ConsolePageCase {
  name: string;
  path: string;
  ready: string | RegExp;
}

export const everyPage = ({
  sessionId,
  evaluations,
  policyId,
  integrationId,
  reviewId,
  listId,
  entityId,
  webhookId,
  proposalId,
  operatorId,
}: Scene): ConsolePageCase[] => [
  { name: 'now', path: '/console/', ready: 'net.http_post' },
  { name: 'reviews', path: `/console/reviews?id=${reviewId}`, ready: 'press@example.com' },
  { name: 'sessions', path: '/console/sessions', ready: 'ticket 4711' },
  {
    name: 'session',
    path: `/console/sessions/${sessionId}?evaluation=${evaluations[3]}`,
    ready: 'net.http_post',
  },
  { name: 'evaluation', path: `/console/evaluations/${evaluations[2]}`, ready: 'email.send' },
  { name: 'evaluations', path: '/console/evaluations', ready: 'net.http_post' },
  { name: 'violations', path: '/console/violations', ready: 'crm.lookup' },
  {
    name: 'violation-rules',
    path: '/console/violations?view=rules',
    ready: 'pii-data-flow',
  },
  { name: 'statistics', path: '/console/statistics', ready: 'support agent' },
  { name: 'lists', path: '/console/lists', ready: 'partner_domains' },
  { name: 'list', path: `/console/lists/${listId}`, ready: 'partner.example' },
  { name: 'proposals', path: '/console/proposals', ready: 'a new partner' },
  { name: 'proposal', path: `/console/proposals/${proposalId}`, ready: 'new.example' },
  { name: 'entities', path: '/console/entities', ready: 'Customer support' },
  { name: 'entity', path: `/console/entities/${entityId}`, ready: 'entity-limits' },
  { name: 'mcp-servers', path: '/console/mcp-servers', ready: 'crm.example' },
  { name: 'webhooks', path: '/console/webhooks', ready: 'reviewers' },
  { name: 'webhook', path: `/console/webhooks/${webhookId}`, ready: 'review.opened' },
  { name: 'record', path: '/console/record', ready: /Signed roots|Signierte Wurzeln/ },
  { name: 'policies', path: '/console/policies', ready: 'pii-data-flow' },
  {
    name: 'policy',
    path: `/console/policies/${policyId}`,
    ready: /\d+ (of|von) \d+ tests (pass|bestehen)/i,
  },
  { name: 'policy-versions', path: `/console/policies/${policyId}?tab=versions`, ready: /version 1/i },
  { name: 'policy-bindings', path: `/console/policies/${policyId}?tab=bindings`, ready: 'support agent' },
  { name: 'new-policy', path: '/console/policies/new', ready: /policy|Richtlinie/i },
  { name: 'integrations', path: '/console/integrations', ready: 'support agent' },
  { name: 'integration', path: `/console/integrations/${integrationId}`, ready: 'support agent' },
  { name: 'operators', path: '/console/operators', ready: /Owner|Inhaber/ },
  { name: 'operator', path: `/console/operators/${operatorId}`, ready: 'laptop' },
  { name: 'audit', path: '/console/audit', ready: /Done|Ausgeführt/ },
  { name: 'start', path: '/console/start', ready: /webhook|Webhook/ },
  { name: 'settings', path: '/console/settings', ready: /language|Sprache/i },
];
