import { once } from 'node:events';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { Agent as AgentHttps, request as requestHttps } from 'node:https';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { McpServers, ReachedServer } from '../../features/mcp-servers/service.ts';
import { errorText, type Id, rpcCodes } from '../../mcp-proxy/message.ts';
import {
  createAddressPolicy,
  guardedLookup,
  undeliveredFrom,
} from '../../services/callbacks/address-policy.ts';

import {
  Agent as AgentHttp,
  readText,
  request as requestHttp,
  TooLongResponse,
} from '../../services/node-http.ts';
import type { ClientReply } from './client-reply.ts';
import type { Conversation, Conversations } from './conversations.ts';
import type { Evaluated } from './evaluator.ts';
import { EventTooLarge, readEvents } from './event-stream.ts';
import { heavyMessage, isHeavy } from './heavy.ts';
import type { ProxiedOauth } from './oauth.ts';

export interface GuardedRequest {
  method: 'GET' | 'POST' | 'DELETE';
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
}

export interface GuardedRequester {
  /** Resolves with a response whose body nobody has read yet. Never sends a request twice, and follows no redirect. */
  send(url: string, request: GuardedRequest): Promise<IncomingMessage>;
  close(): void;
}

/** Shorter than the 5 seconds after which many servers close an idle connection, perhaps just as it is used again. */
const idleMs = 4_000;

