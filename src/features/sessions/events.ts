import { isoTime } from '../../services/times.ts';
import type { NewEvent, NewSession, StoredSession } from '../../store/store.ts';

export const sessionOpened = (session: NewSession, newId: () => string): NewEvent => ({
  id: newId(),
  type: 'session.opened',
  at: session.startedAt,
  integrationId: session.integrationId,
  subject: `evaluation-sessions/${session.id}`,
  data: JSON.stringify({
    sessionId: session.id,
    integrationId: session.integrationId,
    entityId: session.entityId,
    startedAt: isoTime(session.startedAt),
    expiresAt: isoTime(session.expiresAt),
  }),
});

export const sessionEnded = (session: StoredSession, at: number, newId: () => string): NewEvent => ({
  id: newId(),
  type: 'session.ended',
  at,
  integrationId: session.integrationId,
  subject: `evaluation-sessions/${session.id}`,
  data: JSON.stringify({
    sessionId: session.id,
    integrationId: session.integrationId,
    entityId: session.entityId,
    status: session.status,
    startedAt: isoTime(session.startedAt),
    endedAt: isoTime(at),
    actionCount: session.actionCount,
    warningCount: session.warningCount,
    blockCount: session.blockCount,
    reviewCount: session.reviewCount,
    rejectionCount: session.rejectionCount,
    dataTags: session.dataTags,
  }),
});
