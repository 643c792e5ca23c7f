import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Awaitable, chain } from '../../awaitable.ts';
import { AppError, never } from '../../errors.ts';
import { assertScope } from '../../features/integrations/service.ts';
import type { KeyScope } from '../../features/integrations/words.ts';
import type {
  Authentication,
  Caller,
  IntegrationCaller,
  OperatorCaller,
} from '../../services/access/authentication.ts';
import { assertMay, mayDo, type Permission } from '../../services/access/permissions.ts';
import { sentKey } from '../headers.ts';
import type { IdentifySignedIn } from './console-requests.ts';

/** Who may call a route. Every route inside the authenticated scope must say so. */
export type Callers = 'operator' | 'integration' | 'mcp' | 'any';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    callers?: Callers;
    /** The permission that an operator needs for a route that operators may call. */
    permission?: Permission;
    /** The scope that an integration's key needs for a route that integrations may call; tools of MCP ask for theirs themselves. */
    scope?: KeyScope;
    /** Whether an integration changes by it what operators manage of the integration: such a change is recorded like theirs. */
    changesItself?: true;
  }
}

export interface Credentials {
  authentication: Authentication;
  /** Null without the console: then only a key is a credential. */
  identifySignedIn: IdentifySignedIn | null;
}

/** Every route registered in this scope afterwards needs a key. Runs before a body is read. */
export function authenticateCallers(scope: FastifyInstance, credentials: Credentials): void {
  if (!scope.hasRequestDecorator('caller')) scope.decorateRequest('caller', null);
  scope.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.callers) throw new Error(`${method} ${url} does not say who may call it`);
    const takesOperators = config.callers === 'operator' || config.callers === 'any';
    if (takesOperators !== (config.permission !== undefined)) {
      throw new Error(`${method} ${url} does not say which permission an operator needs`);
    }
    const takesIntegrations = config.callers === 'integration' || config.callers === 'any';
    if (takesIntegrations !== (config.scope !== undefined)) {
      throw new Error(`${method} ${url} does not say which scope the key of an integration needs`);
    }
  });
  scope.addHook('onRequest', (request, reply, done) => {
    const allowed = chain(identify(request, reply, credentials), (caller) => assertAllowed(caller, request));
    if (allowed instanceof Promise) allowed.then(() => done(), done);
    else done();
  });
}

function assertAllowed(caller: Caller, request: FastifyRequest): void {
  const { callers, permission, scope } = request.routeOptions.config;
  if (!mayCall(caller, callers)) throw new AppError('forbidden', keyNeeded(callers));
  if (caller.kind === 'operator' && permission) assertMay(caller.operator.roles, permission);
  if (caller.kind === 'integration' && scope) assertScope(caller.key.scopes, scope);
}

/** The configuration of a route for operators alone. */
export const operatorsWith = (permission: Permission) => ({ callers: 'operator', permission }) as const;

/** Whose key the request carries, counted against its rate limit; throws when it carries none that is valid. */
export function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  { authentication, identifySignedIn }: Credentials,
): Awaitable<Caller> {
  const key = sentKey(request);
  const found =
    key === null ? withoutKey(request, identifySignedIn) : authentication.identify(key, request.ip);
  return chain(found, (caller) => {
    if (!caller) return refuseStranger(request, reply);
    request.caller = caller;
    if (caller.kind !== 'integration') return caller;
    return chain(request.server.limitIntegration(request, reply), () => caller);
  });
}

async function refuseStranger(request: FastifyRequest, reply: FastifyReply): Promise<never> {
  await request.server.limitAddress(request, reply);
  throw new AppError(
    'unauthenticated',
    'invalid, expired or missing API key: send the header Authorization: Bearer asz_live_… (operators: asz_admin_…)',
  );
}

/** Who sends a request that was authenticated before and still goes on; null when its key no longer stands. */
export async function identifyAgain(
  request: FastifyRequest,
  { authentication, identifySignedIn }: Credentials,
): Promise<Caller | null> {
  const key = sentKey(request);
  if (key !== null) return authentication.identify(key, request.ip);
  // A stream that stays open keeps no sign-in alive.
  return identifySignedIn?.(request, { background: true }) ?? null;
}

/** A request with an Authorization header that holds no key is not the console's, whatever cookie it has. */
async function withoutKey(
  request: FastifyRequest,
  identifySignedIn: IdentifySignedIn | null,
): Promise<Caller | null> {
  if (!identifySignedIn || request.headers.authorization !== undefined) return null;
  return identifySignedIn(request);
}

/** Which key a caller with another one needs; no word about what exists. */
function keyNeeded(callers: Callers | undefined): string {
  switch (callers) {
    case 'operator':
      return 'this needs an operator key (asz_admin_…)';
    case 'mcp':
      return 'this needs the key of an integration of kind MCP_SERVER (asz_live_…)';
    case 'integration':
    case 'any':
    case undefined:
      return 'this needs the key of an integration (asz_live_…)';
    default:
      return never(callers);
  }
}

function mayCall(caller: Caller, callers: Callers | undefined): boolean {
  if (callers === 'mcp') return caller.kind === 'integration' && caller.integration.kind === 'MCP_SERVER';
  return callers === 'any' || callers === caller.kind;
}

/** Whom limits count a request for: its integration, all operators together, or all that needed no key together. */
export function callerKey({ caller }: FastifyRequest): string {
  if (!caller) return 'nobody';
  return caller.kind === 'operator' ? 'operators' : caller.integration.id;
}

/** Throws when the caller was not authenticated, so that a route outside the scope fails with 500 instead of running. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('a route that needs a caller stands outside the authenticated scope');
  return request.caller;
}

export const integrationOf = (request: FastifyRequest): IntegrationCaller['integration'] =>
  integrationCallerOf(request).integration;

/** The scopes of the key of the request. */
export const scopesOf = (request: FastifyRequest): readonly KeyScope[] =>
  integrationCallerOf(request).key.scopes;

export function integrationCallerOf(request: FastifyRequest): IntegrationCaller {
  const caller = callerOf(request);
  if (caller.kind !== 'integration') throw new Error('a route for integrations let an operator in');
  return caller;
}

/** The integration whose resources the caller may read; null for an operator, who may read all. */
export function ownerFor(request: FastifyRequest): string | null {
  const caller = callerOf(request);
  return caller.kind === 'operator' ? null : caller.integration.id;
}

/** Whether the caller is an operator who may do this, beyond what the route needs. */
export function callerMay(request: FastifyRequest, permission: Permission): boolean {
  const caller = callerOf(request);
  return caller.kind === 'operator' && mayDo(caller.operator.roles, permission);
}

/** The same for a list that operators may narrow down to one integration. An integration has no choice to make. */
export function ownerInList(request: FastifyRequest, integrationId: string | undefined): string | null {
  const owner = ownerFor(request);
  if (owner === null) return integrationId?.toLowerCase() ?? null;
  if (integrationId === undefined) return owner;
  throw new AppError(
    'invalid',
    'only an operator key may choose: leave it out, an integration sees its own',
    {
      path: '/integrationId',
    },
  );
}

export function operatorOf(request: FastifyRequest): OperatorCaller {
  const caller = callerOf(request);
  if (caller.kind !== 'operator') throw new Error('a route for operators let an integration in');
  return caller;
}
