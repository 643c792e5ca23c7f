import type { FastifyRequest } from 'fastify';
import type { McpServers } from '../../features/mcp-servers/service.ts';
import { createAddressPolicy } from '../../services/callbacks/address-policy.ts';
import { fetchJson } from '../../services/node-http.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The OAuth of a server, for its clients: metadata (RFC 9728) that names the proxy as the resource, and the server's own authorization
 * servers, which clients talk to themselves.
 */
export interface ProxiedOauth {
  /** The metadata of a server; null for one that passes no OAuth through, or does not exist. */
  metadata(request: FastifyRequest, name: string): Promise<Json | null>;
  /** The challenge of a server in the words of the proxy. */
  challenge(request: FastifyRequest, server: { name: string; url: string }, header: string): string;
}

const prefix = '/.well-known/oauth-protected-resource';
/** Anybody may ask for metadata: servers are not asked each time. */
const freshMs = 30_000;

export function createProxiedOauth(
  mcpServers: McpServers,
  { callbackAllow, publicUrl }: { callbackAllow: readonly string[]; publicUrl: string | null },
): ProxiedOauth {
  const policy = createAddressPolicy(callbackAllow);
  const fetched = new Map<string, { at: number; document: Promise<Json | null> }>();
  /** Where servers say that their metadata is, by their address. */
  const told = new Map<string, string>();

  const base = (request: FastifyRequest): string =>
    (publicUrl ?? `${request.protocol}://${request.host}`).replace(/\/+$/, '');
  const path = (name: string): string => `/v1/mcp-proxy/${name}`;

  async function fetchMetadata(address: string): Promise<Json | null> {
    const url = new URL(address);
    const known = [told.get(address), `${url.origin}${prefix}${url.pathname}`, `${url.origin}${prefix}`];
    for (const place of known) {
      const document = place === undefined ? null : await fetchJson(place, policy).catch(() => null);
      if (document !== null) return document;
    }
    return null;
  }

  return {
    async metadata(request, name) {
      const server = await mcpServers.findOauth(name);
      if (server === null) return null;
      const { url } = server;
      const now = performance.now();
      let known = fetched.get(url);
      if (!known || now - known.at > freshMs) {
        known = { at: now, document: fetchMetadata(url) };
        fetched.set(url, known);
      }
      const document = await known.document;
      if (document === null) fetched.delete(url);
      // Before revision 2025-06-18 a server was its own authorization server.
      const { signed_metadata: _, ...rest } = document ?? { authorization_servers: [new URL(url).origin] };
      return { ...rest, resource: `${base(request)}${path(name)}` };
    },

    challenge(request, { name, url }, header) {
      const metadata = /resource_metadata="([^"]*)"/i.exec(header)?.[1];
      if (metadata !== undefined && URL.parse(metadata)?.origin === new URL(url).origin)
        told.set(url, metadata);
      const ours = `resource_metadata="${base(request)}${prefix}${path(name)}"`;
      if (metadata !== undefined) return header.replace(/resource_metadata="[^"]*"/gi, () => ours);
      if (!/^bearer\b/i.test(header)) return header;
      return /^bearer\s*$/i.test(header) ? `Bearer ${ours}` : `${header}, ${ours}`;
    },
  };
}
