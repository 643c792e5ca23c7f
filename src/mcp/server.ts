import {
  type CallToolRequest,
  type CallToolResult,
  type Tool as ListedTool,
  type ListToolsRequest,
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { ErrorObject } from 'ajv';
import { AppError, type ErrorDetail } from '../errors.ts';
import { assertScope } from '../features/integrations/service.ts';
import { explainMistakes } from '../http/plugins/schema-compilers.ts';
import { parseForWriting } from '../json/parse.ts';
import type { JsonObject } from '../schemas/values.ts';
import { protocolVersions } from './message.ts';
import type { PlainCall } from './plain-call.ts';
import type { Tool, ToolCall, ToolResponse, ToolServices } from './tools.ts';
import { tools } from './tools.ts';

/** The schema of a tool's structured content: its own result, preceded by a sentence that says what to do. */
const guidedOutput = (output: TObject): TObject =>
  Type.Object({
    guidance: Type.Optional(Type.String({ description: 'what to do now' })),
    ...output.properties,
  });

/**
 * First the sentence alone, because some clients show only the first text; then the structured content as JSON, for clients
 * without structured content. The structure repeats the sentence, because other clients show nothing else (Claude Code 2.1.330).
 */
const toolResult = (response: ToolResponse): CallToolResult => {
  const json = guided(response);
  return { content: texts(response, json), structuredContent: parseForWriting(json) as JsonObject };
};

/**
 * The JSON text of the same result, as the SDK completes it, without parsing what is JSON text already. `meta` is the JSON text
 * of its `_meta`.
 */
function toolResultText(response: ToolResponse, meta: string): string {
  const json = guided(response);
  return `{"content":${JSON.stringify(texts(response, json))},"structuredContent":${json},"resultType":"complete","_meta":${meta}}`;
}

const texts = ({ text }: ToolResponse, json: string): CallToolResult['content'] => [
  { type: 'text', text },
  { type: 'text', text: json },
];

const guided = ({ text, json, isObvious = false }: ToolResponse): string =>
  isObvious ? json : `{"guidance":${JSON.stringify(text)},${json.slice(1)}`;

/**
 * A refusal as a result, so that the model can read it and correct the call. It has no structured content: clients would
 * validate that against the output schema, and throw.
 */
const refused = ({ code, details, retryAfterSeconds }: AppError): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: `${code}: ${details.map(worded).join('; ')}${again(retryAfterSeconds)}` }],
  _meta: { 'dev.assize/error': { code, errors: details, retryAfterSeconds } },
});

const worded = ({ message, path }: ErrorDetail): string => (path ? `${path} ${message}` : message);
const again = (seconds: number | null): string => (seconds === null ? '' : `; try again in ${seconds} s`);

const instructions =
  'Assize decides what an agent may do. Call evaluate before every action and follow enforcementAction. Decisions depend on what was done before in the session. When an action is held, wait with await_review: only a human can approve it.';

/** The list of tools changes only with a new version of the service. */
const listsLast = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** Compiles a schema to a check that puts mistakes into its `errors`. */
export type Compile = (schema: object) => Check;
export interface Check {
  (value: unknown): unknown;
  errors?: ErrorObject[] | null;
}

/** The facts about the request that the SDK does not know. */
export type PendingCall = Omit<ToolCall, 'signal' | 'progress'> & {
  refusal: AppError | null;
  /** Logs an error that no caller may see. */
  onError(error: unknown): void;
  /** Why the call failed, if it has already run: the SDK only reports it. */
  failure?: unknown;
};

export interface Servers {
  /** Creates the server of one request. Everything expensive was created before. */
  serverOf(pending: PendingCall): Server;
  /**
   * Runs a plain call without the SDK. Returns the text of the message that the SDK would send; null when the call failed,
   * with the failure in `pending` for the SDK to report.
   */
  runPlain(call: PlainCall, pending: PendingCall, signal: AbortSignal): Promise<string | null>;
}

