import { once } from 'node:events';
import type { RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { createAddressPolicy } from '../callbacks/address-policy.ts';
import { guardedLookup } from '../callbacks/guarded-lookup.ts';
import { nonPublicKind, readAddress } from '../callbacks/public-addresses.ts';
import { Agent as HttpAgent, readText, request as requestHttp } from '../node-http.ts';

/** A finding as the API has it: offsets count characters (code points), as Python does. */
export interface Entity {
  entityType: string;
  start: number;
  end: number;
}

/** Calls at once, for all requests; more wait, within the time limit of the request they are for. */
const mostCalls = 16;
/** The limit of one response: a text of 8,000 characters has few names. */
const responseLimitBytes = 1_048_576;
/** Below, the model is guessing. */
const scoreThreshold = 0.5;

export interface Analyzer {
  /** Rejects unless the service answered in the form that its API has. */
  analyze(text: string, signal: AbortSignal): Promise<readonly Entity[]>;
  close(): void;
}

/**
 * Calls `POST /analyze` of a Presidio Analyzer. Its host may be anywhere but at a metadata address: the operator names it.
 * Redirects are not followed. Node's own client: see the callback sender.
 */
export function createAnalyzer(base: string, language: string, entities: readonly string[]): Analyzer {
  const url = new URL(`${base.replace(/\/+$/, '')}/analyze`);
  const isSecure = url.protocol === 'https:';
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: mostCalls });
  const port = Number(url.port) || (isSecure ? 443 : 80);
  const policy = createAddressPolicy(isMetadata(url) ? [] : [`${url.hostname}:${port}`]);

  return {
    async analyze(text, signal) {
      const dial: RequestOptions = {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'assize' },
        agent,
        lookup: guardedLookup(url, policy),
        signal,
      };
      const request = isSecure ? requestHttps : requestHttp;
      const outgoing = request(url, dial).on('error', () => undefined); // `once` tells the first; none after it may throw
      outgoing.end(JSON.stringify({ text, language, entities, score_threshold: scoreThreshold }));
      const [response] = await once(outgoing, 'response');
      const body = await readText(response, 'the recogniser', responseLimitBytes);
      if (response.statusCode !== 200) throw new Error(`the recogniser answered ${response.statusCode}`);
      return readEntities(readJson(body));
    },
    close: () => agent.destroy(),
  };
}

/** Whether the URL names the address of a cloud's metadata itself: nothing opens that. */
function isMetadata({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && nonPublicKind(readAddress(host)) === 'metadata';
}

/** An error of the parser would quote what was answered, and with it the text. */
function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Error('the recogniser answered no JSON');
  }
}

function readEntities(value: unknown): readonly Entity[] {
  if (!Array.isArray(value)) throw new Error('the recogniser answered no list');
  return value.map((one: unknown) => {
    const { entity_type: entityType, start, end } = (one ?? {}) as Record<string, unknown>;
    const isEntity =
      typeof entityType === 'string' && Number.isSafeInteger(start) && Number.isSafeInteger(end);
    if (!isEntity || (start as number) < 0 || (end as number) <= (start as number))
      throw new Error('the recogniser answered something else than entities');
    return { entityType, start: start as number, end: end as number };
  });
}
