import type { ServerOptions } from 'node:http';
import type { TlsContents, TlsFiles } from './tls.ts';

/**
 * For a whole request, its body included; Node looks for late ones every `connectionsCheckingInterval`. It exchanges the two
 * timeouts when the one for headers, 60 seconds by default, is the longer one, and would give bodies that long.
 */
export const arrivesWithin = {
  requestTimeout: 30_000,
  headersTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
};

/** Fastify's types know only plain HTTP where a server may be either. */
export function serverOptions(tls: TlsFiles | null, contents: TlsContents | null): { http: ServerOptions } {
  // Node would answer without the envelope; `nameRequests` refuses in it.
  const http = { requireHostHeader: false, ...arrivesWithin };
  if (!contents) return { http };
  const asksClients = tls?.clientCa !== null;
  const https = { ...http, ...contents, requestCert: asksClients, rejectUnauthorized: asksClients };
  return { https } as unknown as { http: ServerOptions };
}
