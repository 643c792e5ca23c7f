import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { headerValues, identityTokenOf, sentKey } from '../../http/headers.ts';
import { createOpenStreams, goneSignal } from '../../http/open-streams.ts';
import { integrationCallerOf } from '../../http/plugins/authenticate.ts';
import { errorText, isJson, type Json, messageText } from '../../mcp-proxy/message.ts';
import type { Services } from '../../services/services.ts';
import { identityTokenIn, sessionNameOf } from '../session-names.ts';
import { ClientReply } from './client-reply.ts';
import { type Conversation, createConversations } from './conversations.ts';
import type { EvaluatingServices } from './evaluator.ts';
import {
  createExchange,
  discard,
  keyOf,
  passedStatus,
  type Reached,
  reasonOf,
  sessionHeader,
} from './exchange.ts';
import { heavyMessage, isHeavy } from './heavy.ts';
import type { ProxiedOauth } from './oauth.ts';

type Headers = Record<string, string>;

/** Headers that say how, not what: nobody decides by them. */
const plain = ['accept', 'mcp-protocol-version'] as const;

/** The headers of every request to a server; others of the client, and its key, are not passed on. */
function plainHeaders(headers: IncomingHttpHeaders, forwardsAuthorization: boolean): Headers {
  const names = forwardsAuthorization ? [...plain, 'authorization'] : plain;
  const sent = names.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { 'user-agent': 'assize', ...Object.fromEntries(sent) };
}

/**
 * Since revision 2026-07-28, headers repeat parts of a message, so that it can be routed by them. A server that trusts a header would do
 * something other than the evaluated call, so each header must equal its part of the message. Returns a text that names the one that differs.
 */
function messageHeaders(headers: IncomingHttpHeaders, message: Json): Headers | string {
  const { method, params = {} } = message;
  const { name, uri, arguments: args } = isJson(params) ? params : ({} as Json);
  const repeated: Headers = {};
  const values = new Map<string, string>();
  for (const [header, sent] of Object.entries(headers)) {
    if (typeof sent !== 'string' || !/^mcp-(?:method|name|param-.+)$/.test(header)) continue;
    const value = decoded(sent);
    if (header.startsWith('mcp-param-')) values.set(value, header);
    else if (value !== (header === 'mcp-method' ? method : method === 'resources/read' ? uri : name))
      return differs(header);
    repeated[header] = sent;
  }
  removeLeaves(args, values);
  const [header] = values.values();
  return header === undefined ? repeated : differs(header);
}

const differs = (header: string): string => `the header ${header} differs from the message`;

/** Values that a header cannot hold are in base64 (SEP-2243). */
function decoded(value: string): string {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/i.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

/** Which argument a header repeats is in the schema of the tool. Both may be many: the arguments are read once. */
function removeLeaves(args: unknown, values: Map<string, string>): void {
  const rest = [args];
  while (values.size > 0 && rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null) values.delete(String(value));
    else for (const member of Object.values(value)) rest.push(member);
  }
}

export type ProxyServices = EvaluatingServices &
  Pick<Services, 'authentication' | 'identities' | 'mcpServers' | 'now'>;

