import type {
  CreatedEvaluationSession,
  EndedEvaluationSession,
  RecentAction,
} from '../schemas/evaluation-sessions.ts';
import type { ListedSession, NewSession, SessionAction, StoredSession } from '../store/store.ts';
import { widestFields } from './list-entries.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

/** Answers carry `metadata` as the very text that was sent: a parsed object would lose the order of keys like "10". */
export const withMetadata = (answer: object, metadata: string): string =>
  `${JSON.stringify(answer).slice(0, -1)},"metadata":${metadata}}`;

export const createdAnswer = (session: NewSession): Omit<CreatedEvaluationSession, 'metadata'> => ({
  id: session.id,
  status: 'ACTIVE',
  entityId: session.entityId,
  externalSessionId: session.externalSessionId,
  startedAt: isoTime(session.startedAt),
  expiresAt: isoTime(session.expiresAt),
});

const countersOf = (session: StoredSession) => ({
  actionCount: session.actionCount,
  dataTags: session.dataTags,
  toolsUsed: [...session.toolCounts.keys()],
});

export const endedAnswer = (session: StoredSession): EndedEvaluationSession => ({
  id: session.id,
  status: session.status,
  endedAt: isoTime(session.endedAt ?? 0),
  ...countersOf(session),
});

const commonAnswer = (session: StoredSession | ListedSession) => ({
  ...createdAnswer(session),
  status: session.status,
  endedAt: isoTimeOrNull(session.endedAt),
  actionCount: session.actionCount,
  dataTags: session.dataTags,
  warningCount: session.warningCount,
  blockCount: session.blockCount,
  reviewCount: session.reviewCount,
});

export const readAnswer = (session: StoredSession) => ({
  ...commonAnswer(session),
  toolsUsed: [...session.toolCounts.keys()],
  toolCounts: Object.fromEntries(session.toolCounts),
  attemptCounts: Object.fromEntries(session.attemptCounts),
});

/** Long names of tools give way first: their number says that there are more. */
export function listedText(session: ListedSession, most: number): string {
  const { toolsUsedTotal, metadata } = session;
  const answer = { ...commonAnswer(session), toolsUsed: session.toolsUsed, toolsUsedTotal };
  const widthOf = (text: string): number => Buffer.byteLength(text);
  const text = withMetadata(answer, metadata);
  if (widthOf(text) <= most) return text;
  const withoutTools = widthOf(withMetadata({ ...answer, toolsUsed: [] }, metadata));
  answer.toolsUsed = firstThatFit(session.toolsUsed, most - withoutTools);
  const widths = { metadata: widthOf(metadata), dataTags: widthOf(JSON.stringify(answer.dataTags)) };
  const omitted = widestFields(widths, widthOf(withMetadata(answer, metadata)), most);
  if (omitted.length === 0) return withMetadata(answer, metadata);
  const dataTags = omitted.includes('dataTags') ? [] : answer.dataTags;
  return withMetadata({ ...answer, dataTags, omitted }, omitted.includes('metadata') ? '{}' : metadata);
}

function firstThatFit(names: readonly string[], most: number): string[] {
  let left = most;
  const end = names.findIndex((name) => {
    left -= Buffer.byteLength(JSON.stringify(name)) + 1;
    return left < 0;
  });
  return end === -1 ? [...names] : names.slice(0, end);
}

export const actionAnswer = (action: SessionAction): RecentAction => ({
  ...action,
  dataTags: [...action.dataTags],
  tool: action.tool || null,
  at: isoTime(action.at),
});
