import type {
  AssizeStoppedError,
  Gate,
  GateRequest,
  GateResult,
  GateSession,
  RunRequest,
} from '../client/index.ts';

export interface RouteOptions<Request> {
  /** The session of the conversation that a request belongs to. Take it from what the server knows, such as a signed cookie. */
  session(request: Request): GateSession;
  /** The question of a person to the agent; undefined when the request asks nothing. */
  prompt(request: Request): unknown;
}

/** The gate, for one conversation: what an agent loop puts its tools through. */
export interface Conversation {
  decide(request: GateRequest): Promise<GateResult>;
  /** Rejects with AssizeStoppedError, whose message is for the model: see `Gate.run`. */
  run<T>(request: RunRequest, execute: () => T | Promise<T>): Promise<T>;
}

/** The response to a prompt that may not reach the agent: 403 when a policy stops it, 503 when nothing was decided. */
export interface RefusedPrompt {
  status: 403 | 503;
  body: { error: string };
}

/** An action that was stopped; null for every other error. Recognised by its name, because a program may hold the client twice. */
export const stopOf = (error: unknown): AssizeStoppedError | null =>
  error instanceof Error && error.name === 'AssizeStoppedError' ? (error as AssizeStoppedError) : null;

/** Evaluates what a person asks, before the agent starts. */
export async function openConversation<Request>(
  gate: Gate,
  { session, prompt }: RouteOptions<Request>,
  request: Request,
): Promise<{ conversation: Conversation; refusal: null } | { conversation: null; refusal: RefusedPrompt }> {
  const of = session(request);
  const input = prompt(request);
  if (input !== undefined) {
    const { action, message, error } = await gate({ phase: 'PROMPT', input, ...of });
    if (action !== 'proceed')
      return { conversation: null, refusal: { status: error ? 503 : 403, body: { error: message } } };
  }
  const conversation: Conversation = {
    decide: (asked) => gate({ ...asked, ...of }),
    run: (asked, execute) => gate.run({ ...asked, ...of }, execute),
  };
  return { conversation, refusal: null };
}