export function createServers(services: ToolServices, version: string, compile: Compile): Servers {
  const info = { name: 'assize', title: 'Assize', version };
  const options: ServerOptions = {
    // Clients listen only to a server that declares this. The end of the stream tells them to list again.
    capabilities: { tools: { listChanged: true } },
    supportedProtocolVersions: protocolVersions,
    instructions,
    cacheHints: { 'tools/list': listsLast, 'server/discover': listsLast },
  };
  const listed = tools.map(listedTool);
  const byName = new Map(tools.map((tool) => [tool.name, { tool, check: compile(tool.input) }]));

  function list({ params }: ListToolsRequest) {
    if (params?.cursor !== undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'the list has one page: this cursor does not exist',
      );
    }
    return { tools: listed };
  }

  /** Throws an AppError for a refusal, a ProtocolError for a tool that does not exist and for internal errors. */
  async function run(
    { name, arguments: input = {} }: CallToolRequest['params'],
    call: PendingCall & ToolCall,
  ): Promise<ToolResponse> {
    const named = byName.get(name);
    if (!named) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `tool ${name} does not exist`);
    const { tool, check } = named;
    try {
      assertScope(call.caller.key.scopes, tool.scope);
      if (call.refusal) throw call.refusal;
      if (!check(input)) {
        throw new AppError('invalid', 'the arguments are not valid', {
          details: explainMistakes(check.errors ?? []),
        });
      }
      return await tool.run(input as never, call, services);
    } catch (error) {
      if (error instanceof AppError && error.code !== 'internal') {
        if (error.cause !== undefined) call.onError(error.cause);
        throw error;
      }
      call.onError(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'internal server error');
    }
  }

  async function callTool(
    { params }: CallToolRequest,
    ctx: ServerContext,
    pending: PendingCall,
  ): Promise<CallToolResult> {
    try {
      if (pending.failure !== undefined) throw pending.failure;
      return toolResult(
        await run(params, { ...pending, signal: ctx.mcpReq.signal, progress: progressOf(ctx) }),
      );
    } catch (error) {
      if (error instanceof AppError) return refused(error);
      throw error;
    }
  }

  const identity = JSON.stringify({ [SERVER_INFO_META_KEY]: info });

  return {
    serverOf(pending) {
      const server = new Server(info, options);
      server.setRequestHandler('tools/list', list);
      server.setRequestHandler('tools/call', (request, ctx) => callTool(request, ctx, pending));
      return server;
    },
    async runPlain({ id, ...params }, pending, signal) {
      try {
        const text = toolResultText(
          await run(params, { ...pending, signal, progress: noProgress }),
          identity,
        );
        return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`;
      } catch (error) {
        pending.failure = error;
        return null;
      }
    },
  };
}

const noProgress: ToolCall['progress'] = async () => undefined;

/** Reports progress only to a client that sent a token. */
function progressOf({ mcpReq }: ServerContext): ToolCall['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return noProgress;
  return (progress, total, message) =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } });
}

const listedTool = ({ name, title, description, readOnly, input, output }: Tool): ListedTool => ({
  name,
  title,
  description,
  inputSchema: listedSchema(input) as ListedTool['inputSchema'],
  outputSchema: listedSchema(guidedOutput(output)) as NonNullable<ListedTool['outputSchema']>,
  annotations: {
    title,
    readOnlyHint: readOnly,
    destructiveHint: false,
    idempotentHint: readOnly,
    openWorldHint: false,
  },
});

export interface ListedSchema {
  [key: string]: unknown;
  type: 'object';
}

/**
 * The JSON Schema of an object in a form that all clients accept. Some clients and model APIs refuse lists of types, empty
 * schemas and pattern properties, so those are expressed in another way.
 */
const listedSchema = (schema: TSchema): ListedSchema =>
  plain(JSON.parse(JSON.stringify(schema))) as ListedSchema;

type Schema = Record<string, unknown>;

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
  return withoutTypeList(withoutKeyPattern(schema));
}

function withoutKeyPattern({ patternProperties, ...schema }: Schema): Schema {
  const [values] = Object.values((patternProperties ?? {}) as Record<string, Schema>);
  if (!values) return schema;
  return { ...schema, additionalProperties: Object.keys(values).length === 0 ? true : values };
}

function withoutTypeList({ type, ...schema }: Schema): Schema {
  if (!Array.isArray(type)) return type === undefined ? schema : { type, ...schema };
  const { description, ...rest } = schema;
  const anyOf = type.map((one) => (one === 'null' ? { type: one } : { type: one, ...rest }));
  return description === undefined ? { anyOf } : { description, anyOf };
}
