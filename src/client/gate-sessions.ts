import type { EvaluateRequest } from '../schemas/evaluations.ts';
import type { AssizeClient } from './client.ts';
import { createGateHistory, type GateHistory, retried } from './gate-history.ts';

/**
 * The session of a conversation: by its id, or by the name that the program has for it. Of one that is opened, whom it is about
 * (`entityId`), for a sub-agent the session of the agent that delegates (`parentSessionId`), and the ended session that it
 * continues (`previousSessionId`).
 */
export type GateSession = Pick<
  EvaluateRequest,
  'sessionId' | 'externalSessionId' | 'parentSessionId' | 'previousSessionId' | 'entityId'
>;

export interface OpenGateSession {
  /** The fields of an evaluation that name it. Opens the session of a gate that was given none. */
  named(): Promise<GateSession>;
  history: GateHistory;
  /** The session that an evaluation was recorded in. */
  noticed(sessionId: string | null): void;
}

/** Conversations whose history is kept at a time: that of another one is read from the service again. */
const mostSessions = 1_000;

/** Finds what is known of a conversation, and keeps it for the later calls of the same gate. */
export function createGateSessions(client: AssizeClient): (session: GateSession) => OpenGateSession {
  const open = new Map<string, OpenGateSession>();

  return (session) => {
    const { sessionId, externalSessionId, parentSessionId, previousSessionId, entityId } = session;
    const key = JSON.stringify([sessionId, externalSessionId, parentSessionId, previousSessionId, entityId]);
    const known = open.get(key) ?? openSession(client, session, () => open.delete(key));
    // Last used, last dropped.
    open.delete(key);
    open.set(key, known);
    for (const oldest of open.keys()) {
      if (open.size <= mostSessions) break;
      open.delete(oldest);
    }
    return known;
  };
}

/** `renewed`: another session has the name now, and knows nothing of what this one let through. */
function openSession(client: AssizeClient, session: GateSession, renewed: () => void): OpenGateSession {
  const { sessionId, externalSessionId, parentSessionId, previousSessionId, entityId } = session;
  const opened = {
    ...(parentSessionId && { parentSessionId }),
    ...(previousSessionId && { previousSessionId }),
    ...(entityId && { entityId }),
  };
  if (sessionId !== undefined) {
    const history = createGateHistory(client, async () => sessionId);
    return { named: async () => ({ sessionId }), history, noticed() {} };
  }
  if (externalSessionId !== undefined) {
    let current: string | null = null;
    const newest = async () => {
      const { data } = await client.sessions.list({ externalSessionId, status: 'ACTIVE', size: 1 });
      current = data[0]?.id ?? null;
      return current;
    };
    return {
      named: async () => ({ externalSessionId, ...opened }),
      history: createGateHistory(client, newest),
      noticed(id) {
        if (current !== null && current !== id) renewed();
        current = id;
      },
    };
  }
  // A session that could not be created is created by the next call.
  const own = retried(async () => ({ sessionId: (await client.sessions.create(opened)).id }));
  return { named: own, history: createGateHistory(client, async () => null), noticed() {} };
}
