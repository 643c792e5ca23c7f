import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import type { Evaluations } from '../../../evaluate/evaluate.ts';
import { stringifyJson } from '../../../json/stringify.ts';
import { letsThrough } from '../../../schemas/decisions.ts';
import type { EvaluateRequest, EvaluateResult } from '../../../schemas/evaluations.ts';
import { identityTokenOf, traceParentOf } from '../../headers.ts';
import { integrationCallerOf } from '../../plugins/authenticate.ts';

/** A decision for a gateway that has its own words for it. */
export interface GatewayDecision {
  allowed: boolean;
  /** For whoever sent the request: why it may not be done. Quotes nothing of it. */
  reason: string;
  /** The evaluated input with detected values masked; null where the gateway does not want it. */
  masked: Record<string, unknown> | null;
  response: EvaluateResult;
}

/** Longest reason, in characters: gateways put it into headers and error messages. */
const longestReason = 1_000;

/** Evaluates what a gateway asks about. Rejects when there is no decision, so that the response is an error. */
export async function decide(
  evaluations: Evaluations,
  request: FastifyRequest,
  evaluate: EvaluateRequest,
): Promise<GatewayDecision> {
  const { data } = await evaluations.evaluate(integrationCallerOf(request), evaluate, {
    transport: 'REST',
    redact: wantsMasked(request),
    idempotencyKey: null,
    text: stringifyJson(evaluate),
    trace: traceParentOf(request.headers),
    identityToken: identityTokenOf(request),
  });
  return {
    allowed: letsThrough(data.enforcementAction),
    reason: reasonOf(data),
    masked: data.redactedInput ?? null,
    response: data,
  };
}

/**
 * Evaluates a list in order, so that rules see what came before, up to the first that is denied. The decision is that one, or that of
 * the first.
 */
export async function decideEach(
  evaluations: Evaluations,
  request: FastifyRequest,
  [first, ...others]: readonly [EvaluateRequest, ...EvaluateRequest[]],
): Promise<GatewayDecision> {
  const decided = await decide(evaluations, request, first);
  if (!decided.allowed) return decided;
  for (const other of others) {
    const next = await decide(evaluations, request, other);
    if (!next.allowed) return next;
  }
  return decided;
}

/** A header, because it is what every gateway can be told to send, whatever its own client sends. */
const maskingHeader = 'x-assize-redact';

function wantsMasked({ headers }: FastifyRequest): boolean {
  const value = headers[maskingHeader] ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw new AppError('invalid', `the header ${maskingHeader} must be true or false`);
}

function reasonOf({ enforcementAction, violations, approval, reviewRequestId }: EvaluateResult): string {
  if (enforcementAction === 'ALLOW') return '';
  const reasons = violations.map(({ message }) => message).join('; ');
  const comment = approval?.comment ? `the reviewer says: ${approval.comment}; ` : '';
  const isHeld = enforcementAction === 'APPROVAL_REQUIRED' && reviewRequestId !== null;
  const held = isHeld ? `waiting for approval (review ${reviewRequestId}): ` : '';
  const reason = `${held}${comment}${reasons}`;
  return reason.length > longestReason ? `${reason.slice(0, longestReason)}…` : reason;
}

/** Longest external id of a session. */
const longestId = 255;

/** The session for a name that the gateway gave; none without a name. Names that are too long are hashed: no two share a session. */
export function sessionNamed(kind: string, name: string | null | undefined): { externalSessionId?: string } {
  if (name === null || name === undefined || name === '') return {};
  const id = `${kind} ${name}`;
  if (id.length <= longestId) return { externalSessionId: id };
  return { externalSessionId: `${kind}-sha256 ${hash('sha256', name)}` };
}
