import type { Phase } from '../schemas/decisions.ts';
import type { EvaluateRequest, EvaluateResult } from '../schemas/evaluations.ts';
import type { AssizeClient } from './client.ts';
import { heldBy, isLetThrough } from './gate-history.ts';
import {
  createGateRuns,
  type GateRequest,
  type GateResult,
  type GateRuns,
  messageOf,
  undecidedMessage,
} from './gate-request.ts';
import { createGateSessions, type GateSession } from './gate-sessions.ts';
import { complete, exact, readable } from './readable.ts';

/** `sessionId` or `externalSessionId`: the session of the conversation. Default: one that the gate opens on first use. */
export interface GateOptions extends GateSession {
  client: AssizeClient;
  /**
   * Milliseconds for which a held action waits for its reviewer. Default 0: it is held at once, and the same action again
   * uses the approval, if there is one by then. `Infinity`: as long as the review lasts.
   */
  waitMs?: number;
  /** Called for everything that continues with a warning. */
  onWarn?: (evaluation: EvaluateResult, input: EvaluateRequest['input']) => void;
}

export interface Gate extends GateRuns {
  /**
   * Decides whether something may be done or shown. Never rejects for want of a decision: it then refuses. Rejects only with
   * the reason of `signal`.
   */
  (request: GateRequest): Promise<GateResult>;
  /**
   * The tools among these that every policy blocks now, whatever their arguments are: a model need not be offered them. Calls are
   * evaluated in any case, so that a question without a response hides nothing. Never rejects.
   */
  blockedTools(names: readonly string[], session?: GateSession): Promise<ReadonlySet<string>>;
}

/** Most tools that the service is asked about at a time. */
const mostTools = 200;

/** The one place where every adapter asks whether something may be done, and learns what to tell the model. */
export function createGate({ client, waitMs = 0, onWarn, ...session }: GateOptions): Gate {
  const sessionOf = createGateSessions(client);
  const defaults: GateSession = session;

  async function decide(request: GateRequest): Promise<GateResult> {
    const { phase = 'ACTION', signal } = request;
    const input = inputOf(request, phase);
    const { named, history, noticed } = sessionOf(isNamed(request) ? request : defaults);
    const correlationId = await correlationIdOf(request, phase, input);
    if (phase === 'PROMPT' && correlationId !== undefined && (await history.hasPassed(correlationId)))
      return resultOf(null, phase);
    const reviewRequestId =
      phase === 'ACTION' && correlationId ? await history.reviewOf(correlationId) : null;
    const evaluate: EvaluateRequest = {
      phase,
      input,
      ...(request.cost !== undefined && { cost: request.cost }),
      ...(request.targetMetadata !== undefined && { targetMetadata: request.targetMetadata }),
      ...(correlationId !== undefined && { correlationId }),
      ...(reviewRequestId !== null && { reviewRequestId }),
      // The session of a RESULT is that of its action.
      ...(phase === 'RESULT' ? resultFields(request) : await named()),
    };
    const remember = (evaluation: EvaluateResult) => {
      noticed(evaluation.sessionId);
      if (phase === 'ACTION' && correlationId) history.hold(correlationId, heldBy(evaluation));
      else if (correlationId && isLetThrough(evaluation)) history.pass(correlationId);
    };
    // A wait that is aborted leaves a review behind.
    const evaluation = await send(evaluate, { signal, onHeld: remember }, request.waitMs ?? waitMs);
    remember(evaluation);
    if (evaluation.enforcementAction === 'WARN') onWarn?.(evaluation, input);
    return resultOf(evaluation, phase);
  }

  function send(
    request: EvaluateRequest,
    { signal, onHeld }: { signal: AbortSignal | undefined; onHeld: (held: EvaluateResult) => void },
    ms: number,
  ): Promise<EvaluateResult> {
    if (ms === 0 || request.phase !== 'ACTION') return client.evaluate(request, { signal });
    return client.evaluateAndWait(request, {
      signal,
      onHeld,
      ...(ms !== Number.POSITIVE_INFINITY && { waitMs: ms }),
    });
  }

  const gate = async (request: GateRequest): Promise<GateResult> => {
    const result = await decide(request).catch((error: unknown) =>
      undecided(error instanceof Error ? error : new Error(String(error))),
    );
    // Also after a decision: nothing starts once the caller has aborted.
    request.signal?.throwIfAborted();
    return result;
  };
  async function blockedTools(
    names: readonly string[],
    asked: GateSession = {},
  ): Promise<ReadonlySet<string>> {
    const blocked = new Set<string>();
    try {
      const named = await sessionOf(isNamed(asked) ? asked : defaults).named();
      const { sessionId, externalSessionId } = named;
      const of = sessionId === undefined ? externalSessionId && { externalSessionId } : { sessionId };
      for (let at = 0; at < names.length; at += mostTools) {
        const tools = names.slice(at, at + mostTools).map((name) => ({ name }));
        const decided = await client.allowedTools({ tools, ...of });
        for (const { name, allowed } of decided.tools) if (!allowed) blocked.add(name);
      }
      return blocked;
    } catch {
      return new Set();
    }
  }
  return Object.assign(gate, createGateRuns(gate), { blockedTools });
}

