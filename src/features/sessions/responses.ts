import { rootIdOf } from '../../evaluate/session-places.ts';
import type { OpenGrant, SessionGrant } from '../../schemas/grants.ts';
import { widestFields } from '../../services/list-entries.ts';
import { isoTime, isoTimeOrNull } from '../../services/times.ts';
import type { ListedSession, NewSession, SessionAction, StoredSession } from '../../store/store.ts';
import type { CreatedEvaluationSession, EndedEvaluationSession, RecentAction } from './schema.ts';

/** Responses carry `metadata` as the very text that was sent: a parsed object would lose the order of keys like "10". */
export const withMetadata = (response: object, metadata: string): string =>
  `${JSON.stringify(response).slice(0, -1)},"metadata":${metadata}}`;

export const createdResponse = (session: NewSession): Omit<CreatedEvaluationSession, 'metadata'> => ({
  id: session.id,
  status: 'ACTIVE',
  entityId: session.entityId,
  externalSessionId: session.externalSessionId,
  parentSessionId: session.place?.parentId ?? null,
  rootSessionId: rootIdOf(session),
  depth: session.place?.depth ?? 0,
  previousSessionId: session.place?.previousId ?? null,
  startedAt: isoTime(session.startedAt),
  expiresAt: isoTime(session.expiresAt),
});

const countersOf = (session: StoredSession) => ({
  actionCount: session.actionCount,
  dataTags: session.dataTags,
  toolsUsed: [...session.toolCounts.keys()],
});

export const endedResponse = (session: StoredSession): EndedEvaluationSession => ({
  id: session.id,
  status: session.status,
  endedAt: isoTime(session.endedAt ?? 0),
  ...countersOf(session),
});

const commonResponse = (session: StoredSession | ListedSession) => ({
  ...createdResponse(session),
  integrationId: session.integrationId,
  status: session.status,
  endedAt: isoTimeOrNull(session.endedAt),
  actionCount: session.actionCount,
  dataTags: session.dataTags,
  labels: session.labels,
  warningCount: session.warningCount,
  blockCount: session.blockCount,
  reviewCount: session.reviewCount,
  rejectionCount: session.rejectionCount,
});

export const readResponse = (session: StoredSession) => ({
  ...commonResponse(session),
  toolsUsed: [...session.toolCounts.keys()],
  toolCounts: Object.fromEntries(session.toolCounts),
  attemptCounts: Object.fromEntries(session.attemptCounts),
});

/** Long names of tools give way first: their number says that there are more. */
export function listedText(session: ListedSession, most: number): string {
  const { toolsUsedTotal, metadata } = session;
  const response = { ...commonResponse(session), toolsUsed: session.toolsUsed, toolsUsedTotal };
  const widthOf = (text: string): number => Buffer.byteLength(text);
  const text = withMetadata(response, metadata);
  if (widthOf(text) <= most) return text;
  const withoutTools = widthOf(withMetadata({ ...response, toolsUsed: [] }, metadata));
  response.toolsUsed = firstThatFit(session.toolsUsed, most - withoutTools);
  const widths = { metadata: widthOf(metadata), dataTags: widthOf(JSON.stringify(response.dataTags)) };
  const omitted = widestFields(widths, widthOf(withMetadata(response, metadata)), most);
  if (omitted.length === 0) return withMetadata(response, metadata);
  const dataTags = omitted.includes('dataTags') ? [] : response.dataTags;
  return withMetadata({ ...response, dataTags, omitted }, omitted.includes('metadata') ? '{}' : metadata);
}

function firstThatFit(names: readonly string[], most: number): string[] {
  let left = most;
  const end = names.findIndex((name) => {
    left -= Buffer.byteLength(JSON.stringify(name)) + 1;
    return left < 0;
  });
  return end === -1 ? [...names] : names.slice(0, end);
}

export const grantResponse = (grant: OpenGrant): SessionGrant => ({
  id: grant.id,
  reviewRequestId: grant.reviewRequestId,
  policyId: grant.policyId,
  ruleId: grant.ruleId,
  tool: grant.tool || null,
  usesLeft: grant.usesLeft,
  expiresAt: isoTimeOrNull(grant.expiresAt),
});

export const actionResponse = (action: SessionAction): RecentAction => ({
  ...action,
  dataTags: [...action.dataTags],
  rules: [...action.rules],
  reasons: [...action.reasons],
  labels: [...action.labels],
  tool: action.tool || null,
  at: isoTime(action.at),
});
