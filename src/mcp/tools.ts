import { type Static, type TObject, Type } from '@sinclair/typebox';
import { AppError, never } from '../errors.ts';
import type { TraceParent } from '../evaluate/evaluate.ts';
import type { KeyScope } from '../features/integrations/words.ts';
import { ListedReview, Review, ReviewStatus } from '../features/reviews/schema.ts';
import {
  CreatedEvaluationSession,
  CreateEvaluationSession,
  EndEvaluationSession,
  EndedEvaluationSession,
  EvaluationSession,
} from '../features/sessions/schema.ts';
import { checkJson, metadataJson } from '../http/json-checks.ts';
import { defaultPage } from '../http/responses.ts';
import { memberText } from '../json/member-text.ts';
import type { Violation } from '../schemas/decisions.ts';
import { type ApprovalReason, EvaluateRequest, EvaluateResult } from '../schemas/evaluations.ts';
import { Uuid } from '../schemas/values.ts';
import type { IntegrationCaller } from '../services/access/authentication.ts';
import type { Services } from '../services/services.ts';

export type ToolServices = Pick<Services, 'evaluations' | 'sessions' | 'reviews'>;

/** One tool call: its caller and its session. */
export interface ToolCall {
  caller: IntegrationCaller;
  /** JSON text of the arguments, as sent. */
  argumentsText: string;
  /** The span of the caller. */
  trace: TraceParent | null;
  /** JSON Web Token of who acts; null when none was sent. */
  identityToken: string | null;
  /** The session named in `_meta` or by the connection. */
  sessionId: string | null;
  /** The name of the session to join when nothing names one. */
  sessionName: string;
  /** Aborted when the client no longer waits. */
  signal: AbortSignal;
  /** Reports progress to a client that asked for it. */
  progress(progress: number, total: number, message: string): Promise<void>;
}

export interface ToolResponse {
  /** For the model: the outcome, and what to do next. Comes first in everything that a client shows. */
  text: string;
  /** JSON text of an object of the tool's output schema, as in the REST response. */
  json: string;
  /** Whether `json` alone says what to do, so that the sentence need not be in it. Default false. */
  isObvious?: boolean;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  readOnly: boolean;
  /** The scope that the key of a call needs. */
  scope: KeyScope;
  input: TObject;
  output: TObject;
  /** `input` has been validated against the schema. Throws an AppError when a service refuses the request. */
  run(input: never, call: ToolCall, services: ToolServices): Promise<ToolResponse>;
}

const defineTool = <Input extends TObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    input: Input;
    run(input: Static<Input>, call: ToolCall, services: ToolServices): Promise<ToolResponse>;
  },
): Tool => tool;

/**
 * A model pays two or three times, in text and in structure: so members that say nothing (null, or an empty list) are left
 * out, and so are the violations, whose messages are in the sentence. `GET /v1/evaluations/:id` has the rest.
 */
const {
  violations: _violations,
  outcome: _outcome,
  severity: _severity,
  pollUrl: _pollUrl,
  policiesEvaluated: _policiesEvaluated,
  evaluationRunId,
  enforcementAction,
  ...rest
} = EvaluateResult.properties;
const ShortResponse = Type.Object({
  evaluationRunId,
  enforcementAction,
  ...Type.Partial(Type.Object(rest)).properties,
});

/** Parsed and written again, numbers of `redactedInput` would change: that member is taken over as it was sent. */
function shortened(json: string, response: EvaluateResult): string {
  const short: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(response)) {
    const isSaid = name in ShortResponse.properties && name !== 'redactedInput';
    if (!isSaid || value === null || (Array.isArray(value) && value.length === 0)) continue;
    short[name] = value;
  }
  const written = JSON.stringify(short);
  const redacted = response.redactedInput === undefined ? null : memberText(json, 'redactedInput');
  return redacted === null ? written : `${written.slice(0, -1)},"redactedInput":${redacted}}`;
}

