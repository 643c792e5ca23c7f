import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { goneSignal } from '../http/client-disconnect.ts';
import { identityTokenOf, sentKey, traceParentOf } from '../http/headers.ts';
import { integrationCallerOf } from '../http/plugins/authenticate.ts';
import { createOpenStreams } from '../http/plugins/open-streams.ts';
import type { Services } from '../services/services.ts';
import { closeConnection, connectionHeader, connectionSession, openConnection } from './connections.ts';
import { type Message, readMessage } from './message.ts';
import { plainCall } from './plain-call.ts';
import { createSdkHandlers } from './sdk-handlers.ts';
import { type Check, type Compile, createServers, type PendingCall } from './server.ts';
import { identityTokenIn, sessionIdIn, sessionNameOf } from './session-names.ts';
import { awaitReview } from './tools/reviews.ts';

export type McpServices = Pick<
  Services,
  'authentication' | 'evaluations' | 'sessions' | 'reviews' | 'identities' | 'now'
>;

/** Both protocol eras. Nothing is kept in memory, so any process can serve any request. */
export interface Endpoint {
  /** Returns one message. */
  receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Ends the session of the connection that the request names. Throws for one that is not live. */
  closeConnection(integrationId: string, id: string | string[]): Promise<void>;
  /** Ends every open stream. */
  close(): Promise<void>;
}

export function createEndpoint(scope: FastifyInstance, services: McpServices, version: string): Endpoint {
  const { authentication, sessions, identities, now } = services;
  const servers = createServers(services, version, compilerOf(scope));
  const handlers = createSdkHandlers(servers);
  const streams = createOpenStreams((error) =>
    scope.log.error({ err: error }, 'a key could not be looked up'),
  );

  async function pendingCall(request: FastifyRequest, message: Message): Promise<PendingCall> {
    const caller = integrationCallerOf(request);
    const { integration } = caller;
    const sessionId = await connectionSession(integration.id, request.headers, message, sessions);
    const identityToken = identityTokenIn(message.meta, identityTokenOf(request));
    const proven = await identities.verify(integration.settings.identity, identityToken, now());
    const name = sessionNameOf(integration.settings.sessionScope, message.meta, {
      address: request.ip,
      entityId: proven && 'entityId' in proven ? proven.entityId : null,
    });
    return {
      caller,
      argumentsText: message.argumentsText,
      trace: traceParentOf(request.headers),
      identityToken,
      ...sessionOf(message, sessionId, name),
      onError: (error) => request.log.error({ err: error }, 'tool failed'),
    };
  }

  function watchKey(request: FastifyRequest, reply: FastifyReply): void {
    const key = sentKey(request);
    const isValid = async () => key !== null && (await authentication.identify(key, request.ip)) !== null;
    streams.watch(reply.raw, isValid, () => reply.raw.destroy());
  }

  return {
    async receive(request, reply) {
      const message = readMessage(request.body, request.bodyText);
      if (onlyWaits(message)) scope.startWaiting(request, reply);
      const pending = await pendingCall(request, message);
      // Since 2026-07-28 closing the stream cancels the call; before, a client may close it and continue.
      const signal = message.modern ? goneSignal(reply.raw) : null;
      const plain = signal && plainCall(request.headers, message);
      const text = plain && (await servers.runPlain(plain, pending, signal));
      if (text !== null) return reply.type('application/json; charset=utf-8').send(text);
      const response = await handlers.fetch(request, message.body, pending, signal);
      const opened = response.ok
        ? await openConnection(pending.caller, message, sessions, pending.identityToken)
        : null;
      if (opened !== null) reply.header(connectionHeader, opened);
      if (response.headers.get('content-type') === 'text/event-stream') {
        watchKey(request, reply);
        return reply.send(response);
      }
      return reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(await response.text());
    },
    closeConnection: (integrationId, id) => closeConnection(integrationId, id, sessions),
    close: () => handlers.close(),
  };
}

function compilerOf({ validatorCompiler: compiler }: FastifyInstance): Compile {
  if (!compiler) throw new Error('the MCP routes must be registered after the validator');
  return (schema) => {
    const check: unknown = compiler({ schema, method: 'POST', url: '/mcp', httpPart: 'body' });
    return check as Check;
  };
}

function sessionOf({ meta, refusal }: Message, connection: string | null, sessionName: string) {
  try {
    return { sessionName, sessionId: sessionIdIn(meta) ?? connection, refusal };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { sessionName, sessionId: null, refusal: error };
  }
}

/** A stream of notifications and a wait for a human may last; neither counts as a request in flight. */
const onlyWaits = ({ method, body }: Message): boolean =>
  method === 'subscriptions/listen' ||
  (method === 'tools/call' && (body.params as { name?: unknown } | undefined)?.name === awaitReview.name);
