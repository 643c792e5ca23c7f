import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector as BuildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.ts';
import { Undelivered } from './undelivered.ts';

export interface GuardedConnectOptions {
  /** Of undici, which is loaded only for the first callback. */
  buildConnector: typeof BuildConnector;
  policy: AddressPolicy;
  /** For one connection, TLS included. */
  timeoutMs: number;
  /** Name resolution; the system's when absent. */
  lookup?: LookupFunction;
}

/**
 * Opens sockets for undici, to allowed addresses only. The check stands inside the name resolution of the dial itself,
 * so the address that was checked is the one that is dialled: checking first and dialling the name later would let a
 * name server answer twice (DNS rebinding).
 */
export function createGuardedConnect({
  buildConnector,
  policy,
  timeoutMs,
  lookup = resolve,
}: GuardedConnectOptions): BuildConnector.connector {
  return (target, callback) => {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    const check = (address: string) => {
      const kind = policy.refusal(target.hostname, port, address);
      return kind === null ? null : new Undelivered(`address refused: ${kind}`);
    };

    // node:net asks no resolver for an IP, so the guard below would never see it.
    const refused = isIP(target.hostname) === 0 ? null : check(target.hostname);
    if (refused !== null) return callback(refused, null);

    const guarded: LookupFunction = (host, options, answer) =>
      lookup(host, { ...options, all: true }, (error, found) => {
        if (error !== null) return answer(error, []);
        const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
        // One bad address refuses the name: a mixed answer is how a private address is smuggled into a retry.
        const refusals = addresses.flatMap(({ address }) => check(address) ?? []);
        answer(refusals[0] ?? null, addresses);
      });
    // With family selection on, node:net takes the whole list, and dials what is in it and nothing else.
    buildConnector({ timeout: timeoutMs, lookup: guarded, autoSelectFamily: true })(target, callback);
  };
}
