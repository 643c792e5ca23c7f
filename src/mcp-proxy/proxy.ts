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
import {
  isMethodName,
  isNotification,
  otherSide,
  type Side,
  type Treatment,
  treatmentOf,
} from './methods.ts';
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

// The input that policies see of a message, and what of the message is sent on: nothing else of it reaches the other end.

/** Members of `_meta` that are the protocol's: whatever else a client puts there is not seen by policies, and so is not sent on. */
const protocolMeta = /^(?:progressToken|traceparent|tracestate|baggage|io\.modelcontextprotocol\/[\w.-]+)$/;

/** The params with the `_meta` that may be sent on. */
function passedParams(params: Json): Json {
  if (params._meta === undefined) return params;
  if (!isJson(params._meta)) throw new MessageError(rpcCodes.invalidParams, '_meta must be an object');
  const entries = Object.entries(params._meta).filter(([key]) => protocolMeta.test(key));
  return { ...params, _meta: Object.fromEntries(entries) };
}

/**
 * A request as policies see it. `tool` is the name that the hooks of agents send, and `mcp` says where it divides: a tool of the
 * server, or the method of a request that is no tool's. Throws MessageError for params that cannot be read in one way only.
 */
function inputOf(server: string, method: string, params: Json, treatment: Treatment): Json {
  const { _meta: _, ...given } = params;
  if (treatment !== 'pass') checkNames(given, treatment.known);
  const named = (tool: string, args: unknown) => ({
    tool: `mcp__${server}__${tool}`,
    arguments: args,
    mcp: { server, tool, method },
  });
  if (method === 'prompts/get') {
    // Not under their own names: a call in the arguments of a call would be taken for it.
    const { name: prompt, arguments: values, ...others } = given;
    return named(method, { prompt, values, ...others });
  }
  if (method !== 'tools/call') return named(method, given);
  const { name, arguments: args = {}, inputResponses, requestState: __, ...others } = given;
  if (typeof name !== 'string' || name === '' || name.length > longestName)
    throw new MessageError(rpcCodes.invalidParams, `name must be a text of 1 to ${longestName} characters`);
  if (!isJson(args)) throw new MessageError(rpcCodes.invalidParams, 'arguments must be an object');
  // Rules would take a tool of this name for the method, and white space is not part of a name for them.
  if (isMethodName(name) || name !== name.normalize('NFC').trim())
    throw new MessageError(rpcCodes.invalidParams, 'the tool has a name that rules cannot tell apart');
  return {
    ...named(name, args),
    // The words of the person, or of the client's model, to a server that asked for them.
    ...(inputResponses !== undefined && { inputResponses }),
    ...(Object.keys(others).length > 0 && { others }),
  };
}

const longestName = 256;

/** A reader that ignores case would read another value than policies saw. */
function checkNames(params: Json, known: readonly string[]): void {
  const folded = new Map(known.map((name) => [fold(name), name]));
  for (const key of Object.keys(params)) {
    const name = folded.get(fold(key));
    if (name !== undefined && name !== key)
      throw new MessageError(rpcCodes.invalidParams, `${name} is written in another case`);
  }
}

/** As Go compares names: the long s and the sign of Kelvin are letters, too. */
const fold = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\u017f/g, 's')
    .replace(/\u212a/g, 'k');

/**
 * A result as policies see it: all of it but the bytes of pictures and sounds. Only in blocks of content, which a client shows as
 * what they are: in structured content, a model reads everything as text.
 */
const readableResult = (value: unknown): unknown => mapMedia(value, null);

/** The masked result with the bytes that policies did not see. */
const withMedia = (masked: Json, original: unknown): Json => mapMedia(masked, { original }) as Json;

const contentKeys: ReadonlySet<string> = new Set(['content', 'contents', 'messages', 'resource']);

/** Replaces bytes by their number, or with `restore`, by those of the original. */
function mapMedia(value: unknown, restore: { original: unknown } | null): unknown {
  if (Array.isArray(value))
    return value.map((member, at) =>
      mapMedia(member, restore && { original: memberOf(restore.original, at) }),
    );
  if (!isJson(value)) return value;
  const original = restore === null ? value : restore.original;
  const entries = Object.entries(value).map(([key, member]) => {
    const before = memberOf(original, key);
    if (isMedia(original, key, before))
      return [key, restore === null ? { byteLength: Math.floor((before.length * 3) / 4) } : before];
    return [key, contentKeys.has(key) ? mapMedia(member, restore && { original: before }) : member];
  });
  return Object.fromEntries(entries);
}

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

function isMedia(block: unknown, key: string, member: unknown): member is string {
  if (!isJson(block) || typeof member !== 'string' || member.length <= 1_000) return false;
  const { type, uri, mimeType } = block;
  const holds =
    key === 'data' ? type === 'image' || type === 'audio' : key === 'blob' && typeof uri === 'string';
  return (
    holds && /^(?:image\/(?!svg)|audio\/|video\/)/.test(String(mimeType)) && /^[\w+/-]+={0,2}$/.test(member)
  );
}
