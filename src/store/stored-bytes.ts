import type { NewEvaluation } from './new-evaluations.ts';
import { byteLengths } from './quotas.ts';
import type { HeldContent, Verdict } from './verdicts.ts';

/** UTF-8 bytes of what is stored of an evaluation that depends on what was sent. */
export function bytesOf(
  { input, targetKey, targetMetadata, correlationId, detections }: NewEvaluation,
  { violations, review, heldAgain }: Pick<Verdict, 'violations' | 'review' | 'heldAgain'>,
): number {
  return byteLengths([
    input,
    targetKey,
    targetMetadata,
    correlationId,
    detections,
    violations.length > 0 ? JSON.stringify(violations) : null,
    ...heldTexts((review ?? heldAgain)?.content),
  ]);
}

const heldTexts = (content: HeldContent | undefined): (string | null)[] =>
  content ? [content.input, content.targetKey, content.targetMetadata, content.callbackUrl] : [];
