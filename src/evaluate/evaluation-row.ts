import { randomFillSync } from 'node:crypto';
import { contentDigest } from '../record/entries.ts';
import {
  digestContent,
  messagesOf,
  noContent,
  type RecordedEvaluationRow,
} from '../record/evaluation-entry.ts';
import type { NewEvaluation, SaltedDigest } from './evaluation.ts';
import type { Writes } from './port.ts';

const saltBytes = 16;
const random = Buffer.alloc(256 * saltBytes);
let used = random.length;

/**
 * A new salt for the digests of content: 128 random bits in hexadecimal. Random bytes are asked for many at a time: a system call
 * for each costs more than the digest.
 */
export function newSalt(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const salt = random.toString('hex', used, used + saltBytes);
  random.fill(0, used, used + saltBytes);
  used += saltBytes;
  return salt;
}

/** The digest of what is kept of an input, for a row that is still to be made. */
export function digestInput(input: string): SaltedDigest {
  const salt = newSalt();
  return { salt, digest: contentDigest(salt, 'input', input) };
}

/**
 * The row of an evaluation in both databases, as the entry of the record covers it. `salt` is that of the digests of its
 * content, kept as long as the content; null when nothing is kept.
 */
export function rowOfEvaluation(
  evaluation: NewEvaluation,
  { verdict, reviewRequestId, namedReview }: Pick<Writes, 'verdict' | 'reviewRequestId' | 'namedReview'>,
  termsHash: string,
  newSalt: () => string,
): RecordedEvaluationRow & { salt: string | null } {
  const { input, targetMetadata, inputDigest } = evaluation;
  const messages = messagesOf(verdict.violations);
  const content = { input, targetMetadata, messages };
  const isEmpty = input === null && targetMetadata === null && messages === null;
  const salt = isEmpty ? null : (inputDigest?.salt ?? newSalt());
  return {
    id: evaluation.id,
    integrationId: evaluation.integrationId,
    transport: evaluation.transport,
    phase: evaluation.phase,
    resultOf: evaluation.resultOf,
    resultStatus: evaluation.resultStatus,
    cost: evaluation.cost && JSON.stringify(evaluation.cost),
    identity: evaluation.identity && JSON.stringify(evaluation.identity),
    tool: evaluation.tool,
    targetKey: evaluation.targetKey,
    correlationId: evaluation.correlationId,
    outcome: verdict.outcome,
    enforcementAction: verdict.enforcementAction,
    severity: verdict.severity,
    enforcedSeverity: verdict.enforcedSeverity,
    violations: verdict.violations.length ? JSON.stringify(verdict.violations) : null,
    dataTags: evaluation.dataTags.length ? JSON.stringify(evaluation.dataTags) : null,
    detections: evaluation.detections,
    labels: verdict.labels.length ? JSON.stringify(verdict.labels) : null,
    grants: verdict.usesGrants.length ? JSON.stringify(verdict.usesGrants) : null,
    repeats: verdict.repeats,
    policies: evaluation.policySet.key,
    terms: termsHash,
    reviewRequestId,
    createdAt: evaluation.at,
    namedReview: namedReview && JSON.stringify(namedReview),
    tookUs: verdict.tookUs,
    traceId: evaluation.traceId,
    content: salt === null ? noContent : digestContent(salt, content, inputDigest?.digest),
    salt,
  };
}
