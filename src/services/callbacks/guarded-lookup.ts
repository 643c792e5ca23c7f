import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.ts';

/**
 * Name resolution for one dial, to allowed addresses only. The check stands inside the resolution that the dial itself
 * asks for, so the address that was checked is the one that is dialled: checking first and dialling the name later would
 * let a name server answer twice (DNS rebinding). Throws `Undelivered` when the URL names an address that is refused.
 */
export function guardedLookup(
  url: URL,
  policy: AddressPolicy,
  lookup: LookupFunction = resolve,
): LookupFunction {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const check = (address: string) => {
    const kind = policy.refusal(host, port, address);
    return kind === null ? null : new Undelivered(`address refused: ${kind}`);
  };

  // node:net asks no resolver for an IP, so the guard below would never see it.
  const refused = isIP(host) === 0 ? null : check(host);
  if (refused !== null) throw refused;

  return (name, options, response) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return response(error, []);
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      // One bad address refuses the name: a mixed response is how a private address is smuggled into a retry.
      const refusals = addresses.flatMap(({ address }) => check(address) ?? []);
      response(refusals[0] ?? null, addresses);
    });
}

/** Why a delivery failed. `message` is safe to store and show: it holds no content, header or address. */
export class Undelivered extends Error {
  /** True when trying again cannot help. */
  readonly permanent: boolean;

  constructor(message: string, options: { permanent?: boolean } = {}) {
    super(message);
    this.name = 'Undelivered';
    this.permanent = options.permanent ?? false;
  }
}

/** Keeps only the code of other errors (ECONNREFUSED, ERR_TLS_…): their messages may quote what the receiver sent. */
export function undeliveredFrom(error: unknown): Undelivered {
  if (error instanceof Undelivered) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code);
  return new Undelivered(isCode ? `connection failed: ${code}` : 'connection failed');
}
