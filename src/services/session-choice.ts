import { AppError } from '../errors.ts';
import { memberText } from '../json/member-text.ts';
import type { EvaluateRequest } from '../schemas/evaluations.ts';
import type { NewEvaluation, StoredIntegration } from '../store/store.ts';
import type { EvaluationSessions } from './evaluation-sessions.ts';
import { checkMetadata } from './session-metadata.ts';
import type { ParentOfNew } from './session-parents.ts';

/**
 * The session that an evaluation belongs to, unless it is that of a RESULT's action. `mcpName`: the session that MCP
 * calls share when they name none. `text`: the request as JSON.
 */
export function chooseSession(
  integration: StoredIntegration,
  request: EvaluateRequest,
  { mcpName, text, parent }: { mcpName: string | undefined; text: string; parent: ParentOfNew | null },
  sessions: EvaluationSessions,
): NewEvaluation['session'] {
  const { sessionId, externalSessionId } = request;
  if (sessionId !== undefined) {
    refuse(request, ['externalSessionId'], 'the session is named twice: leave out this or sessionId');
    refuse(request, ofNewSession, 'belongs to a new session, and sessionId names one that exists');
    return { id: sessionId.toLowerCase() };
  }
  if (externalSessionId !== undefined) {
    const open = sessions.prepare(integration.id, newSessionOf(request, text), parent);
    return { externalSessionId, entityId: open.entityId, open };
  }
  if (integration.settings.requireSession) {
    throw new AppError(
      'invalid',
      'this integration requires a session: send sessionId or externalSessionId',
      {
        path: '/sessionId',
      },
    );
  }
  if (mcpName === undefined && integration.kind === 'AGENT') {
    return { open: sessions.prepare(integration.id, newSessionOf(request, text), parent) };
  }
  refuse(request, ofNewSession, 'belongs to a session: send externalSessionId as well');
  return mcpName === undefined ? null : sessions.prepareNamed(integration.id, mcpName);
}

/** A RESULT belongs to the session of its action, and cannot say anything else. */
export function checkSessionOfResult(request: EvaluateRequest, externalSessionId: string | null): void {
  refuse(request, ofNewSession, 'the session of a RESULT is that of its action: leave it out');
  if (request.externalSessionId !== undefined && request.externalSessionId !== externalSessionId) {
    refuse(request, ['externalSessionId'], 'the session of a RESULT is that of its action: leave it out');
  }
}

/** The action is not decided: without its session, rules would not see what was done before. */
export const mayNotOpen = (): AppError =>
  new AppError(
    'forbidden',
    'this opens a session, which needs a key with the scope sessions:open: name a session that is ACTIVE by sessionId',
  );

export const otherEntity = (): AppError =>
  new AppError('conflict', 'the session of this externalSessionId belongs to another entity', {
    path: '/entityId',
  });

type Field = 'externalSessionId' | 'entityId' | 'metadata' | 'parentSessionId';
const ofNewSession: readonly Field[] = ['entityId', 'metadata', 'parentSessionId'];

function refuse(request: EvaluateRequest, fields: readonly Field[], message: string): void {
  const field = fields.find((name) => request[name] !== undefined);
  if (field !== undefined) throw new AppError('invalid', message, { path: `/${field}` });
}

function newSessionOf({ entityId, externalSessionId, metadata }: EvaluateRequest, text: string) {
  const request = {
    ...(entityId !== undefined && { entityId }),
    ...(externalSessionId !== undefined && { externalSessionId }),
  };
  if (metadata === undefined) return { request, metadata: '{}' };
  const given = memberText(text, 'metadata') ?? '{}';
  checkMetadata(given);
  return { request, metadata: given };
}
