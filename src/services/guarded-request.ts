import { once } from 'node:events';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { Agent as AgentHttps, request as requestHttps } from 'node:https';
import { createAddressPolicy } from './callbacks/address-policy.ts';
import { guardedLookup } from './callbacks/guarded-lookup.ts';
import { Agent as AgentHttp, request as requestHttp } from './node-http.ts';

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
export function createGuardedRequester(allow: readonly string[]): GuardedRequester {
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