const evaluate = defineTool({
  name: 'evaluate',
  title: 'Decide an action before it is done',
  description:
    'Call this before every action and follow enforcementAction: ALLOW, do it; WARN, do it and observe the warning; APPROVAL_REQUIRED, a human decides first; BLOCK, do not do it. `input` is the action: {"tool": "name of the tool", "arguments": {…}}. To use an approval, repeat the same call with reviewRequestId.',
  readOnly: false,
  scope: 'evaluate',
  input: Type.Object(
    {
      ...EvaluateRequest.properties,
      redact: Type.Optional(
        Type.Boolean({ description: 'adds redactedInput: the input with detected values masked' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: ShortResponse,
  async run({ redact, ...request }, call, { evaluations }) {
    checkJson(request.metadata, '/metadata', metadataJson);
    // A session named by the arguments wins over that of the connection; a result belongs to the session of its action.
    const isNamed = request.externalSessionId !== undefined || request.phase === 'RESULT';
    const sessionId = request.sessionId ?? (isNamed ? null : call.sessionId);
    const { data, text: json } = await evaluations.evaluate(
      call.caller,
      { ...request, ...(sessionId !== null && { sessionId }) },
      {
        transport: 'MCP',
        redact: redact ?? false,
        idempotencyKey: null,
        sessionName: call.sessionName,
        text: call.argumentsText,
        trace: call.trace,
        identityToken: call.identityToken,
      },
    );
    const isObvious =
      data.enforcementAction === 'ALLOW' && !data.approval?.applied && data.policiesEvaluated > 0;
    return { text: textOfDecision(data), json: shortened(json, data), isObvious };
  },
});

function textOfDecision(response: EvaluateResult): string {
  const { enforcementAction } = response;
  switch (enforcementAction) {
    case 'ALLOW':
      if (response.approval?.applied) return 'ALLOW: the approval is used up. Do the action once, now.';
      return response.policiesEvaluated === 0
        ? 'ALLOW: do the action. No policy is bound: everything is allowed.'
        : 'ALLOW: do the action.';
    case 'WARN':
      return `WARN: the action may be done, but note: ${reasons(response.violations)}`;
    case 'APPROVAL_REQUIRED':
      return `APPROVAL_REQUIRED: do not do the action yet, a human must approve it: ${unused(response)}${reasons(response.violations)} Call await_review with ${JSON.stringify({ id: response.reviewRequestId })}. When it is APPROVED, call evaluate again with the same arguments and ${useOf(response)} added; do the action once if the decision is ALLOW.`;
    case 'BLOCK':
      return `BLOCK: do not do the action: ${unused(response)}${reasons(response.violations)} Do not try it again in another form; tell the user.`;
    default:
      return never(enforcementAction);
  }
}

/** An approval is bound to its session, so the session is named: the next call could join another one. */
const useOf = ({ reviewRequestId, sessionId }: EvaluateResult): string =>
  JSON.stringify({ reviewRequestId, ...(sessionId !== null && { sessionId }) });

/** Reasons that the rest of the sentence says already. */
const unsaid: ReadonlySet<ApprovalReason> = new Set(['applied', 'not_needed', 'blocked', 'pending']);

/** Why the approval that the call named did not lift the hold. */
function unused({ approval }: EvaluateResult): string {
  if (!approval || unsaid.has(approval.reason)) return '';
  return /[.!?]$/.test(approval.message) ? `${approval.message} ` : `${approval.message}. `;
}

const reasons = (violations: readonly Violation[]): string =>
  [...new Set(violations.filter(({ mode }) => mode === 'ENFORCE').map(({ message }) => message))]
    .map((message) => (/[.!?]$/.test(message) ? message : `${message}.`))
    .join(' ');

const sessionId = Type.Optional(Type.String({ ...Uuid, description: 'default: the session of this client' }));

const startSession = defineTool({
  name: 'start_session',
  title: 'Open a session',
  description:
    'Opens a separate evaluation session for one task. Pass its id as sessionId to every evaluate of the task. Without it, evaluations share the session of this client.',
  readOnly: false,
  scope: 'sessions:open',
  input: CreateEvaluationSession,
  output: CreatedEvaluationSession,
  async run(request, call, { sessions }) {
    checkJson(request.metadata, '/metadata', metadataJson);
    const metadata = request.metadata === undefined ? null : memberText(call.argumentsText, 'metadata');
    const { data, text: json } = await sessions.create(call.caller.integration, request, metadata, null, {
      identityToken: call.identityToken,
    });
    return {
      text: `The session is open until ${data.expiresAt}. Pass ${JSON.stringify({ sessionId: data.id })} to every evaluate of this task, and end it with end_session.`,
      json,
    };
  },
});

const endSession = defineTool({
  name: 'end_session',
  title: 'End a session',
  description:
    'Ends a session: COMPLETED (default) for a normal end, TERMINATED for an early one. No evaluation can be added after it.',
  readOnly: false,
  scope: 'sessions:end',
  input: Type.Object({ sessionId, ...EndEvaluationSession.properties }, { additionalProperties: false }),
  output: EndedEvaluationSession,
  async run(input, call, services) {
    const id = await sessionOf(input.sessionId, call, services);
    const status = input.status ?? 'COMPLETED';
    const { data, text: json } = await services.sessions.end(call.caller.integration.id, id, status, null);
    return { text: `The session is ${status} with ${counted(data.actionCount)}.`, json };
  },
});

const getSession = defineTool({
  name: 'get_session',
  title: 'Read a session',
  description: 'The state of a session: counts, tools used, data tags and the most recent actions.',
  readOnly: true,
  scope: 'read',
  input: Type.Object({ sessionId }, { additionalProperties: false }),
  output: EvaluationSession,
  async run(input, call, services) {
    const id = await sessionOf(input.sessionId, call, services);
    const { data, text: json } = await services.sessions.read(call.caller.integration.id, id);
    return {
      text: `The session is ${data.status} with ${counted(data.actionCount)}: ${data.warningCount} warned about, ${data.reviewCount} held for approval (${data.rejectionCount} rejected), ${data.blockCount} blocked.`,
      json,
    };
  },
});

async function sessionOf(
  named: string | undefined,
  { caller: { integration }, sessionId, sessionName }: ToolCall,
  { sessions }: ToolServices,
): Promise<string> {
  const id = named ?? sessionId ?? (await sessions.findNamed(integration.id, sessionName));
  if (id !== null) return id;
  throw new AppError('not_found', 'this client has no session yet: the first evaluate opens one');
}

const counted = (actions: number): string => `${actions} ${actions === 1 ? 'action' : 'actions'}`;

/** Longest wait of one call, in seconds: well below the timeouts of clients for a tool call (60 s is common). */
const longestWait = 20;
/** Seconds between two progress notifications. */
const progressEvery = 5;

const listReviews = defineTool({
  name: 'list_reviews',
  title: 'List reviews',
  description:
    'The actions that were held for a human to approve, newest first. Only a human can decide them; no tool can.',
  readOnly: true,
  scope: 'read',
  input: Type.Object(
    {
      status: Type.Optional(ReviewStatus),
      sessionId: Type.Optional(Uuid),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'default 1' })),
      size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'default 50' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    data: Type.Array(ListedReview),
    pagination: Type.Object({ total: Type.Integer(), page: Type.Integer(), size: Type.Integer() }),
  }),
  async run(
    { page = defaultPage.page, size = defaultPage.size, sessionId, ...filter },
    { caller: { integration } },
    { reviews },
  ) {
    const listed = await reviews.list(
      {
        ...filter,
        ...(sessionId !== undefined && { sessionId: sessionId.toLowerCase() }),
        integrationId: integration.id,
      },
      { page, size },
    );
    const { total } = listed.pagination;
    const lines = listed.data.map(({ id, status, tool }) => `${id} ${status} ${tool ?? '(no tool)'}`);
    return {
      text: [`${total} ${total === 1 ? 'review' : 'reviews'}${lines.length > 0 ? ':' : '.'}`, ...lines].join(
        '\n',
      ),
      json: JSON.stringify(listed),
    };
  },
});

export const awaitReview = defineTool({
  name: 'await_review',
  title: 'Wait for the decision of a review',
  description: `Waits up to ${longestWait} seconds for a human to decide the review, and returns the review. Call it again while it is PENDING. It cannot decide the review.`,
  readOnly: true,
  scope: 'read',
  input: Type.Object(
    {
      id: Type.String({ ...Uuid, description: 'the reviewRequestId returned by evaluate' }),
      wait: Type.Optional(
        Type.Integer({ minimum: 0, maximum: longestWait, description: `seconds; default ${longestWait}` }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Review,
  async run({ id, wait = longestWait }, { caller: { integration }, signal, progress }, { reviews }) {
    let waited = 0;
    const reader = { integrationId: integration.id, decides: false };
    let review = await reviews.read(reader, id);
    while (review.status === 'PENDING' && waited < wait && !signal.aborted) {
      await progress(waited, wait, 'waiting for a human to decide');
      const slice = Math.min(progressEvery, wait - waited);
      review = await reviews.await(reader, id, slice * 1_000, signal);
      waited += slice;
    }
    return { text: textOfReview(review), json: JSON.stringify(review) };
  },
});

function textOfReview({ id, status, comment, sessionId }: Review): string {
  const use = JSON.stringify({ reviewRequestId: id, ...(sessionId !== null && { sessionId }) });
  const said = comment === null ? '' : ` The reviewer's comment: ${comment}`;
  switch (status) {
    case 'PENDING':
      return 'PENDING: nobody has decided yet. Do not do the action. Call await_review again.';
    case 'APPROVED':
      return `APPROVED: call evaluate again with the same arguments and ${use} added, and do the action once if the decision is ALLOW.${said}`;
    case 'REJECTED':
      return `REJECTED: do not do the action, and tell the user.${said}`;
    case 'EXPIRED':
      return 'EXPIRED: nobody decided in time. Do not do the action. Calling evaluate again opens a new review.';
    case 'CANCELLED':
      return 'CANCELLED: the session was over before anybody decided. Do not do the action.';
    case 'CONSUMED':
      return 'CONSUMED: the approval was used already. Calling evaluate again opens a new review.';
    default:
      return never(status);
  }
}

/** In the order they are listed. None of them decides a review: an agent must not approve itself. */
export const tools: readonly Tool[] = [
  evaluate,
  startSession,
  endSession,
  getSession,
  listReviews,
  awaitReview,
];
