import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { serveConsole } from './app-console.ts';
import type { Config } from './config/config.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { entityRoutes } from './features/entities/routes.ts';
import { eventRoutes } from './features/events/routes.ts';
import { integrationKeyRoutes, integrationRoutes } from './features/integrations/routes.ts';
import { listRoutes } from './features/lists/routes.ts';
import { mcpServerRoutes } from './features/mcp-servers/routes.ts';
import { operatorKeyRoutes, operatorRoutes } from './features/operators/routes.ts';
import {
  policyActivationRoutes,
  policyDocumentRoutes,
  policyRoutes,
  policySchemaRoutes,
} from './features/policies/routes.ts';
import { bindingRoutes, housePolicyRoutes } from './features/policies/routes-bindings.ts';
import { proposalRoutes } from './features/proposals/routes.ts';
import { reviewQueueRoutes, reviewRoutes } from './features/reviews/routes.ts';
import { evaluationSessionRoutes } from './features/sessions/routes.ts';
import { statsRoutes } from './features/stats/routes.ts';
import { createToolFinder } from './features/tools/allowed.ts';
import { allowedToolsRoutes, toolCatalogueRoutes } from './features/tools/routes.ts';
import { violationRoutes } from './features/violations/routes.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import { authenticateCallers, type Credentials } from './http/plugins/authenticate.ts';
import { recordCalls } from './http/plugins/record-calls.ts';
import { refuseUndescribed } from './http/plugins/schema-compilers.ts';
import { gatewayRoutes } from './http/routes/gateways/gateways.ts';
import { healthRoutes } from './http/routes/health.ts';
import { evaluateRoutes } from './http/routes/v1/evaluate.ts';
import { evaluationRoutes } from './http/routes/v1/evaluations.ts';
import { policySimulationRoutes } from './http/routes/v1/policy-simulations.ts';
import { recordRoutes } from './http/routes/v1/record.ts';
import { createProxiedOauth } from './mcp/proxy/oauth.ts';
import { mcpProxyRoutes, proxiedOauthRoutes } from './mcp/proxy/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import type { Services } from './services/services.ts';
import { version } from './version.ts';

/** All routes but that of metrics; those under `/v1` authenticate the caller first. */
export async function serveRoutes(
  http: FastifyInstance,
  config: Config,
  services: Services,
  {
    credentials,
    now,
    onError,
  }: { credentials: Credentials; now: () => number; onError: (error: unknown) => void },
): Promise<void> {
  const typed = http.withTypeProvider<TypeBoxTypeProvider>();
  await typed.register(async (scope) => healthRoutes(scope, services));
  policySchemaRoutes(typed);
  const oauth = createProxiedOauth(services.mcpServers, config);
  proxiedOauthRoutes(http, oauth);
  await serveConsole(http, config, services, now);
  await typed.register(
    async (scope) => {
      authenticateCallers(scope, credentials);
      recordCalls(scope, services.audit);
      refuseUndescribed(scope);
      evaluateRoutes(scope, services);
      allowedToolsRoutes(scope, createToolFinder(services.evaluations, services.toolCatalogues));
      evaluationRoutes(scope, services);
      evaluationSessionRoutes(scope, services);
      reviewRoutes(scope, services);
      violationRoutes(scope, services);
      entityRoutes(scope, services);
      reviewQueueRoutes(scope, services);
      auditRoutes(scope, services);
      eventRoutes(scope, services, credentials, onError);
      recordRoutes(scope, services);
      webhookRoutes(scope, services);
      statsRoutes(scope, services);
      operatorRoutes(scope, services);
      operatorKeyRoutes(scope, services);
      integrationRoutes(scope, services);
      integrationKeyRoutes(scope, services);
      toolCatalogueRoutes(scope, services);
      listRoutes(scope, services);
      mcpServerRoutes(scope, services);
      bindingRoutes(scope, services);
      housePolicyRoutes(scope, services);
      proposalRoutes(scope, services);
      policyRoutes(scope, services);
      policyActivationRoutes(scope, services);
      policySimulationRoutes(scope, services);
      await scope.register(async (documents) => policyDocumentRoutes(documents, services));
      await scope.register(async (mcp) => mcpRoutes(mcp, services, version));
      await scope.register(async (mcp) => mcpProxyRoutes(mcp, services, { ...config, oauth }));
    },
    { prefix: '/v1' },
  );
  await gatewayRoutes(typed, services);
}
