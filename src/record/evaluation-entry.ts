import { canonicalJson } from '../json/stringify.ts';
import { contentDigest, createEntryWriter, type EntryLink } from './entries.ts';

/** An evaluation as its entry covers it. Texts of JSON as they are kept. */
export interface RecordedEvaluationRow {
  id: string;
  integrationId: string;
  transport: string;
  phase: string;
  resultOf: string | null;
  resultStatus: string | null;
  /** JSON text of numbers by unit; null for none. */
  cost: string | null;
  /** JSON text of the identity that its token proved; null for none. */
  identity: string | null;
  tool: string;
  targetKey: string | null;
  correlationId: string | null;
  outcome: string;
  enforcementAction: string;
  severity: string | null;
  enforcedSeverity: string | null;
  /** JSON text; null for none. */
  violations: string | null;
  dataTags: string | null;
  /** Canonical JSON already: it may have 256 KB. */
  detections: string | null;
  labels: string | null;
  /** How often the action was attempted before; null when no policy asked. */
  repeats: number | null;
  /** JSON list: the ids of the grants that let it through; null for none. */
  grants: string | null;
  /** The policy versions that decided: `policyId:version`, joined by commas. */
  policies: string;
  /** SHA-256 of the terms that those decided by. */
  terms: string;
  reviewRequestId: string | null;
  createdAt: number;
  /** JSON text: the review that it named, as it found it; null when it named none. */
  namedReview: string | null;
  tookUs: number | null;
  traceId: string | null;
  /** Digests of the content, which may be deleted later. */
  content: ContentDigests;
}

export interface ContentDigests {
  input: string | null;
  targetMetadata: string | null;
  messages: string | null;
}

const write = createEntryWriter(
  [
    'at',
    'correlationId',
    'enforcedSeverity',
    'enforcementAction',
    'id',
    'input',
    'integrationId',
    'kind',
    'messages',
    'outcome',
    'phase',
    'policies',
    'repeats',
    'resultOf',
    'resultStatus',
    'reviewRequestId',
    'severity',
    'targetKey',
    'targetMetadata',
    'terms',
    'tookUs',
    'tool',
    'traceId',
    'transport',
  ],
  ['cost', 'dataTags', 'detections', 'grants', 'identity', 'labels', 'namedReview', 'violations'],
);

/** The canonical text of the entry of an evaluation: an action, a prompt or a result. */
export function evaluationEntry(link: EntryLink, row: RecordedEvaluationRow): string {
  return write(link, {
    kind: 'evaluation',
    at: isoTime(row.createdAt),
    id: row.id,
    integrationId: row.integrationId,
    transport: row.transport,
    phase: row.phase,
    resultOf: row.resultOf,
    resultStatus: row.resultStatus,
    cost: canonicalText(row.cost),
    identity: canonicalText(row.identity),
    tool: row.tool || null,
    targetKey: row.targetKey,
    correlationId: row.correlationId,
    outcome: row.outcome,
    enforcementAction: row.enforcementAction,
    severity: row.severity,
    enforcedSeverity: row.enforcedSeverity,
    violations: withoutMessages(row.violations),
    // Lists of texts, such as these, labels and grants, which JSON.stringify writes as the RFC asks.
    dataTags: row.dataTags,
    detections: row.detections,
    labels: row.labels,
    grants: row.grants,
    repeats: row.repeats,
    policies: row.policies,
    terms: row.terms,
    reviewRequestId: row.reviewRequestId,
    namedReview: canonicalText(row.namedReview),
    tookUs: row.tookUs,
    traceId: row.traceId,
    input: row.content.input,
    messages: row.content.messages,
    targetMetadata: row.content.targetMetadata,
  });
}

const canonicalText = (json: string | null): string | null =>
  json === null ? null : canonicalJson(JSON.parse(json));

/** Messages are rendered from content, and deleted with it: an entry has their digest. */
function withoutMessages(violations: string | null): string | null {
  if (violations === null) return null;
  const list = JSON.parse(violations) as { message: string }[];
  return canonicalJson(list.map(({ message: _, ...violation }) => violation));
}

/** JSON list of the messages of violations; null for none. */
export const messagesOf = (violations: readonly { message: string }[]): string | null =>
  violations.length === 0 ? null : JSON.stringify(violations.map(({ message }) => message));

const isoTime = (at: number): string => new Date(at).toISOString();

export const noContent: ContentDigests = { input: null, targetMetadata: null, messages: null };

/** The digests of the kept content. `inputDigest` is that of the input when it is known already: an input may have a megabyte. */
export const digestContent = (
  salt: string,
  { input, targetMetadata, messages }: ContentDigests,
  inputDigest: string | null = null,
): ContentDigests => ({
  input: input === null ? null : (inputDigest ?? contentDigest(salt, 'input', input)),
  targetMetadata: targetMetadata === null ? null : contentDigest(salt, 'targetMetadata', targetMetadata),
  messages: messages === null ? null : contentDigest(salt, 'messages', messages),
});
