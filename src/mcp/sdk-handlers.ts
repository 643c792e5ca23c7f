import { createMcpHandler, type McpHttpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { PendingCall, Servers } from './server.ts';

/** The SDK requires a URL but does not use it. */
const anyUrl = 'http://mcp.invalid/';

export interface SdkHandlers {
  /** Hands the message to the SDK. An aborted signal cancels the call. */
  fetch(
    request: FastifyRequest,
    body: Record<string, unknown>,
    pending: PendingCall,
    signal: AbortSignal | null,
  ): Promise<Response>;
  /** Ends every open stream. */
  close(): Promise<void>;
}

/** One handler per integration, because a notification reaches all streams of a handler. */
export function createSdkHandlers({ serverOf }: Servers): SdkHandlers {
  const handlers = new Map<string, McpHttpHandler>();
  const factory = ({ authInfo }: McpRequestContext) => serverOf(authInfo?.extra?.pending as PendingCall);

  function handlerOf(integrationId: string): McpHttpHandler {
    let handler = handlers.get(integrationId);
    if (!handler) {
      handler = createMcpHandler(factory);
      handlers.set(integrationId, handler);
    }
    return handler;
  }

  return {
    fetch(request, body, pending, signal) {
      const { id } = pending.caller.integration;
      return handlerOf(id).fetch(webRequest(request, signal), {
        parsedBody: body,
        authInfo: { token: '', clientId: id, scopes: [], extra: { pending } },
      });
    },
    async close() {
      await Promise.all([...handlers.values()].map((handler) => handler.close()));
    },
  };
}

/** Contains only the headers that the SDK reads, so that the key cannot leak from there. */
function webRequest({ headers }: FastifyRequest, signal: AbortSignal | null): Request {
  const kept = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || name === 'accept' || name.startsWith('mcp-'),
  ) as [string, string][];
  const request = new Request(anyUrl, { method: 'POST', headers: kept });
  // The constructor would create a second signal that follows this one, with a listener and a finalizer for each stream.
  return signal === null ? request : Object.defineProperty(request, 'signal', { value: signal });
}
