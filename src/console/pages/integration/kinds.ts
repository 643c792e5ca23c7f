import type { IntegrationKind } from '../../../features/integrations/schema.ts';

export type { CreatedIntegration, IntegrationKind } from '../../../features/integrations/schema.ts';

/** In the order of a choice. The record keeps it complete: a new kind does not compile until it is here. */
const kinds: Record<IntegrationKind, true> = { AGENT: true, MCP_SERVER: true, REST_API: true };
export const integrationKinds = Object.keys(kinds) as IntegrationKind[];
