import type { FastifyRequest } from 'fastify';
import { stringifyJson } from '../../../json/stringify.ts';
import { letsThrough } from '../../../schemas/decisions.ts';
import type { EvaluateRequest, EvaluateResult } from '../../../schemas/evaluations.ts';
import type { Evaluations } from '../../../services/evaluations.ts';
import { integrationOf, scopesOf } from '../../plugins/authenticate.ts';
import { traceParentOf } from '../../trace-parent.ts';

/** A decision for a gateway that has its own words for it. */
export interface GatewayDecision {
  allowed: boolean;
  /** For whoever sent the request: why it may not be done. Quotes nothing of it. */
  reason: string;
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
  const { data } = await evaluations.evaluate(integrationOf(request), evaluate, {
    transport: 'REST',
    scopes: scopesOf(request),
    redact: false,
    once: null,
    text: stringifyJson(evaluate),
    trace: traceParentOf(request.headers),
  });
  return { allowed: letsThrough(data.enforcementAction), reason: reasonOf(data), response: data };
}

function reasonOf({ enforcementAction, violations, approval, reviewRequestId }: EvaluateResult): string {
  if (enforcementAction === 'ALLOW') return '';
  const reasons = violations.map(({ message }) => message).join('; ');
  const comment = approval?.comment ? `the reviewer says: ${approval.comment}; ` : '';
  const held = reviewRequestId === null ? '' : `waiting for approval (review ${reviewRequestId}): `;
  const reason = `${held}${comment}${reasons}`;
  return reason.length > longestReason ? `${reason.slice(0, longestReason)}…` : reason;
}

/** A session by a name of the gateway's own; none when it gave no name. */
export const sessionNamed = (
  kind: string,
  name: string | null | undefined,
): { externalSessionId?: string } =>
  name === null || name === undefined || name === ''
    ? {}
    : { externalSessionId: `${kind} ${name}`.slice(0, 255) };
