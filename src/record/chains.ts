import { originHash } from './entries.ts';

// Chains by name, and what their first entry follows.

export const managementChain = 'management';
export const sessionChain = (sessionId: string): string => `session:${sessionId}`;
/** The chain of evaluations without a session. */
export const integrationChain = (integrationId: string): string => `integration:${integrationId}`;

/** The unchanging facts of a session, committed to by the first entry of its chain. */
export interface SessionOrigin {
  chain: string;
  integrationId: string;
  entityId: string | null;
  externalSessionId: string;
  startedAt: string;
  /** JSON text, as it was given. */
  metadata: string;
}

export interface PlainOrigin {
  chain: string;
}

export type ChainOrigin = SessionOrigin | PlainOrigin;

export const sessionOrigin = (session: {
  id: string;
  integrationId: string;
  entityId: string | null;
  externalSessionId: string;
  startedAt: number;
  metadata: string;
}): SessionOrigin => ({
  chain: sessionChain(session.id),
  integrationId: session.integrationId,
  entityId: session.entityId,
  externalSessionId: session.externalSessionId,
  startedAt: new Date(session.startedAt).toISOString(),
  metadata: session.metadata,
});

export const hashOfOrigin = (origin: ChainOrigin): string => originHash(origin);
