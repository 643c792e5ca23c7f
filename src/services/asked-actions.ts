import { CallArguments } from '../engine/index.ts';
import { AppError } from '../errors.ts';
import type { Phase } from '../schemas/decisions.ts';
import type { EvaluateRequest } from '../schemas/evaluations.ts';
import type { EvaluatedAction, Store } from '../store/store.ts';
import { readReceiverUrl, receiverUrlRule } from './callbacks/receiver-url.ts';
import type { DecidingPolicies } from './deciding-policies.ts';
import { type DecidingTool, toolViolations } from './deciding-tools.ts';
import type { Judging } from './judgement.ts';
import { checkPhase, findActionOf } from './phases.ts';
import type { ContentRequest } from './request-content.ts';
import { noTexts, type SentTexts } from './sent-texts.ts';
import { toolNamed } from './tool-names.ts';

/** What a request asks to be decided, before its content is scanned. */
export interface AskedAction {
  phase: Phase;
  /** The action of a RESULT; null in other phases. */
  action: EvaluatedAction | null;
  /** The tool as an ACTION names it; empty when it names none, and in other phases. */
  tool: string;
  /** The same in the catalogue of the integration; null when it is not there. */
  known: DecidingTool | null;
  found: Judging['found'];
  /** The arguments of an ACTION. */
  call: CallArguments;
}

/** Throws when the request cannot be judged. */
export async function readAction(
  store: Store,
  { integration, tools }: Pick<DecidingPolicies, 'integration' | 'tools'>,
  request: EvaluateRequest,
): Promise<AskedAction> {
  checkPhase(request);
  const { phase = 'ACTION', input, callbackUrl } = request;
  const action = phase === 'RESULT' ? await findActionOf(store, integration.id, request) : null;
  const call = new CallArguments(input);
  const tool = phase === 'ACTION' ? toolNamed(request, call) : '';
  const known = tools.find(action?.tool ?? tool);
  const found = phase === 'ACTION' ? toolViolations(integration.settings, known, tool, call) : [];
  if (callbackUrl !== undefined && !readReceiverUrl(callbackUrl))
    throw new AppError('invalid', receiverUrlRule, { path: '/callbackUrl' });
  return { phase, action, tool, known, found, call };
}

export function contentOf(
  request: EvaluateRequest,
  { phase, tool }: AskedAction,
  { integration, needs, salt }: Pick<DecidingPolicies, 'integration' | 'needs' | 'salt'>,
  { redact, sentTexts }: { redact: boolean; sentTexts?: SentTexts | null },
): ContentRequest {
  const { contentRetention: retention, reviewInput } = integration.settings;
  return {
    input: request.input,
    targetKey: request.targetKey ?? null,
    targetMetadata: request.targetMetadata ?? null,
    callbackUrl: request.callbackUrl ?? null,
    correlationId: request.correlationId ?? null,
    tool,
    retention,
    reviewInput,
    redact,
    texts: sentTexts ?? noTexts,
    provenance: salt === null ? null : { phase, salt },
    hashed: (needs.repeats && phase === 'ACTION') || request.reviewRequestId ? phase : null,
  };
}
