import type { ServerOptions } from 'node:http';
import type { TlsContents, TlsFiles } from './tls.ts';

/** Fastify's types know only plain HTTP where a server may be either. */
export function serverOptions(tls: TlsFiles | null, contents: TlsContents | null): { http: ServerOptions } {
  // Node would answer without the envelope; `nameRequests` refuses in it.
  const http = { requireHostHeader: false, connectionsCheckingInterval: 1_000 };
  if (!contents) return { http };
  const asksClients = tls?.clientCa !== null;
  const https = { ...http, ...contents, requestCert: asksClients, rejectUnauthorized: asksClients };
  return { https } as unknown as { http: ServerOptions };
}
