import { type Awaitable, chain } from '../awaitable.ts';
import { AppError } from '../errors.ts';
import { CallArguments } from '../policy/call-arguments.ts';
import { notKeptAsSent } from '../policy/subject.ts';
import { findOtherTool, findSeveralCalls, findTool, findUnreadableName } from '../policy/tool-calls.ts';
import { letsThrough, type Phase } from '../schemas/decisions.ts';
import { type EvaluateRequest, toolNameLimit } from '../schemas/evaluations.ts';
import { readReceiverUrl, receiverUrlRule } from '../services/callbacks/address-policy.ts';
import { notFoundBy } from '../services/refusals.ts';
import { knownContent } from '../services/replay/known-content.ts';
import type { EvaluatedAction } from '../store/evaluations.ts';
import type { Store } from '../store/store.ts';
import { type DecidingTool, toolViolations } from './catalogue.ts';
import type { ContentRequest } from './content.ts';
import type { DecidingPolicies } from './in-force.ts';
import type { Judging } from './judge.ts';
import { checkSessionOfResult } from './session-choice.ts';
import { noTexts, type SentTexts } from './verbatim-texts.ts';

/** The action that a request wants decided, before its content is scanned. */
export interface AskedAction {
  phase: Phase;
  /** The action of a RESULT; null in other phases. */
  action: EvaluatedAction | null;
  actionArguments: Judging['actionArguments'];
  /** The tool as an ACTION names it; empty when it names none, and in other phases. */
  tool: string;
  /** The same in the catalogue of the integration; null when it is not there. */
  known: DecidingTool | null;
  found: Judging['found'];
  /** The arguments of an ACTION. */
  call: CallArguments;
}

/** Throws when the request cannot be judged. */
export function readAction(
  store: Store,
  { integration, tools, pathsOfCall }: Pick<DecidingPolicies, 'integration' | 'tools' | 'pathsOfCall'>,
  request: EvaluateRequest,
): Awaitable<AskedAction> {
  checkPhase(request);
  const { phase = 'ACTION', input, callbackUrl } = request;
  const asked = phase === 'RESULT' ? findActionOf(store, integration.id, request, pathsOfCall) : null;
  return chain(asked, (of) => {
    const action = of?.action ?? null;
    const call = new CallArguments(input);
    const tool = phase === 'ACTION' ? toolNamed(request, call) : '';
    const known = tools.find(action?.tool ?? tool);
    const found =
      phase === 'ACTION'
        ? toolViolations(integration.settings, tools, { tool: known, name: tool, call })
        : noneFound;
    if (callbackUrl !== undefined && !readReceiverUrl(callbackUrl))
      throw new AppError('invalid', receiverUrlRule, { path: '/callbackUrl' });
    return { phase, action, actionArguments: of?.actionArguments, tool, known, found, call };
  });
}

const noneFound: AskedAction['found'] = [];

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

type Field = keyof EvaluateRequest;

/** Refuses fields that the phase of the request does not have, and those it needs and lacks. */
function checkPhase(request: EvaluateRequest): void {
  const refuse = (field: Field, message: string): never => {
    throw new AppError('invalid', message, { path: `/${field}` });
  };
  if (request.phase === 'RESULT') {
    if (request.resultOf === undefined) refuse('resultOf', 'a RESULT must name the evaluation of its action');
    if (request.status === undefined) refuse('status', 'a RESULT must say OK or FAILED');
    if (request.callbackUrl !== undefined) refuse('callbackUrl', 'a RESULT is never held for approval');
    if (request.reviewRequestId !== undefined)
      refuse('reviewRequestId', 'a RESULT is never held for approval');
    return;
  }
  if (request.resultOf !== undefined)
    refuse('resultOf', 'only a RESULT names an action: add "phase": "RESULT"');
  if (request.status !== undefined) refuse('status', 'only a RESULT has a status: add "phase": "RESULT"');
  if (request.phase === 'PROMPT' && request.reviewRequestId !== undefined) {
    refuse('reviewRequestId', 'a PROMPT cannot use an approval');
  }
}

/**
 * The action of a RESULT, whose session and tool are those of the result. The facts checked here never change; whether
 * the action already has a result is checked when the result is recorded.
 */
