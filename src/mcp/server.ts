import {
  type CallToolRequest,
  type CallToolResult,
  type Tool as ListedTool,
  type ListToolsRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type { ErrorObject } from 'ajv';
import { AppError } from '../errors.ts';
import { explainMistakes } from '../http/plugins/validation.ts';
import { listedSchema } from './listed-schema.ts';
import { answered, guidedOutput, refused } from './results.ts';
import type { Tool, ToolCall, ToolServices } from './tools/tool.ts';
import { tools } from './tools/tools.ts';

/** Newest first: the first of the older ones is offered to a client that asks for one we do not speak. */
export const protocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];

const instructions =
  'Assize decides what an agent may do. Call evaluate before every action and do what enforcementAction says. It remembers what was done before in the session. When an action is held, wait with await_review: only a human can approve it.';

/** The lists change only with a new version of this program. */
const listsLast = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** Compiles a schema to a check whose mistakes are on its `errors`. */
export type Compile = (schema: object) => Check;
export interface Check {
  (value: unknown): unknown;
  errors?: ErrorObject[] | null;
}

/** What the outside of the SDK knows of the request; null where it is no call of a tool. */
export type PendingCall = Omit<ToolCall, 'signal' | 'progress'> & {
  refusal: AppError | null;
  /** Tells the log of what no caller may see. */
  onError(error: unknown): void;
};

/** Answers a function that makes the server of one request: all that is costly is made once, here. */
export function createServers(services: ToolServices, version: string, compile: Compile) {
  const info = { name: 'assize', title: 'Assize', version };
  const options: ServerOptions = {
    // Only a server that says so is listened to: a stream's end tells the client to list again.
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
        'the list has one page: there is no such cursor',
      );
    }
    return { tools: listed };
  }

  async function run(
    { params }: CallToolRequest,
    ctx: ServerContext,
    pending: PendingCall,
  ): Promise<CallToolResult> {
    const named = byName.get(params.name);
    if (!named) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name}`);
    const { tool, check } = named;
    try {
      if (pending.refusal) throw pending.refusal;
      const input = params.arguments ?? {};
      if (!check(input)) {
        throw new AppError('invalid', 'the arguments are not valid', {
          details: explainMistakes(check.errors ?? []),
        });
      }
      const call = { ...pending, signal: ctx.mcpReq.signal, progress: progressOf(ctx) };
      return answered(await tool.run(input as never, call, services));
    } catch (error) {
      if (error instanceof AppError && error.code !== 'internal') {
        if (error.cause !== undefined) pending.onError(error.cause);
        return refused(error);
      }
      pending.onError(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'internal server error');
    }
  }

  return (pending: PendingCall): Server => {
    const server = new Server(info, options);
    server.setRequestHandler('tools/list', list);
    server.setRequestHandler('tools/call', (request, ctx) => run(request, ctx, pending));
    return server;
  };
}

/** Only a client that gave a token wants to hear of progress. */
function progressOf({ mcpReq }: ServerContext): ToolCall['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return async () => undefined;
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
