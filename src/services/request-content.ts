import type { Detector, RecognizedTexts, Scan } from '../detectors/index.ts';
import type { Mentions } from '../engine/index.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { Phase } from '../schemas/decisions.ts';
import { detectionSources } from '../schemas/evaluations.ts';
import type { ContentRetention, ReviewInput } from '../schemas/integrations.ts';
import type { HeldContent } from '../store/store.ts';
import { hashAction } from './approvals.ts';
import { mentionedIn, type ProvenanceRequest } from './provenance.ts';
import { type SentTexts, stringifyWithTexts } from './sent-texts.ts';

/** The content of a request. Plain data, so that another thread can scan it. */
export interface ContentRequest {
  input: Record<string, unknown>;
  targetKey: string | null;
  targetMetadata: Record<string, unknown> | null;
  callbackUrl: string | null;
  correlationId: string | null;
  /** Empty when the action names none. */
  tool: string;
  retention: ContentRetention;
  /** What a reviewer sees while the review is PENDING. */
  reviewInput: ReviewInput;
  /** Whether the caller wants the masked input back. */
  redact: boolean;
  texts: SentTexts;
  /** Null when no policy reads where values were seen. */
  provenance: ProvenanceRequest | null;
  /** The phase to hash the action with; null when its hash may not be needed. */
  hashed: Phase | null;
}

/** What was detected in a request, and what may be stored of it. Plain data. */
export interface RequestContent {
  /** Each tag once. */
  tags: readonly string[];
  counts: readonly { type: string; count: number }[];
  /** Canonical JSON text: where and what type, never the value. Null when nothing was detected. */
  detections: string | null;
  /** What may be stored under the retention setting. */
  kept: KeptContent;
  /** The input with detected values masked; null when it was not asked for. */
  redactedInput: Record<string, unknown> | null;
  /** What messages must mask (`masksMessages`): detected values and what stands for them, the longest first. */
  values: readonly (readonly [value: string, mask: string])[];
  /** Null when no policy reads them, and when there are too many. */
  mentioned: Mentions;
  /** See `hashAction`; null when it was not asked for. */
  contentHash: string | null;
  /** For a reviewer who sees masked values, when `kept` is something else; else null. */
  masked: ReviewerContent | null;
}

type ReviewerContent = Omit<HeldContent, 'callbackUrl' | 'isMasked'>;

export interface KeptContent {
  /** JSON text. */
  input: string | null;
  targetKey: string | null;
  /** JSON text. */
  targetMetadata: string | null;
  correlationId: string | null;
  tool: string;
  /** As reads show it. */
  callbackUrl: string | null;
}

/**
 * The one place that scans a request and decides what is stored of its content. `correlationId` is masked, but adds no
 * tags: it is an identifier of the caller's, and no part of the action. `recognized` is what a recogniser found in its texts.
 */
export function scanRequest(
  detector: Detector,
  request: ContentRequest,
  recognized: RecognizedTexts | null = null,
): RequestContent {
  const { input, targetKey, targetMetadata, callbackUrl } = request;
  const scan = (value: unknown): Scan => detector.scan(value, recognized);
  const inputScan = scan(input);
  const scans: readonly (Scan | null)[] = [
    inputScan,
    targetKey === null ? null : scan(targetKey),
    targetMetadata === null ? null : scan(targetMetadata),
    callbackUrl === null ? null : scan(callbackUrl),
  ];
  const hits = scans.some((scan) => scan !== null && scan.tags.length > 0);
  return {
    tags: hits ? mergedTags(scans) : none,
    counts: hits ? mergedCounts(scans) : none,
    detections: hits ? detectionsText(scans) : null,
    kept: keptContent(detector, request, scans),
    values: hits && masksMessages(request) ? mergedValues(scans) : none,
    mentioned: request.provenance && mentionedIn([input, targetKey], request.provenance),
    contentHash:
      request.hashed && hashAction(input, targetKey, targetMetadata, request.hashed, request.texts),
    masked:
      request.retention !== 'redacted' && request.reviewInput === 'redacted'
        ? reviewerContent(keptContent(detector, { ...request, retention: 'redacted' }, scans))
        : null,
    redactedInput: request.redact ? (inputScan.redacted() as Record<string, unknown>) : null,
  };
}

const none: readonly never[] = [];

/** Messages are rendered from content, and a reviewer reads them beside it. Under `none` they hold none of it. */
export const masksMessages = ({ retention, reviewInput }: ContentRequest): boolean =>
  retention === 'redacted' || (retention === 'full' && reviewInput === 'redacted');

