import { inputOf, passedParams, readableResult, withMedia } from './evaluated.ts';
import { createJudge, type Go, isStop, type JudgeOptions, type Stop } from './judge.ts';
import {
  asLine,
  errorText,
  type Id,
  isJson,
  type Json,
  type Message,
  MessageError,
  messageText,
  readMessage,
  resultText,
  rpcCodes,
} from './message.ts';
import { isNotification, otherSide, type Side, type Treatment, treatmentOf } from './methods.ts';
import { createToolLists, type ToolList, type Untold } from './tool-list.ts';

export interface ProxyOptions extends JudgeOptions {
  /** The name of the server in rules: `mcp.server`. */
  server: string;
  /** The place in lists of tools that a client may not call now. */
  toolList: ToolList;
  /** Definitions that could not be compared, for conversations that have them in common; its own when absent. */
  untold?: Untold;
  /** For the person who runs it: a message that was dropped, without its content. */
  log: (line: string) => void;
}

/** One conversation between a client and a server. Everything that is sent in it goes through `receive`. */
export interface Proxy {
  /**
   * Takes a message of one side. Resolves with the text that the other side gets, or with null when it gets none. `back` sends
   * something to the side that the message came from. Never rejects: what cannot be decided is not sent on.
   */
  receive(from: Side, text: string, back: (text: string) => void): Promise<string | null>;
  /** The same for a message that could not be read. */
  refuse(from: Side, error: MessageError, back: (text: string) => void): string | null;
  /** The side is gone: answers what the other one waits for. */
  lost(side: Side, reason: string, toOther: (text: string) => void): void;
}

/** A request that has no response yet. */
interface Pending {
  id: Id;
  method: string;
  treatment: Treatment;
  /** Null while it is decided: nothing was sent on, so no response can belong to it. */
  sent: { action: Go | null } | null;
  modern: boolean;
  abort: AbortController;
}

/** Requests of one side at a time. Each may hold a message in memory. */
const mostPending = 1_000;
const progressMs = 5_000;

