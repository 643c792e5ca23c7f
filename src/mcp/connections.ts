import type { IncomingHttpHeaders } from 'node:http';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import { AppError } from '../errors.ts';
import { assertScope } from '../features/integrations/service.ts';
import type { IntegrationCaller } from '../services/access/authentication.ts';
import type { Services } from '../services/services.ts';
import type { Message } from './message.ts';
import { connectionName, isUuid } from './session-names.ts';

// The older revisions have connections: the client of one sends an id that it got from its first request.

export const connectionHeader = 'mcp-session-id';

type Sessions = Services['sessions'];

/** Opens the session of a connection where each has its own. Returns its id, which every later request sends. */
export async function openConnection(
  { integration, key }: IntegrationCaller,
  { modern, body }: Message,
  sessions: Sessions,
  identityToken: string | null,
): Promise<string | null> {
  const { settings } = integration;
  if (modern || settings.sessionScope !== 'connection' || !isInitializeRequest(body)) return null;
  assertScope(key.scopes, 'sessions:open');
  const externalSessionId = connectionName(body.params.clientInfo.name);
  const { data } = await sessions.create(integration, { externalSessionId }, null, null, {
    endsWhenIdle: true,
    identityToken,
  });
  return data.id;
}

/** The session in the header of a request of the older revisions; null when there is none. Throws for one that is not live. */
export async function connectionSession(
  integrationId: string,
  headers: IncomingHttpHeaders,
  { modern, body }: Message,
  sessions: Sessions,
): Promise<string | null> {
  if (modern) return null;
  const id = headers[connectionHeader];
  if (id === undefined || isInitializeRequest(body)) return null;
  // 404 makes a client connect again. The response is the same for another's session, an ended one and an unknown one.
  if (!isUuid(id) || !(await sessions.isActive(integrationId, id))) throw noSession();
  return id.toLowerCase();
}

/** Ends the session of a connection that its client closes. Throws for one that is not live. */
export async function closeConnection(
  integrationId: string,
  id: string | string[],
  sessions: Sessions,
): Promise<void> {
  if (!isUuid(id)) throw noSession();
  await sessions.end(integrationId, id, 'COMPLETED', null).catch((error: unknown) => {
    // The protocol has one response for an ended session and an unknown one.
    throw error instanceof AppError && error.code === 'conflict' ? noSession() : error;
  });
}

const noSession = (): AppError => new AppError('not_found', 'session not found');
