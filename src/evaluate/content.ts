import { hash } from 'node:crypto';
import type { Detector, RecognizedTexts, Scan } from '../detectors/index.ts';
import type { ContentRetention, ReviewInput } from '../features/integrations/words.ts';
import { canonicalJson, stringifyJson } from '../json/stringify.ts';
import type { CallArguments } from '../policy/call-arguments.ts';
import {
  looksLikeIdentifier,
  type Mentions,
  mayBeIdentifier,
  mentionOf,
  mentionsIn,
  type Naming,
  namesIn,
} from '../policy/mentions.ts';
import { normalized as normalizedToolName } from '../policy/tool-calls.ts';
import type { Phase } from '../schemas/decisions.ts';
import { detectionSources } from '../schemas/evaluations.ts';
import type { Cost } from '../schemas/values.ts';
import type { HeldContent, NewEvaluation, SaltedDigest } from './evaluation.ts';
import { type MaskedValues, mostValues } from './masked-messages.ts';
import { noTexts, type SentTexts, spelledAsSent, stringifyWithTexts } from './verbatim-texts.ts';

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
  /** How much a reviewer sees while the review is PENDING. */
  reviewInput: ReviewInput;
  /** Whether the caller wants the masked input back. */
  redact: boolean;
  texts: SentTexts;
  /** Null when no policy reads where values were seen. */
  provenance: ProvenanceRequest | null;
  /** The phase to hash the action with; null when its hash may not be needed. */
  hashed: Phase | null;
}

/** The findings in a request, and the content that may be stored of it. Plain data. */
export interface RequestContent {
  /** Each tag once. */
  tags: readonly string[];
  counts: readonly { type: string; count: number }[];
  /** Canonical JSON text: where and what type, never the value. Null when nothing was detected. */
  detections: string | null;
  /** The content that may be stored under the retention setting. */
  kept: KeptContent;
  /** The input with detected values masked; null when it was not asked for. */
  redactedInput: Record<string, unknown> | null;
  /**
   * Detected values that messages must mask (`masksMessages`), each with its mask. Null when they are more
   * than are looked for in messages: a thread would take long to hand them over.
   */
  values: MaskedValues;
  /** Null when no policy reads them, and when there are too many. */
  mentioned: Mentions;
  /** See `hashAction`; null when it was not asked for. */
  contentHash: string | null;
  /** The digest of `kept.input`; null where it is made with the row of the evaluation. */
  inputDigest: SaltedDigest | null;
  /** For a reviewer who sees masked values, when `kept` is something else; else null. */
  masked: ReviewerContent | null;
}

type ReviewerContent = Omit<HeldContent, 'callbackUrl' | 'isMasked'>;

interface KeptContent {
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
    inputDigest: null,
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
  const values = scans.flatMap((scan): NonNullable<RequestContent['values']> => scan?.values() ?? none);
  return values.length > mostValues ? null : values;
}

/**
 * Characters of the places that are kept. A path repeats the names of members, so that a request of 64 KB could have places of
 * 100 MB, and everybody would wait while they are hashed and written.
 */
const mostPlaces = 262_144;

/** Written as canonical JSON at once, because the record hashes that. Beyond the bound, only the number of each type is kept. */
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

/** The content of a held action for its reviewer and its callback, beside the content that the evaluation stores. */
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

/** SHA-256 of a text, for keys that are stored. */
export const sha256 = (text: string): string => hash('sha256', text, 'base64url');

/**
 * SHA-256 of the canonical JSON (RFC 8785) of what is done to what. The target and its metadata belong to it: an
 * approval to pay Bob must not pay Eve with the same input. So does the phase: an approved prompt must not let through
 * an action with the same input.
 */
export const hashAction = (
  input: object,
  targetKey: string | null,
  targetMetadata: object | null,
  phase: Phase,
  texts: SentTexts = noTexts,
): string => hash('sha256', canonicalJson({ input, phase, targetKey, targetMetadata }, spelledAsSent(texts)));

/**
 * The hashes of an action, each made once, when it is asked for. An approval is bound to what the action is said to cost as well:
 * one to spend 10 must not spend 1,000.
 */
export function actionHashes(
  salt: string,
  hashContent: () => string,
  cost: Cost | null,
): Pick<NewEvaluation, 'salt' | 'contentHash' | 'inputHash'> {
  let content: string | undefined;
  let input: string | undefined;
  const contentHash = (): string => {
    content ??= hashContent();
    return content;
  };
  return {
    salt,
    contentHash,
    inputHash() {
      input ??= inputHash(salt, contentHash(), cost);
      return input;
    },
  };
}

/** Salted, because it is stored: an action of few possible contents could be found by trying. */
export const inputHash = (salt: string, contentHash: string, cost: Cost | null): string =>
  hash('sha256', `${salt} ${contentHash} ${cost === null ? '' : canonicalJson(cost)}`);

/**
 * The hash that a rejection is bound to: the tool and its arguments, in whatever format and spelling. Cost is left out, as are the id that each new
 * call gets, what describes its circumstances, white space at the ends of texts and their Unicode form; an alias of the tool stands for
 * its name, and an empty target is none: an agent must not get another review of the same action by such a change. Of a prompt or a
 * result, all of it is what was rejected.
 */
