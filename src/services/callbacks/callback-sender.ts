import { once } from 'node:events';
import type { RequestOptions } from 'node:http';
import { Agent as AgentHttps, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { Agent as AgentHttp, request as requestHttp } from '../node-http.ts';
import {
  createAddressPolicy,
  guardedLookup,
  readReceiverUrl,
  receiverUrlRule,
  Undelivered,
  undeliveredFrom,
} from './address-policy.ts';

export interface CallbackSenderOptions {
  /** The addresses that the operator opened beside public ones; see `createAddressPolicy`. */
  allow: readonly string[];
  /** For one whole delivery, from the name look-up to the end of the response. Default 10 s. */
  timeoutMs?: number;
  /**
   * How long a connection is kept for the next delivery to its host and port, in milliseconds; default 0. It goes where its own
   * check allowed, however the name is resolved since.
   */
  keepAliveMs?: number;
  /** Milliseconds since the epoch, for the signature. */
  now: () => number;
  /** Name resolution; the system's when absent. */
  lookup?: LookupFunction;
}

export interface Callback {
  /** The same for every attempt, so that the receiver can drop a repeat. */
  id: string;
  url: string;
  /** Each `whsec_` and the key in base64; it is signed with every one of them. Unsigned without any. */
  secrets: readonly string[];
  /** Signed and sent as it stands. */
  body: string;
  /** JSON when absent. */
  contentType?: string;
}

export type Delivery =
  | { delivered: true; status: number }
  /** `reason` holds nothing of the body or the response. `permanent`: another attempt cannot help. */
  | { delivered: false; status?: number; reason: string; permanent: boolean };

export interface CallbackSender {
  /** One attempt; never throws. Delivered means a 2xx response. Redirects are never followed. */
  send(callback: Callback): Promise<Delivery>;
  /** Aborts the attempts in progress (they count as failed and are retried) and refuses new ones. */
  close(): Promise<void>;
}

/** Only the status is used: a longer response is not read to its end. */
const responseLimitBytes = 65_536;

/**
 * Throws when an entry of `allow` is invalid. Ignores proxies of the environment: a proxy would connect to addresses that
 * nobody checked. Node's own client, because any that keeps its parser in WebAssembly slows the detectors (ADR 0019).
 */
export function createCallbackSender({
  allow,
  timeoutMs = 10_000,
  keepAliveMs = 0,
  now,
  lookup,
}: CallbackSenderOptions): CallbackSender {
  const policy = createAddressPolicy(allow);
  const inProgress = new Map<AbortController, Promise<Delivery>>();
  const kept = { keepAlive: true, timeout: keepAliveMs, maxFreeSockets: 4 };
  const agents = keepAliveMs === 0 ? null : { http: new AgentHttp(kept), https: new AgentHttps(kept) };
  let closed = false;

  async function deliver(callback: Callback, signal: AbortSignal): Promise<Delivery> {
    const url = readTarget(callback.url);
    const agent = agents?.[url.protocol === 'https:' ? 'https' : 'http'] ?? false;
    try {
      return await post(callback, url, signal, agent);
    } catch (error) {
      if (!(error instanceof ConnectionEnded)) throw error;
      return post(callback, url, signal, false);
    }
  }

  async function post(
    callback: Callback,
    url: URL,
    signal: AbortSignal,
    agent: NonNullable<RequestOptions['agent']>,
  ): Promise<Delivery> {
    const headers = headersOf(callback, new Date(now()));
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    const dial: RequestOptions & { autoSelectFamily: boolean } = {
      method: 'POST',
      headers,
      // If there is no agent, each attempt has a connection of its own.
      agent,
      lookup: guardedLookup(url, policy, lookup),
      // With family selection on, node:net takes the whole list, and dials what is in it and nothing else.
      autoSelectFamily: true,
      signal,
    };
    const outgoing = request(url, dial).on('error', () => undefined); // `once` tells the first; none after it may throw
    try {
      outgoing.end(callback.body);
      const [response] = await once(outgoing, 'response');
      // The status is known; a response that is too long or too slow changes nothing.
      await pass(response, responseLimitBytes).catch(() => undefined);
      return deliveryOf(response.statusCode);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw outgoing.reusedSocket ? new ConnectionEnded('', { cause: error }) : error;
    } finally {
      outgoing.destroy();
    }
  }

  return {
    async send(callback) {
      if (closed) return failed(new Undelivered('stopping'));
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new Undelivered('no answer in time')), timeoutMs);
      const delivery = deliver(callback, abort.signal).catch((error: unknown) =>
        failed(undeliveredFrom(error)),
      );
      inProgress.set(abort, delivery);
      try {
        return await delivery;
      } finally {
        clearTimeout(timer);
        inProgress.delete(abort);
      }
    },
    async close() {
      closed = true;
      for (const abort of inProgress.keys()) abort.abort(new Undelivered('stopping'));
      await Promise.all(inProgress.values());
      agents?.http.destroy();
      agents?.https.destroy();
    },
  };
}

/** The receiver ended a kept connection, perhaps just as it was used again: another one may do. */
class ConnectionEnded extends Error {}

function readTarget(text: string): URL {
  const url = readReceiverUrl(text);
  if (url === null) throw new Undelivered(`the URL ${receiverUrlRule}`, { permanent: true });
  return url;
}

// The package takes a secret without its prefix and other alphabets too; then both sides would sign with different keys.
const wellFormedSecret = /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function headersOf(callback: Callback, at: Date): Record<string, string> {
  const { id, secrets, body, contentType = 'application/json' } = callback;
  if (!secrets.every((secret) => wellFormedSecret.test(secret))) {
    throw new Undelivered('the signing secret is malformed', { permanent: true });
  }
  return {
    'content-type': contentType,
    'user-agent': 'assize',
    ...(secrets.length > 0 && {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
    }),
  };
}

/** Lets a body go by up to a limit, and breaks it off there. */
async function pass(body: Readable, limitBytes: number): Promise<void> {
  let left = limitBytes;
  for await (const chunk of body) {
    left -= chunk.length;
    if (left < 0) return;
  }
}

function deliveryOf(status: number): Delivery {
  if (status >= 200 && status < 300) return { delivered: true, status };
  const reason = status >= 300 && status < 400 ? 'redirects are not followed' : 'refused by the receiver';
  // 410 is how a receiver says that it is gone for good (Standard Webhooks); any other refusal may pass.
  return { delivered: false, status, reason: `${reason}: ${status}`, permanent: status === 410 };
}

function failed(error: Undelivered): Delivery {
  return { delivered: false, reason: error.message, permanent: error.permanent };
}