export function createProxy({ server, toolList, untold, log, ...options }: ProxyOptions): Proxy {
  const judge = createJudge(options);
  const lists = createToolLists(options.evaluator, toolList, log, untold);
  const pending: Record<Side, Map<Id, Pending>> = { client: new Map(), server: new Map() };

  async function receive(from: Side, text: string, back: (text: string) => void): Promise<string | null> {
    let message: Message;
    try {
      message = readMessage(text);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      return refused(from, error, back);
    }
    if (message.kind === 'notification') return notified(from, message);
    return message.kind === 'request' ? requested(from, message, back) : responded(from, message, text);
  }

  function refused(
    from: Side,
    { id, code, message, isResponse }: MessageError,
    back: (text: string) => void,
  ): string | null {
    log(`a message of the ${from} was refused: ${message}`);
    if (isResponse) {
      const asked = id === null ? undefined : pending[otherSide(from)].get(id);
      if (!asked?.sent) return null;
      pending[otherSide(from)].delete(asked.id);
      return errorText(id, rpcCodes.internal, `the response was refused: ${message}`);
    }
    // Servers write other things than messages, too, and expect nothing for it.
    if (from === 'server' && id === null) return null;
    // An id in use belongs to the request that has it.
    back(errorText(id !== null && pending[from].has(id) ? null : id, code, message));
    return null;
  }

  function notified(
    from: Side,
    { method, params, value }: Message & { kind: 'notification' },
  ): string | null {
    if (!isNotification(from, method)) {
      log(`a notification of the ${from} was dropped: it has an unknown method, or a request's`);
      return null;
    }
    if (method !== 'notifications/cancelled') return messageText(value);
    const cancelled = pending[from].get(params.requestId as Id);
    if (!cancelled) return null;
    pending[from].delete(cancelled.id);
    cancelled.abort.abort();
    return cancelled.sent ? messageText(value) : null;
  }

  async function requested(
    from: Side,
    message: Message & { kind: 'request' },
    back: (text: string) => void,
  ): Promise<string | null> {
    const { id, method, params, value } = message;
    const treatment = treatmentOf(from, method);
    const refuse = (code: number, words: string, of: Id | null = id) =>
      refused(from, new MessageError(code, words, of), back);
    // A response with the id of another request would be taken for that one's.
    if (pending[from].has(id)) return refuse(rpcCodes.invalidRequest, 'the id is in use', null);
    if (treatment === null) return refuse(rpcCodes.methodNotFound, 'the method is not known');
    if (pending[from].size >= mostPending)
      return refuse(rpcCodes.stopped, `more than ${mostPending} requests at a time`);
    const modern = isModern(params);
    const request: Pending = { id, method, treatment, sent: null, modern, abort: new AbortController() };
    pending[from].set(id, request);
    if (treatment !== 'pass') return decided(from, message, request, back);
    if (params.inputResponses !== undefined) {
      close(from, request);
      return refuse(rpcCodes.invalidParams, 'inputResponses are for requests that are evaluated');
    }
    request.sent = { action: null };
    return messageText(value);
  }

  async function decided(
    from: Side,
    { id, method, params, value }: Message & { kind: 'request' },
    request: Pending,
    back: (text: string) => void,
  ): Promise<string | null> {
    try {
      const passed = passedParams(params);
      const input = inputOf(server, method, params, request.treatment);
      const told = (review: string) => tellProgress(params, review, back);
      const unseen = method === 'tools/call' ? await lists.unseen(params.name) : null;
      const action = unseen ?? (await judge.action(input, request.abort.signal, told));
      if (isStop(action)) {
        if (close(from, request)) back(stoppedRequest(request, action));
        return null;
      }
      if (pending[from].get(id) !== request) return null;
      request.sent = { action };
      return messageText({ ...value, params: passed });
    } catch (error) {
      const mistake =
        error instanceof MessageError
          ? new MessageError(error.code, error.message, id)
          : new MessageError(rpcCodes.internal, 'the request could not be read', id);
      // Cancelled: nobody waits for a response.
      return close(from, request) ? refused(from, mistake, back) : null;
    }
  }

  /** False when it was cancelled. */
  function close(from: Side, request: Pending): boolean {
    return pending[from].get(request.id) === request && pending[from].delete(request.id);
  }

  async function responded(
    from: Side,
    { id, body, value }: Message & { kind: 'response' },
    text: string,
  ): Promise<string | null> {
    const asked = pending[otherSide(from)];
    const request = asked.get(id);
    if (!request?.sent) {
      log(`a response of the ${from} was dropped: nothing was asked under its id`);
      return null;
    }
    const { action } = request.sent;
    // A second response under this id is none.
    request.sent = null;
    try {
      // A client would ask its model or the person, and nobody would have evaluated that.
      if (action === null && isJson(body.result) && body.result.inputRequests !== undefined)
        return stoppedResult(request, { message: 'withheld: it asks for input', evaluation: null });
      if (request.method === 'tools/list' && from === 'server')
        return textWith(await lists.shown(body.result), value, text);
      if (action === null) return asLine(text);
      const stop = (await stoppedInput(from, body)) ?? (await stoppedBody(action, body));
      // Cancelled meanwhile.
      if (asked.get(id) !== request) return null;
      if (stop === null) return asLine(text);
      return isStop(stop) ? stoppedResult(request, stop) : messageText({ ...value, result: stop });
    } catch {
      return stoppedResult(request, { message: 'withheld: it could not be read', evaluation: null });
    } finally {
      close(otherSide(from), request);
    }
  }

  /** Null when the result may be shown as it is; otherwise why not, or what is shown instead. */
  async function stoppedBody(action: Go, body: Json): Promise<Stop | Json | null> {
    const { result } = body;
    const failed = !isJson(result) || result.isError === true;
    const seen = readableResult(result ?? body);
    const decided = await judge.result(action, failed ? 'FAILED' : 'OK', seen);
    if (isStop(decided)) return decided;
    return decided.masked === null || result === undefined ? null : withMedia(decided.masked, result);
  }

  /** Since 2026-07-28 a server asks the client, its model and the person in a result. Null when it may. */
  async function stoppedInput(from: Side, { result }: Json): Promise<Stop | null> {
    const asked = isJson(result) ? result.inputRequests : undefined;
    if (from !== 'server' || !isJson(asked)) return null;
    for (const request of Object.values(asked)) {
      const { method = '', params = {} } = isJson(request) ? request : {};
      const treatment = treatmentOf('server', String(method));
      if (treatment === null || !isJson(params))
        return { message: 'withheld: the server asks for something that is not known', evaluation: null };
      if (treatment === 'pass') continue;
      const input = inputOf(server, String(method), params, treatment);
      const decided = await judge.action(input, new AbortController().signal, () => () => undefined);
      if (isStop(decided)) return decided;
    }
    return null;
  }

  return {
    async receive(from, text, back) {
      try {
        return await receive(from, text, back);
      } catch (error) {
        log(`a message of the ${from} was dropped: ${error instanceof Error ? error.name : 'error'}`);
        return null;
      }
    },
    refuse: refused,
    lost(side, reason, toOther) {
      const asked = pending[otherSide(side)];
      for (const { id, abort } of asked.values()) {
        abort.abort();
        toOther(errorText(id, rpcCodes.internal, reason));
      }
      asked.clear();
    },
  };
}

/** The response with another result; as it is for null. */
const textWith = (result: Json | null, value: Json, text: string): string =>
  result === null ? asLine(text) : messageText({ ...value, result });

/** From revision 2026-07-28 on each request says its revision. */
const isModern = ({ _meta: meta }: Json): boolean =>
  isJson(meta) && meta['io.modelcontextprotocol/protocolVersion'] !== undefined;

/** Tells a client that asked for progress that its call waits, until the returned function is called. */
function tellProgress({ _meta: meta }: Json, review: string, back: (text: string) => void): () => void {
  const progressToken = isJson(meta) ? meta.progressToken : undefined;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return () => undefined;
  let told = 0;
  const tell = () => {
    told++;
    // Less than any progress of the server: progress must grow.
    const params = {
      progressToken,
      progress: told / 1e9,
      message: `waiting for approval (review ${review})`,
    };
    back(messageText({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  };
  tell();
  const timer = setInterval(tell, progressMs);
  return () => clearInterval(timer);
}

interface Stopped {
  id: Id;
  method: string;
  /** Whether each result must say its type (revision 2026-07-28). */
  modern: boolean;
}

/** The response to a request that may not be done. */
function stoppedRequest(request: Stopped, stop: Stop): string {
  const { id, method } = request;
  // The answer of a person who says no.
  if (method === 'elicitation/create') return resultText(id, { action: 'decline' });
  return method === 'tools/call' ? toolError(request, stop) : rpcError(request, stop);
}

/** The response in place of one that may not be shown. */
function stoppedResult(request: Stopped, stop: Stop): string {
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
