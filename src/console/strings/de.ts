// Its glossary is that of en.ts.
import { auditStrings } from './de/audit.ts';
import { bindingStrings } from './de/bindings.ts';
import { entityStrings } from './de/entities.ts';
import { evaluationStrings } from './de/evaluations.ts';
import { frameStrings } from './de/frame.ts';
import { integrationStrings } from './de/integrations.ts';
import { listStrings } from './de/lists.ts';
import { mcpServerStrings } from './de/mcp-servers.ts';
import { nowStrings } from './de/now.ts';
import { operatorStrings } from './de/operators.ts';
import { policyStrings } from './de/policies.ts';
import { proposalStrings } from './de/proposals.ts';
import { recordStrings } from './de/record.ts';
import { reviewStrings } from './de/reviews.ts';
import { sessionStrings } from './de/sessions.ts';
import { startStrings } from './de/start.ts';
import { statisticStrings } from './de/statistics.ts';
import { tableStrings } from './de/tables.ts';
import { violationStrings } from './de/violations.ts';
import { webhookStrings } from './de/webhooks.ts';
import type { Strings } from './en.ts';

export const de: Strings = {
  code: 'de',
  ...frameStrings,
  ...nowStrings,
  ...tableStrings,
  ...reviewStrings,
  ...sessionStrings,
  ...evaluationStrings,
  ...violationStrings,
  ...policyStrings,
  ...bindingStrings,
  ...proposalStrings,
  ...integrationStrings,
  ...mcpServerStrings,
  ...operatorStrings,
  ...auditStrings,
  ...listStrings,
  ...entityStrings,
  ...startStrings,
  ...webhookStrings,
  ...statisticStrings,
  ...recordStrings,
};