function mergedTags(scans: readonly (Scan | null)[]): readonly string[] {
  return [...new Set(scans.flatMap((scan) => scan?.tags ?? none))];
}

function mergedCounts(scans: readonly (Scan | null)[]): { type: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const scan of scans) {
    for (const { type, count } of scan?.counts ?? none) counts.set(type, (counts.get(type) ?? 0) + count);
  }
  return [...counts].map(([type, count]) => ({ type, count }));
}

function mergedValues(scans: readonly (Scan | null)[]): RequestContent['values'] {
  const values = scans.flatMap((scan): RequestContent['values'] => scan?.values() ?? none);
  return values.sort(([x], [y]) => y.length - x.length);
}

/**
 * Characters of the places that are kept. A path repeats the names of members, so that a request of 64 KB could have places of
 * 100 MB, and everybody would wait while they are hashed and written.
 */
const mostPlaces = 262_144;

/** Written as canonical JSON at once, because the record hashes that. Of what is beyond the bound, the number of each type is kept. */
function detectionsText(scans: readonly (Scan | null)[]): string {
  let text = '';
  const add = (one: string): void => {
    text += text === '' ? one : `,${one}`;
  };
  for (const [place, scan] of scans.entries()) {
    const source = detectionSources[place];
    const more = new Map<string, number>();
    for (const { tag, path, start, end } of scan?.detections() ?? none) {
      if (text.length + path.length > mostPlaces) more.set(tag, (more.get(tag) ?? 0) + 1);
      else
        add(
          `{"end":${end},"in":"${source}","path":${JSON.stringify(path)},"start":${start},"type":"${tag}"}`,
        );
    }
    for (const [tag, count] of more)
      add(`{"end":0,"in":"${source}","more":${count},"path":"","start":0,"type":"${tag}"}`);
  }
  return `[${text}]`;
}

function keptContent(
  detector: Detector,
  request: ContentRequest,
  [inputScan, targetKeyScan, targetMetadataScan, callbackUrlScan]: readonly (Scan | null | undefined)[],
): KeptContent {
  const { targetKey, targetMetadata, callbackUrl, correlationId, tool, retention, texts } = request;
  if (retention === 'full') return { ...wholeContent(request), correlationId, tool, callbackUrl };
  const isKept = retention === 'redacted';
  return {
    input: isKept ? stringifyWithTexts(inputScan?.redacted(), texts) : null,
    targetKey: targetKey === null ? null : (targetKeyScan?.redacted() as string),
    targetMetadata: isKept && targetMetadata !== null ? stringifyJson(targetMetadataScan?.redacted()) : null,
    correlationId: correlationId === null ? null : maskedText(detector, correlationId),
    tool: tool === '' ? '' : maskedText(detector, tool),
    callbackUrl: callbackUrl === null ? null : shownUrl(callbackUrl, callbackUrlScan as Scan, retention),
  };
}

const maskedText = (detector: Detector, text: string): string => detector.scan(text).redacted() as string;

/** With `none`, only where the callback goes: a path or query may hold content that no detector knows. */
function shownUrl(url: string, scan: Scan, retention: ContentRetention): string {
  return retention === 'none' ? (URL.parse(url)?.origin ?? '') : (scan.redacted() as string);
}

/** What is stored of a held action for its reviewer and its callback, beside what the evaluation stores. */
export function heldContent(request: ContentRequest, { kept, masked }: RequestContent): HeldContent {
  const shown = request.reviewInput === 'full' ? wholeContent(request) : (masked ?? reviewerContent(kept));
  return {
    input: shown.input === kept.input ? null : shown.input,
    targetKey: shown.targetKey === kept.targetKey ? null : shown.targetKey,
    targetMetadata: shown.targetMetadata === kept.targetMetadata ? null : shown.targetMetadata,
    callbackUrl: request.callbackUrl,
    isMasked: request.reviewInput === 'redacted',
  };
}

const reviewerContent = ({ input, targetKey, targetMetadata }: KeptContent): ReviewerContent => ({
  input,
  targetKey,
  targetMetadata,
});

const wholeContent = ({ input, targetKey, targetMetadata, texts }: ContentRequest): ReviewerContent => ({
  input: stringifyWithTexts(input, texts),
  targetKey,
  targetMetadata: targetMetadata && stringifyJson(targetMetadata),
});
