import { noQuotas, noReviewLimits } from '../../src/evaluate/quotas.ts';
import { defaultIntegrationSettings } from '../../src/features/integrations/schema.ts';
import { keyScopes } from '../../src/features/integrations/words.ts';
import { plainTerms } from '../../src/schemas/review-terms.ts';
import type {
  Idempotency,
  NewEvaluation,
  NewKey,
  NewReview,
  NewSession,
  SessionContext,
  Store,
  Verdict,
} from '../../src/store/store.ts';

let count = 0;
/** UUIDs that are never the same twice. */
export const newId = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
export const newHash = (): string => String(++count).padStart(64, 'a');
/** The moment at which everything in these tests begins; milliseconds. */
export const start = 1_900_000_000_000;

export const key = (more: Partial<NewKey> = {}): NewKey => ({
  id: newId(),
  name: 'key',
  lastFour: 'wxyz',
  scopes: keyScopes,
  keyHash: newHash(),
  keyPrefix: 'asz_live_abcd',
  expiresAt: null,
  issuedBy: null,
  ...more,
});

export async function createIntegration(store: Store, more: object = {}, stored = key()) {
  const integration = await store.integrations.create(
    {
      id: newId(),
      name: 'n',
      kind: 'AGENT',
      description: null,
      settings: { ...defaultIntegrationSettings, ...noQuotas },
      webhookSecret: 'whsec_x',
      createdAt: start,
      ...more,
    },
    stored,
  );
  return { ...integration, keyHash: stored.keyHash };
}

export const document = (text: string, name = 'p') => ({
  name,
  mediaType: 'application/yaml' as const,
  document: text,
  author: null as string | null,
  note: null as string | null,
  lists: [] as string[],
});

export const session = (integrationId: string, more: Partial<NewSession> = {}): NewSession => {
  const id = newId();
  return {
    id,
    integrationId,
    entityId: null,
    externalSessionId: id,
    metadata: '{}',
    startedAt: start,
    expiresAt: start + 1_000,
    place: null,
    ...more,
  };
};

export const evaluation = (integrationId: string, more: Partial<NewEvaluation> = {}): NewEvaluation => ({
  id: newId(),
  integrationId,
  session: null,
  mayOpen: true,
  quotas: noQuotas,
  reviewLimits: noReviewLimits,
  at: start,
  transport: 'REST',
  phase: 'ACTION',
  resultOf: null,
  actionLabels: [],
  resultStatus: null,
  cost: null,
  identity: null,
  provenEntityId: null,
  toolNames: { most: 256, mentioned: new Set() },
  needs: { recentActions: true, pendingReview: true, counters: [], repeats: false, sightings: true },
  contentHash: () => '',
  salt: '',
  inputHash: () => '',
  rejectionHash: more.inputHash ?? (() => ''),
  tool: 'x',
  targetKey: null,
  targetMetadata: null,
  correlationId: null,
  traceId: null,
  dataTags: [],
  detections: null,
  input: null,
  policySet: { key: '', members: [], terms: [] },
  revision: 0,
  delegators: [],
  reviewRequestId: null,
  idempotency: null,
  ...more,
});

/** Of what decides for an integration now. */
export async function revisionOf(store: Store, integrationId: string): Promise<number> {
  const inForce = await store.policies.findInForce(integrationId);
  if (!inForce) throw new Error('there is no such integration');
  return inForce.revision;
}

export const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  outcome: 'ALLOW',
  enforcementAction: 'ALLOW',
  severity: null,
  enforcedSeverity: null,
  violations: [],
  labels: [],
  monitoredLabels: [],
  repeats: null,
  review: null,
  heldAgain: null,
  consumesReview: false,
  usesGrants: [],
  reviewRequestId: null,
  fullQueue: null,
  events: [],
  counterWrites: [],
  sightings: { writes: [], isFull: false },
  response: '{}',
  tookUs: null,
  ...more,
});

export const review = (more: Partial<NewReview> = {}): NewReview => ({
  id: newId(),
  inputHash: more.inputHash ?? newHash(),
  rejectionHash: more.inputHash ?? newHash(),
  rejectionCounts: null,
  expiresAt: start + 900_000,
  expirySeconds: 900,
  endsWithSession: false,
  callbackUrl: null,
  shownTool: 'shown',
  terms: plainTerms,
  grants: [],
  content: {
    input: null,
    targetKey: null,
    targetMetadata: null,
    callbackUrl: more.callbackUrl ?? null,
    isMasked: false,
  },
  ...more,
});

/** Opens a review and answers its id. */
export async function openReview(
  store: Store,
  integrationId: string,
  more: Partial<NewReview> = {},
  evaluated: Partial<NewEvaluation> = {},
): Promise<string> {
  const opened = review(more);
  const held = verdict({ enforcementAction: 'APPROVAL_REQUIRED', outcome: 'DENY', review: opened });
  await store.evaluations.record(evaluation(integrationId, evaluated), () => ({
    ...held,
    reviewRequestId: opened.id,
  }));
  return opened.id;
}

/** What a session's next action sees, copied while it may be touched. */
export async function contextOf(store: Store, integrationId: string, id: string): Promise<SessionContext> {
  let seen: SessionContext | undefined;
  await store.evaluations.record(evaluation(integrationId, { session: { id } }), (context) => {
    const { actionCount, warningCount, blockCount, reviewCount, rejectionCount } = context;
    const { metadata, entityId, startedAt } = context;
    const { dataTags, toolCounts, attemptCounts, recentActions } = context;
    seen = {
      ...{
        id: context.id,
        rootId: context.rootId,
        parentId: context.parentId,
        depth: context.depth,
        tree: context.tree,
        actionCount,
        warningCount,
        blockCount,
        reviewCount,
        rejectionCount,
        metadata,
        entityId,
        startedAt,
      },
      dataTags: [...dataTags],
      labels: [...context.labels],
      monitoredLabels: [...context.monitoredLabels],
      toolCounts: new Map(toolCounts),
      attemptCounts: new Map(attemptCounts),
      recentActions: [...recentActions],
    };
    return verdict();
  });
  if (!seen) throw new Error('nothing was decided');
  return seen;
}

export const once = (more: Partial<Idempotency> = {}): Idempotency => ({
  key: 'k',
  requestHash: 'h',
  notBefore: start - 86_400_000,
  blocksAll: false,
  ...more,
});