/** Requests to servers that operators name, to addresses that `allow` opens: see the callback sender. */
function createGuardedRequester(allow: readonly string[]): GuardedRequester {
  const policy = createAddressPolicy(allow);
  const kept = { keepAlive: true, timeout: idleMs, maxFreeSockets: 64 };
  const agents = { 'http:': new AgentHttp(kept), 'https:': new AgentHttps(kept) };
  return {
    async send(address, { method, headers, body, signal }) {
      const url = new URL(address);
      const isSecure = url.protocol === 'https:';
      const dial: RequestOptions & { autoSelectFamily: boolean } = {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
        agent: agents[isSecure ? 'https:' : 'http:'],
        lookup: guardedLookup(url, policy),
        autoSelectFamily: true,
        signal,
      };
      const outgoing = (isSecure ? requestHttps : requestHttp)(url, dial);
      outgoing.on('error', () => undefined); // `once` tells the first; none after it may throw
      outgoing.end(body);
      const [response] = await once(outgoing, 'response');
      return response;
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** The server of a request, and the caller that it is evaluated for. */
export interface Reached {
  server: ReachedServer;
  evaluated: Evaluated;
  /** The integration, server and person that sessions and events belong to. */
  owner: string;
  /** The id of a session of the server; null when the request names none. */
  session: string | null;
  headers: Record<string, string>;
}

interface Ends {
  reached: Reached;
  conversation: Conversation;
  client: ClientReply;
}

/** One evaluated message on its way to a server, and the response on its way back. */
interface Forwarding extends Ends {
  /** Aborted when the client is gone. */
  gone: AbortSignal;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface Exchange {
  send(reached: Reached, request: GuardedRequest): Promise<IncomingMessage>;
  /** Sends an evaluated message on, and gives the client what comes back. Never rejects. */
  forward(text: string, headers: Record<string, string>, forwarding: Forwarding): Promise<void>;
  /** Passes events on, one after the other. Resolves with whether the client can ask for more of them on another stream. */
  passEvents(response: IncomingMessage, ends: Ends, onRead: () => void): Promise<boolean>;
  close(): void;
}

/** Largest message of a server. */
const mostBytes = 4_194_304;
/** Responses to one stream of a server that it did not take yet, and how long it may leave one. */
const mostBack = 16;
const longestBackMs = 30_000;
/** Bytes and time of a body that nobody reads. */
const mostUnread = 65_536;
const longestUnreadMs = 5_000;
export const sessionHeader = 'mcp-session-id';
const nothing = (): void => undefined;

export function createExchange({
  mcpServers,
  conversations,
  oauth,
  callbackAllow,
  stopping,
}: {
  mcpServers: McpServers;
  conversations: Conversations;
  oauth: ProxiedOauth;
  callbackAllow: readonly string[];
  stopping: AbortSignal;
}): Exchange {
  const upstream = createGuardedRequester(callbackAllow);

  const send = ({ server, headers }: Reached, request: GuardedRequest) =>
    upstream.send(server.url, { ...request, headers: { ...headers, ...request.headers } });

  const post = (reached: Reached, body: string, headers: Record<string, string>, signal: AbortSignal) =>
    send(reached, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal,
    });

  /** Sends messages to a server without waiting for their responses. `wait` resolves when there is room for more messages. */
  function createBack(reached: Reached) {
    const sent = new Set<Promise<void>>();
    const longestMs = Math.min(reached.server.timeoutSeconds * 1_000, longestBackMs);
    return {
      send: (text: string) => {
        // Node may collect an AbortSignal.timeout in AbortSignal.any before it fires (nodejs/node#57736).
        const late = new AbortController();
        const timer = setTimeout(() => late.abort(), longestMs);
        const one: Promise<void> = post(reached, text, {}, AbortSignal.any([late.signal, stopping]))
          .then(discard, nothing)
          .finally(() => {
            clearTimeout(timer);
            sent.delete(one);
          });
        sent.add(one);
      },
      wait: async () => void (sent.size < mostBack || (await Promise.race(sent))),
    };
  }

  async function passEvents(
    response: IncomingMessage,
    { reached, conversation, client }: Ends,
    onRead: () => void,
  ): Promise<boolean> {
    let isResumable = false;
    const back = createBack(reached);
    for await (const event of readEvents(response, mostBytes, onRead)) {
      const shown = await conversation.shown(event, back.send);
      await back.wait();
      // Events that are left of a stream that was broken off.
      if (response.errored) throw response.errored;
      if (shown === null) continue;
      const { id } = shown;
      isResumable ||= id !== undefined && reached.session !== null;
      await client.event({
        ...shown,
        ...(id !== undefined && { id: mcpServers.nameOfId(reached.owner, id) }),
      });
    }
    return isResumable;
  }

  /** Ends with an error in place of the server's missing response. The error of a request is evaluated like a response. */
  async function fail(id: Id | undefined, { conversation, client }: Ends, status: number, reason: string) {
    if (id === undefined) return client.refuse(status, reason, rpcCodes.internal);
    const shown = await conversation.proxy.receive(
      'server',
      errorText(id, rpcCodes.internal, reason),
      nothing,
    );
    // A client that gets 502 would take the whole connection for lost.
    client.end(status === 502 ? 200 : status, shown);
  }

  async function passStream(
    response: IncomingMessage,
    id: Id,
    forwarding: Forwarding,
    onRead: () => void,
  ): Promise<void> {
    const { conversation, client } = forwarding;
    if (await passEvents(response, forwarding, onRead)) return client.end(200, null);
    const lost = errorText(id, rpcCodes.internal, 'the server ended the stream without a response');
    // Null when the response has come.
    client.end(200, await conversation.proxy.receive('server', lost, nothing));
  }

  async function passMessage(response: IncomingMessage, id: Id | undefined, forwarding: Forwarding) {
    const { reached, conversation, client, request, reply } = forwarding;
    const status = response.statusCode ?? 502;
    const challenge = response.headers['www-authenticate'];
    if (reached.server.forwardsAuthorization && challenge !== undefined)
      reply.header('www-authenticate', oauth.challenge(request, reached.server, challenge));
    const body = await readText(response, 'the server', mostBytes);
    if (isHeavy(body)) return await fail(id, forwarding, 502, heavyMessage);
    if (id !== undefined && isResponseTo(body, id)) {
      const shown = await conversation.proxy.receive('server', body, nothing);
      if (shown !== null) return client.end(status, shown);
    }
    await fail(id, forwarding, passedStatus(status, reached), `the server responded with HTTP ${status}`);
  }

  return {
    send,
    passEvents,

    async forward(text, headers, forwarding) {
      const { reached, conversation, client, gone, reply } = forwarding;
      const { server, owner } = reached;
      const sent = JSON.parse(text) as { id?: Id; method?: string };
      const id = sent.method === undefined ? undefined : sent.id;
      const silence = new AbortController();
      const timer = setTimeout(() => silence.abort(), server.timeoutSeconds * 1_000);
      // A subscription may be silent for as long as it likes.
      const onRead = () => void (sent.method === 'subscriptions/listen' || timer.refresh());
      try {
        const signal = AbortSignal.any([gone, silence.signal, stopping]);
        const response = await post(reached, text, headers, signal);
        response.on('error', nothing);
        if (sent.method === 'subscriptions/listen') clearTimeout(timer);
        onRead();
        const opened = response.headers[sessionHeader];
        if (typeof opened === 'string' && sent.method === 'initialize') {
          conversations.keep(keyOf(owner, opened), server, conversation);
          reply.header(sessionHeader, mcpServers.nameOfId(owner, opened));
        }
        if (!isFine(response)) return await passMessage(response, id, forwarding);
        if (id === undefined) {
          discard(response);
          return client.end(202, null);
        }
        const isStream = response.headers['content-type']?.startsWith('text/event-stream');
        return isStream
          ? await passStream(response, id, forwarding, onRead)
          : await passMessage(response, id, forwarding);
      } catch (error) {
        // Nobody is left to tell.
        if (gone.aborted) client.end(202, null);
        else await fail(id, forwarding, 502, reasonOf(error, silence.signal, server.timeoutSeconds));
      } finally {
        clearTimeout(timer);
      }
    },

    close: () => upstream.close(),
  };
}

/** Lets the connection be used again, unless the server goes on sending: nobody reads that. */
export function discard(response: IncomingMessage): void {
  let size = 0;
  const end = () => void response.destroy();
  const timer = setTimeout(end, longestUnreadMs).unref();
  response.on('data', ({ length }: Buffer) => {
    size += length;
    if (size > mostUnread) end();
  });
  response.on('error', nothing).once('close', () => clearTimeout(timer));
}

export const keyOf = (owner: string, session: string): string => `${owner} ${session}`;

const isFine = ({ statusCode = 502 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

function isResponseTo(body: string, id: Id): boolean {
  try {
    return (JSON.parse(body) as { id?: unknown } | null)?.id === id;
  } catch {
    return false;
  }
}

/** Statuses by which a client starts again: with a token, with another session, or without a stream. */
export function passedStatus(status: number, { server, session }: Reached): number {
  if (status === 401 || status === 403) return server.forwardsAuthorization ? status : 502;
  if (status === 404) return session === null ? 502 : 404;
  return status === 400 || status === 405 || status === 406 ? status : 502;
}

/** Quotes nothing that a server sent. */
export function reasonOf(error: unknown, silence: AbortSignal, seconds: number): string {
  if (silence.aborted) return `the server sent nothing for ${seconds} seconds`;
  if (error instanceof TypeError) return 'the server sent text that is not UTF-8';
  if (error instanceof EventTooLarge || error instanceof TooLongResponse)
    return `the server sent a message of more than ${mostBytes} bytes`;
  return `the server cannot be used: ${undeliveredFrom(error).message}`;
}
