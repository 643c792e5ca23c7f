import { Type } from '@sinclair/typebox';
import { never } from '../../errors.ts';
import { checkJson, metadataJson } from '../../http/json-checks.ts';
import { memberText } from '../../json/member-text.ts';
import type { Violation } from '../../schemas/decisions.ts';
import { type ApprovalReason, EvaluateRequest, EvaluateResult } from '../../schemas/evaluations.ts';
import { defineTool } from './tool.ts';

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

export const evaluate = defineTool({
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
    return { text: whatToDo(data), json: shortened(json, data), isObvious };
  },
});

function whatToDo(response: EvaluateResult): string {
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
