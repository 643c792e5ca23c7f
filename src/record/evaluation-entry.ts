import { canonicalJson } from '../json/stringify.ts';
import { isoTime } from '../json/times.ts';
import { contentDigest, type EntryLink, quoted } from './entries.ts';

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

/**
 * The canonical text (RFC 8785) of the entry of an evaluation: an action, a prompt or a result. Written out in the order of the
 * names, in two thirds of the time that `createEntryWriter` takes: every evaluation is written.
 */
export function evaluationEntry(link: EntryLink, row: RecordedEvaluationRow): string {
  const { content } = row;
  let text = `{"at":"${isoTime(row.createdAt)}","chain":${quoted(link.chain)}`;
  text += member(',"correlationId":', row.correlationId);
  text += jsonMember(',"cost":', canonicalText(row.cost));
  // Lists of texts, such as these, labels and grants, which JSON.stringify writes as the RFC asks.
  text += jsonMember(',"dataTags":', row.dataTags);
  text += jsonMember(',"detections":', row.detections);
  text += member(',"enforcedSeverity":', row.enforcedSeverity);
  text += `,"enforcementAction":${quotedAction(row.enforcementAction)}`;
  text += jsonMember(',"grants":', row.grants);
  text += `,"id":${quoted(row.id)}`;
  text += jsonMember(',"identity":', canonicalText(row.identity));
  text += member(',"input":', content.input);
  text += `,"integrationId":${quotedIntegration(row.integrationId)},"kind":"evaluation"`;
  text += jsonMember(',"labels":', row.labels);
  text += member(',"messages":', content.messages);
  text += jsonMember(',"namedReview":', canonicalText(row.namedReview));
  text += `,"outcome":${quotedOutcome(row.outcome)},"phase":${quotedPhase(row.phase)}`;
  text += `,"policies":${quotedPolicies(row.policies)},"previous":${quoted(link.previous)}`;
  text += numberMember(',"repeats":', row.repeats);
  text += member(',"resultOf":', row.resultOf);
  text += member(',"resultStatus":', row.resultStatus);
  text += member(',"reviewRequestId":', row.reviewRequestId);
  text += numberMember(',"seq":', link.seq);
  text += member(',"severity":', row.severity);
  text += member(',"targetKey":', row.targetKey);
  text += member(',"targetMetadata":', content.targetMetadata);
  text += `,"terms":${quotedTerms(row.terms)}`;
  text += numberMember(',"tookUs":', row.tookUs);
  text += member(',"tool":', row.tool || null);
  text += member(',"traceId":', row.traceId);
  text += `,"transport":${quotedTransport(row.transport)}`;
  text += jsonMember(',"violations":', withoutMessages(row.violations));
  return `${text}}`;
}

/** The text of an entry with its place in the chain and nothing else. No evaluation has this text, so it never matches a stored hash. */
export const emptyEntry = (link: EntryLink): string => canonicalJson({ ...link, kind: 'evaluation' });

/** Digests that were kept when their content was deleted may lack members. */
const member = (key: string, value: string | null | undefined): string =>
  value === null || value === undefined ? '' : key + quoted(value);

/** A row may be forged: what is no number must not move text from one member to the next under the same hash. */
function numberMember(key: string, value: number | null): string {
  if (value === null) return '';
  return key + (typeof value === 'number' ? value : quoted(value));
}

const jsonMember = (key: string, value: string | null): string => (value === null ? '' : key + value);

/** `quoted` for texts that are mostly the same as the one before. */
function quotedAgain(): (value: string) => string {
  let last = '';
  let text = '""';
  return (value) => {
    if (value !== last) {
      text = quoted(value);
      last = value;
    }
    return text;
  };
}
const quotedAction = quotedAgain();
const quotedIntegration = quotedAgain();
const quotedOutcome = quotedAgain();
const quotedPhase = quotedAgain();
const quotedPolicies = quotedAgain();
const quotedTerms = quotedAgain();
const quotedTransport = quotedAgain();

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