async function findActionOf(
  store: Store,
  integrationId: string,
  request: EvaluateRequest,
  pathsOfCall: DecidingPolicies['pathsOfCall'],
): Promise<Pick<AskedAction, 'actionArguments'> & { action: EvaluatedAction }> {
  const { resultOf = '', sessionId } = request;
  const action = await store.evaluations.findAction(integrationId, resultOf);
  if (!action) throw notFoundBy('resultOf', 'evaluation', '/resultOf');
  if (sessionId !== undefined && sessionId.toLowerCase() !== action.sessionId) {
    const message = 'the session of a RESULT is that of its action: leave sessionId out';
    throw new AppError('invalid', message, { path: '/sessionId' });
  }
  checkSessionOfResult(request, action.externalSessionId);
  if (action.phase !== 'ACTION') throw conflict(`the evaluation is a ${action.phase}, which has no result`);
  if (!letsThrough(action.enforcementAction)) {
    throw conflict(
      action.enforcementAction === 'BLOCK'
        ? 'the action was blocked, so it has no result'
        : 'the action was held: its result belongs to the evaluation that used the approval',
    );
  }
  const actionArguments = pathsOfCall && (await argumentsOf(store, integrationId, resultOf, pathsOfCall));
  return { action, actionArguments: actionArguments ?? undefined };
}

/** The arguments of an action as far as they are kept: an error stands for all of them, or in the places of masked ones. */
async function argumentsOf(
  store: Store,
  integrationId: string,
  id: string,
  paths: readonly (readonly string[])[],
): Promise<object> {
  const action = await store.evaluations.find(integrationId, id);
  if (!action) return notKeptAsSent;
  const { input } = knownContent(action, paths, notKeptAsSent);
  return Object.is(input, notKeptAsSent) ? notKeptAsSent : new CallArguments(input).value;
}

export const hasResult = (): AppError => conflict('the action already has a result');

const conflict = (message: string): AppError => new AppError('conflict', message, { path: '/resultOf' });

/**
 * Characters that nobody sees. A name with one looks like another name to a reviewer and in a log, and matches none of
 * its rules.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The tool that an action names; empty when it names none. Throws for a name that cannot be judged, and for two sets of arguments. */
function toolNamed(
  { input, targetKey = '' }: Pick<EvaluateRequest, 'input' | 'targetKey'>,
  call: CallArguments,
): string {
  const unreadable = findUnreadableName(input);
  if (unreadable !== null) throw refused(unreadable, 'the name of a tool must be a string');
  const several = findSeveralCalls(input);
  if (several)
    throw refused(
      several,
      'several calls in one evaluation: evaluate each on its own, as {"tool": name, "arguments": {…}}',
    );
  const tool = findTool(input, targetKey);
  const other = findOtherTool(input, tool);
  if (other) {
    const place = tool.path === null ? '/targetKey' : `/input${tool.path}`;
    throw refused(other.path, `names another tool than ${place}: name one tool in one place`);
  }
  if (call.otherPath !== null)
    throw refused(call.otherPath, 'other arguments than in another place: give them once');
  const { name, path } = tool;
  // Characters are counted as in the schemas, which is not in UTF-16 units; only a text beyond the limit in those needs it.
  if (name.length > toolNameLimit && [...name].length > toolNameLimit) {
    throw refused(path, `the name of a tool must have at most ${toolNameLimit} characters`);
  }
  if (path !== null && invisible.test(name)) {
    throw refused(path, 'the name of a tool must not contain control or invisible characters');
  }
  return name;
}

/**
 * A call of a list in which a model asks for calls, as the action that adapters send. Arguments that cannot be read stay as they are,
 * for rules to see. Throws for a call that names no tool, or several. `place`: JSON Pointer to the call.
 */
export function readToolCall(call: EvaluateRequest['input'], place: string): EvaluateRequest['input'] {
  const input = { tool_calls: [call] };
  const read = new CallArguments(input);
  const tool = within(place, () => toolNamed({ input }, read));
  if (tool === '') throw new AppError('invalid', 'must name the tool, as function.name', { path: place });
  return { tool, arguments: read.isReadable ? read.value : read.sent } as EvaluateRequest['input'];
}

/** Places of mistakes as those of the request. */
function within<Read>(place: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = error.details.map(({ path = '', message }) => ({
      message: message.replace('/input/tool_calls/0', place),
      path: path.replace('/input/tool_calls/0', place),
    }));
    throw new AppError(error.code, error.message, { details });
  }
}

const refused = (path: string | null, message: string): AppError =>
  new AppError('invalid', message, { path: path === null ? '/targetKey' : `/input${path}` });