export function rejectionHash(
  salt: string,
  { input, call, targetKey, targetMetadata, phase }: RejectedAction,
  { asked, tool }: { asked: string; tool: string },
): string {
  const spelled = (text: string): string => {
    const plain = normalizedToolName(text);
    return JSON.stringify(plain === asked ? tool : plain);
  };
  const isAction = phase === 'ACTION';
  const target = normalizedToolName(targetKey ?? '');
  const rejected = {
    done: isAction ? call.doneBy(asked) : input,
    // Where nothing else names the tool, its target does.
    target: target === asked ? '' : spelledAlike(target),
    targetMetadata: isAction ? null : targetMetadata,
    phase,
  };
  return hash('sha256', `${salt} ${canonicalJson(rejected, spelled)}`);
}

/** One form for targets that many systems read alike: letter case, white space, and slashes that are doubled or last. */
const spelledAlike = (target: string): string =>
  target.toLowerCase().replaceAll(/\s+/g, ' ').replaceAll(/\/+/g, '/').replace(/\/$/, '');

interface RejectedAction {
  input: object;
  call: CallArguments;
  targetKey: string | null;
  targetMetadata: object | null;
  phase: Phase;
}

/** A request for the identifiers in a content, as digests. */
interface ProvenanceRequest {
  phase: Phase;
  /** The salt of the installation: digests say nothing to somebody with a list of likely values and no salt. */
  salt: string;
}

/** The identifiers in a content by their digests. */
export const mentionedIn = (contents: readonly unknown[], { phase, salt }: ProvenanceRequest): Mentions =>
  mentionsIn(contents, phase, digestsWith(salt));

/** 132 bits, so that collisions cannot be found. */
export const identifierDigest = (salt: string, identifier: string): string =>
  hash('sha256', `${salt} ${identifier}`, 'base64url').slice(0, 22);

/** Entries in each cache, a power of two: an entry takes some 200 bytes, one of `namesIn` some 400. */
const mostDigests = 16_384;
const mostTexts = 8_192;
const mostKeys = 2_048;

/**
 * A direct-mapped cache by text. A text is stored when it is asked for twice in a row, counting only the texts that share its slot: most
 * texts are asked for once, and storing the result costs more than computing it.
 */
class Recent<Made> {
  readonly #make: (text: string) => Made;
  readonly #texts: (string | undefined)[];
  readonly #made: (Made | undefined)[];
  /** For each slot, the hash (`markOf`) of the last text that was not found in it. */
  readonly #marks: Int32Array;

  constructor(most: number, make: (text: string) => Made) {
    this.#make = make;
    this.#texts = new Array<string | undefined>(most).fill(undefined);
    this.#made = new Array<Made | undefined>(most).fill(undefined);
    this.#marks = new Int32Array(most);
  }

  readonly of = (text: string): Made => {
    const mark = markOf(text);
    const place = (mark ^ (mark >>> 16)) & (this.#marks.length - 1);
    if (this.#texts[place] === text) return this.#made[place] as Made;
    const made = this.#make(text);
    if (this.#marks[place] !== mark) this.#marks[place] = mark;
    else if (mayBeIdentifier(text)) {
      this.#texts[place] = ownCopy(text);
      this.#made[place] = made;
    }
    return made;
  };
}

/** Characters at each end of a text, and in its middle, that tell it from others: most differ in a number somewhere. */
const ofEnd = 16;
const ofMiddle = 16;

/** A 32-bit hash (FNV-1a) over these characters. Texts with equal hashes only share a slot: `Recent` compares the texts themselves. */
function markOf(text: string): number {
  const { length } = text;
  let mark = length;
  const lastOfStart = Math.min(ofEnd, length);
  for (let at = 0; at < lastOfStart; at++) mark = marked(mark, text, at);
  const firstOfEnd = Math.max(lastOfStart, length - ofEnd);
  const step = Math.ceil((firstOfEnd - lastOfStart) / ofMiddle);
  for (let at = lastOfStart; at < firstOfEnd; at += step) mark = marked(mark, text, at);
  for (let at = firstOfEnd; at < length; at++) mark = marked(mark, text, at);
  return mark;
}
const marked = (mark: number, text: string, at: number): number =>
  Math.imul(mark ^ text.charCodeAt(at), 0x01_00_01_93);

/**
 * Digests of what was written lately, by how it was written. Most of a content was in an earlier one (keys, names, values that
 * recur), and looking it up takes a tenth of the time of normalizing and hashing it.
 */
class KnownDigests implements Naming {
  readonly salt: string;
  readonly nameOf: Naming['nameOf'];
  readonly nameOfKey: Naming['nameOfKey'];
  readonly namesIn: Naming['namesIn'];

  constructor(salt: string) {
    this.salt = salt;
    const digestOf = (written: string): string | null => {
      const identifier = mentionOf(written);
      return identifier === null ? null : identifierDigest(salt, identifier);
    };
    this.nameOf = new Recent(mostDigests, digestOf).of;
    this.nameOfKey = new Recent(mostKeys, (key) => (looksLikeIdentifier(key) ? digestOf(key) : null)).of;
    this.namesIn = new Recent(mostTexts, (text) => namesIn(text, this.nameOf, digestOf)).of;
  }
}

/** A part of a text keeps the whole text in memory, which may be a megabyte. */
const ownCopy = (part: string): string => [part.slice(0, 1), part.slice(1)].join('');

let latest: KnownDigests | null = null;

/** Gives the digest of an identifier, however it is written; null for what is none. One installation has one salt. */
export function digestsWith(salt: string): Naming {
  if (latest?.salt !== salt) latest = new KnownDigests(salt);
  return latest;
}
