import { once } from 'node:events';
import type { RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { type AddressPolicy, guardedLookup } from './callbacks/address-policy.ts';

/**
 * The used part of `node:http`. An `import` of it reads all of its exports, and one of them (`WebSocket`) loads undici: 14 MB
 * of memory, and a quarter of the time of a start.
 */
export const { Agent, request } = process.getBuiltinModule('node:http');

export class TooLongResponse extends Error {}

/** All of a response as text. Rejects, naming `who` sent it, when it has more than `most` bytes. */
export async function readText(response: Readable, who: string, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new TooLongResponse(`${who} answered too much`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const timeoutMs = 5_000;
/** Key sets of large providers have 20 KB. */
const responseLimitBytes = 262_144;

/**
 * Reads a JSON document of an issuer. Only addresses that `policy` allows are dialled, redirects are not followed, proxies of the
 * environment are ignored: see the callback sender. Rejects for anything but a 200 with a JSON object, in 5 seconds, of 256 KB at most.
 */
export async function fetchJson(address: string, policy: AddressPolicy): Promise<Record<string, unknown>> {
  const url = new URL(address);
  const dial: RequestOptions & { autoSelectFamily: boolean } = {
    headers: { accept: 'application/json', 'user-agent': 'assize' },
    agent: false,
    lookup: guardedLookup(url, policy),
    autoSelectFamily: true,
    signal: AbortSignal.timeout(timeoutMs),
  };
  const outgoing = (url.protocol === 'https:' ? requestHttps : request)(url, dial);
  outgoing.on('error', () => undefined); // `once` tells the first; none after it may throw
  try {
    outgoing.end();
    const [response] = await once(outgoing, 'response');
    if (response.statusCode !== 200) throw new Error(`${url.host} answered ${response.statusCode}`);
    const value: unknown = JSON.parse(await readText(response, url.host, responseLimitBytes));
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Error(`${url.host} answered no JSON object`);
    return value as Record<string, unknown>;
  } finally {
    outgoing.destroy();
  }
}