/** The same for an action that is repeated, and for a message; undefined for content without a message. */
async function correlationIdOf(
  { message }: GateRequest,
  phase: Phase,
  input: EvaluateRequest['input'],
): Promise<string | undefined> {
  if (phase === 'ACTION') return `action-${await digestOf(input)}`;
  return message === undefined ? undefined : `content-${await digestOf(complete(message))}`;
}

const isNamed = ({ sessionId, externalSessionId }: GateSession): boolean =>
  sessionId !== undefined || externalSessionId !== undefined;

/** The input that policies see. The names are those that hooks and the other adapters send. */
function inputOf({ tool, input, fields }: GateRequest, phase: Phase): EvaluateRequest['input'] {
  const seen = phase === 'ACTION' ? exact : readable;
  if (fields !== undefined) return seen(fields) as EvaluateRequest['input'];
  const value = seen(input) ?? null;
  if (phase === 'RESULT') return { result: value };
  if (phase === 'PROMPT') return { prompt: value };
  if (tool === undefined) throw new TypeError('an action needs the name of its tool');
  return { tool, arguments: value };
}

function resultFields({
  resultOf,
  status = 'OK',
}: GateRequest): Pick<EvaluateRequest, 'resultOf' | 'status'> {
  if (resultOf === undefined) throw new TypeError('a result needs resultOf, the evaluation of its action');
  return { resultOf, status };
}

function resultOf(evaluation: EvaluateResult | null, phase: Phase): GateResult {
  const result = { evaluation, reviewRequestId: null, error: null } as const;
  if (evaluation === null) return { ...result, action: 'proceed', message: '' };
  const message = messageOf(evaluation);
  if (isLetThrough(evaluation)) return { ...result, action: 'proceed', message };
  if (phase === 'RESULT') return { ...result, action: 'replace', message };
  const { enforcementAction, reviewRequestId } = evaluation;
  return enforcementAction === 'APPROVAL_REQUIRED' && reviewRequestId !== null
    ? { ...result, action: 'hold', message, reviewRequestId }
    : { ...result, action: 'refuse', message };
}

const undecided = (error: Error): GateResult => ({
  action: 'refuse',
  message: undecidedMessage(error),
  evaluation: null,
  reviewRequestId: null,
  error,
});

/**
 * Names a JSON value by its content: SHA-256 of its JSON with sorted keys. Written in letters, because detectors would take
 * runs of digits for numbers of people or cards, and mask them.
 */
async function digestOf(value: unknown): Promise<string> {
  const text = JSON.stringify(value, sorted) ?? 'null';
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes].map((byte) => letter(byte >> 4) + letter(byte & 15)).join('');
}

const letter = (nibble: number): string => String.fromCharCode(97 + nibble);

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
