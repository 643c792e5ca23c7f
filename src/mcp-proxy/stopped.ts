import type { Stop } from './judge.ts';
import { errorText, type Id, resultText, rpcCodes } from './message.ts';

interface Stopped {
  id: Id;
  method: string;
  /** Whether each result must say its type (revision 2026-07-28). */
  modern: boolean;
}

/** The response to a request that may not be done. */
export function stoppedRequest(request: Stopped, stop: Stop): string {
  const { id, method } = request;
  // The answer of a person who says no.
  if (method === 'elicitation/create') return resultText(id, { action: 'decline' });
  return method === 'tools/call' ? toolError(request, stop) : rpcError(request, stop);
}

/** The response in place of one that may not be shown. */
export function stoppedResult(request: Stopped, stop: Stop): string {
  const { id, method } = request;
  if (method === 'elicitation/create') return resultText(id, { action: 'cancel' });
  return method === 'tools/call'
    ? toolError(request, { ...stop, message: `the result is withheld: ${stop.message}` })
    : rpcError(request, stop);
}

/**
 * A model reads the text of a tool's error, and nothing else of it. Without structured content: clients throw where it does not have
 * the form of the tool's output schema, and need none in an error.
 */
const toolError = ({ id, modern }: Stopped, stop: Stop): string =>
  resultText(id, {
    ...(modern && { resultType: 'complete' }),
    content: [{ type: 'text', text: `Assize: ${stop.message}` }],
    isError: true,
    _meta: { 'dev.assize/decision': decisionOf(stop) },
  });

function rpcError({ id, method }: Stopped, stop: Stop): string {
  // "User rejected sampling request" in the specification.
  const code = method === 'sampling/createMessage' ? -1 : rpcCodes.stopped;
  return errorText(id, code, `Assize: ${stop.message}`, { 'dev.assize/decision': decisionOf(stop) });
}

const decisionOf = ({ evaluation }: Stop) =>
  evaluation === null
    ? { enforcementAction: null }
    : {
        enforcementAction: evaluation.enforcementAction,
        evaluationRunId: evaluation.evaluationRunId,
        ...(evaluation.reviewRequestId !== null && { reviewRequestId: evaluation.reviewRequestId }),
      };
