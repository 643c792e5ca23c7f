import type { FastifyError } from 'fastify';
import { AppError } from '../../../errors.ts';
import type { Evaluations } from '../../../evaluate/evaluate.ts';
import type { ToolCatalogues } from '../../../features/tools/service.ts';
import type { Authentication } from '../../../services/access/authentication.ts';
import type { AccessRequests, AccessSearch } from '../../../services/access-requests.ts';
import { authenticateCallers } from '../../plugins/authenticate.ts';
import { refusalOf } from '../../plugins/errors.ts';
import { refuseUndescribed } from '../../plugins/schema-compilers.ts';
import type { Scope } from '../../scope.ts';
import { accessRequestRoutes } from './access-requests.ts';
import { agentgatewayRoutes } from './agentgateway.ts';
import { authzenConfigurationRoutes, authzenRoutes, echoId } from './authzen.ts';
import { extAuthzRoutes } from './ext-authz.ts';
import { litellmRoutes } from './litellm.ts';

interface Services {
  authentication: Authentication;
  evaluations: Evaluations;
  accessRequests: AccessRequests;
  accessSearch: AccessSearch;
  toolCatalogues: Pick<ToolCatalogues, 'read'>;
}

/** AuthZEN has 400 for a body that is not JSON, where other routes have 415. */
function refuseOtherMedia(scope: Scope): void {
  scope.setErrorHandler((error: FastifyError, request) => {
    const { status, details } = refusalOf(error, request);
    throw status === 415 ? new AppError('invalid', 'the body is not JSON', { details }) : error;
  });
}

/** Evaluations in the forms of gateways that exist. They are described by their own specifications, not by OpenAPI. */
export async function gatewayRoutes(app: Scope, services: Services): Promise<void> {
  authzenConfigurationRoutes(app);
  await app.register(async (scope) => {
    // A gateway sends the key of an integration: the console's cookie is no credential here.
    authenticateCallers(scope, { authentication: services.authentication, identifySignedIn: null });
    refuseUndescribed(scope);
    agentgatewayRoutes(scope, services);
    await scope.register(
      async (access) => {
        refuseOtherMedia(access);
        access.addHook('onRequest', echoId);
        authzenRoutes(access, services);
        accessRequestRoutes(access, services);
      },
      { prefix: '/access/v1' },
    );
    await scope.register(
      async (v1) => {
        litellmRoutes(v1, services);
        await v1.register(async (any) => extAuthzRoutes(any, services));
      },
      { prefix: '/v1' },
    );
  });
}