export interface ProxyEndpoint {
  /** One message of a client. */
  post(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** The stream of messages that a server sends unasked, or sends again. */
  get(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Ends a session of the server. */
  delete(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  close(): void;
}

/** HeaderMismatch of revision 2026-07-28. */
const headerMismatch = -32_020;
const nothing = (): void => undefined;

export function createProxyEndpoint(
  scope: FastifyInstance,
  services: ProxyServices,
  { callbackAllow, oauth }: { callbackAllow: readonly string[]; oauth: ProxiedOauth },
): ProxyEndpoint {
  const { authentication, identities, mcpServers, now } = services;
  const streams = createOpenStreams((err) => scope.log.error({ err }, 'a key could not be looked up'));
  const conversations = createConversations(services, {
    drop: (line) => scope.log.debug(line),
    error: (err) => scope.log.error({ err }, 'a message could not be evaluated'),
  });
  const stopping = new AbortController();
  const exchange = createExchange({
    mcpServers,
    conversations,
    oauth,
    callbackAllow,
    stopping: stopping.signal,
  });

  async function reach(request: FastifyRequest, message: Json | null): Promise<Reached> {
    const caller = integrationCallerOf(request);
    const { settings, id } = caller.integration;
    const { name } = request.params as { name: string };
    const server = await mcpServers.findFor(id, name);
    if (!server) throw new AppError('not_found', 'this key has no MCP server of this name');
    const { _meta: meta = {} } = isJson(message?.params) ? message.params : ({} as Json);
    const metadata = isJson(meta) ? meta : {};
    const identityToken = identityTokenIn(metadata, identityTokenOf(request));
    const proven = await identities.verify(settings.identity, identityToken, now());
    const entityId = proven && 'entityId' in proven ? proven.entityId : null;
    const owner = [id, server.id, entityId ?? ''].join(' ');
    const session = idIn(request, owner, sessionHeader);
    const scoped = sessionNameOf(settings.sessionScope, metadata, { address: request.ip, entityId });
    const isOfConnection = settings.sessionScope === 'connection' && session !== null;
    // Not the id itself: it opens the session of the server.
    const sessionName = isOfConnection ? `connection:${hash('sha256', `${owner} ${session}`)}` : scoped;
    return {
      server,
      evaluated: { caller, sessionName: `mcp-proxy ${sessionName}`, identityToken },
      owner,
      session,
      headers: {
        ...server.headers,
        ...plainHeaders(request.headers, server.forwardsAuthorization),
        ...(session !== null && { [sessionHeader]: session }),
      },
    };
  }

  /** The server's id for the name in a header; null without the header. Refuses the name of another owner like an unknown one. */
  function idIn(request: FastifyRequest, owner: string, header: string): string | null {
    const [sent, ...others] = headerValues(request, header);
    if (sent === undefined) return null;
    const id = others.length > 0 ? null : mcpServers.idOfName(owner, sent);
    if (id === null) throw new AppError('not_found', 'session not found');
    return id;
  }

  function conversationOf({ server, evaluated, owner, session }: Reached): Conversation {
    if (session === null) return conversations.open(server, evaluated);
    return conversations.find(keyOf(owner, session), server, evaluated);
  }

  function watch(request: FastifyRequest, reply: FastifyReply): void {
    const key = sentKey(request);
    const isValid = async () => key !== null && (await authentication.identify(key, request.ip)) !== null;
    streams.watch(reply.raw, isValid, () => reply.raw.destroy());
  }

  return {
    async post(request, reply) {
      const text = request.bodyText;
      if (isHeavy(text)) throw new AppError('too_large', heavyMessage);
      const message = parsed(text);
      const reached = await reach(request, message);
      const repeated = message === null ? {} : messageHeaders(request.headers, message);
      const client = new ClientReply(reply, () => watch(request, reply));
      if (typeof repeated === 'string') {
        const id = typeof message?.id === 'string' || typeof message?.id === 'number' ? message.id : null;
        client.end(400, errorText(id, headerMismatch, repeated));
        return reply;
      }
      scope.startWaiting(request, reply);
      const conversation = conversationOf(reached);
      const gone = goneSignal(reply.raw);
      const isModern = reached.session === null && isJson(message?.params) && saysRevision(message.params);
      if (isModern) gone.addEventListener('abort', () => cancel(conversation, message?.id), { once: true });
      const onward = await conversation.proxy.receive('client', text, client.back);
      if (onward === null) client.endWithAnswer(isModern);
      else await exchange.forward(onward, repeated, { reached, conversation, client, gone, request, reply });
      return reply;
    },

    async get(request, reply) {
      const reached = await reach(request, null);
      const last = idIn(request, reached.owner, 'last-event-id');
      scope.startWaiting(request, reply);
      const client = new ClientReply(reply, () => watch(request, reply));
      const conversation = conversationOf(reached);
      const headers: Record<string, string> = last === null ? {} : { 'last-event-id': last };
      const signal = AbortSignal.any([goneSignal(reply.raw), stopping.signal]);
      try {
        const response = await exchange.send(reached, { method: 'GET', headers, signal });
        response.on('error', nothing);
        const { statusCode = 502, headers: received } = response;
        if (statusCode !== 200 || !received['content-type']?.startsWith('text/event-stream')) {
          discard(response);
          const challenge = received['www-authenticate'];
          if (reached.server.forwardsAuthorization && challenge !== undefined)
            reply.header('www-authenticate', oauth.challenge(request, reached.server, challenge));
          if (statusCode === 405) reply.header('allow', 'POST');
          client.refuse(passedStatus(statusCode, reached), `the server responded with HTTP ${statusCode}`);
          return reply;
        }
        client.begin();
        await exchange.passEvents(response, { reached, conversation, client }, nothing);
        client.end(200, null);
      } catch (error) {
        if (client.isStream) client.end(200, null);
        else client.refuse(502, reasonOf(error, AbortSignal.any([]), 0));
      }
      return reply;
    },

    async delete(request, reply) {
      const reached = await reach(request, null);
      const client = new ClientReply(reply, nothing);
      const { server, owner, session, evaluated } = reached;
      if (session !== null) conversations.end(keyOf(owner, session), evaluated.caller.integration.id);
      const signal = AbortSignal.timeout(server.timeoutSeconds * 1_000);
      try {
        const response = await exchange.send(reached, { method: 'DELETE', headers: {}, signal });
        discard(response);
        const { statusCode = 502 } = response;
        if (statusCode >= 200 && statusCode < 300) client.end(statusCode === 200 ? 204 : statusCode, null);
        else client.refuse(passedStatus(statusCode, reached), `the server responded with HTTP ${statusCode}`);
      } catch (error) {
        client.refuse(502, reasonOf(error, signal, server.timeoutSeconds));
      }
      return reply;
    },

    close() {
      stopping.abort();
      exchange.close();
    },
  };
}

/** The message; null for a text that the proxy itself refuses. */
function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
}

/** From revision 2026-07-28 on each request says its revision, has no session, and ends with its connection. */
const saysRevision = ({ _meta: meta }: Json): boolean =>
  isJson(meta) && meta['io.modelcontextprotocol/protocolVersion'] !== undefined;

function cancel({ proxy }: Conversation, requestId: unknown): void {
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
  void proxy.receive('client', messageText(message), nothing);
}
