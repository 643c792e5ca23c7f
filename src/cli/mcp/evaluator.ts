import { hash } from 'node:crypto';
import type { AssizeClient } from '../../client/client.ts';
import { AssizeError } from '../../client/error.ts';
import type { Evaluator, SeenTool } from '../../mcp-proxy/judge.ts';
import { findSession } from '../hook/conversation.ts';

/** Evaluates calls of an MCP server in the session of one conversation, which the first evaluation finds or opens. */
export function createEvaluator(
  client: AssizeClient,
  { server, conversation, limitMs }: { server: string; conversation: string; limitMs: number },
): Evaluator {
  let session: Promise<string> | null = null;
  const sessionOf = (signal: AbortSignal) => {
    session ??= findSession(client, conversation, 'mcp-proxy', signal).catch((error) => {
      session = null;
      throw error;
    });
    return session;
  };

  return {
    async evaluate(request, { redact, signal: cancelled }) {
      const limit = AbortSignal.timeout(limitMs);
      const signal = cancelled === undefined ? limit : AbortSignal.any([limit, cancelled]);
      const options = { signal, ...(redact && { redact }) };
      try {
        // The session of a RESULT is that of its action.
        if (request.phase === 'RESULT') return await client.evaluate(request, options);
        const ask = async (sessionId: string) => client.evaluate({ ...request, sessionId }, options);
        // One limit for both: another call of the same moment waits for the session as well.
        const before = session;
        try {
          return await ask(await sessionOf(limit));
        } catch (error) {
          if (before === null || !isGone(error)) throw error;
          if (session === before) session = null;
          const { reviewRequestId: _, ...again } = request;
          return await client.evaluate({ ...again, sessionId: await sessionOf(limit) }, options);
        }
      } catch (error) {
        if (limit.aborted) throw new Error(`no response from the service within ${limitMs} ms`);
        throw error;
      }
    },

    async see(tools) {
      const signal = AbortSignal.timeout(limitMs);
      const seen: SeenTool[] = [];
      for (const some of inRequests(tools.map(sendable)))
        seen.push(
          ...(await client.seeTools({ server, externalSessionId: conversation, tools: some }, { signal }))
            .tools,
        );
      return seen;
    },

    async waitForReview(id, ms, signal) {
      try {
        return await client.reviews.waitFor(id, { timeoutMs: ms, signal });
      } catch (error) {
        if (error instanceof AssizeError && error.code === 'timeout') return null;
        throw error;
      }
    },
  };
}

/** Most tools that one request tells of, and most characters of JSON in it. */
const mostTools = 200;
const mostCharacters = 500_000;

/** A definition that no request can hold is compared by its digest. */
function sendable(tool: unknown): unknown {
  const text = JSON.stringify(tool);
  if (text.length <= mostCharacters) return tool;
  const { name } = tool as { name?: unknown };
  return { name, description: `${text.length} characters, SHA-256 ${hash('sha256', text)}` };
}

function* inRequests(tools: readonly unknown[]): Generator<unknown[]> {
  let some: unknown[] = [];
  let characters = 0;
  for (const tool of tools) {
    const { length } = JSON.stringify(tool);
    if (some.length === mostTools || (some.length > 0 && characters + length > mostCharacters)) {
      yield some;
      [some, characters] = [[], 0];
    }
    some.push(tool);
    characters += length;
  }
  if (some.length > 0) yield some;
}

/** The session ended or expired, or the database is another one. */
const isGone = (error: unknown): boolean =>
  error instanceof AssizeError && (error.code === 'conflict' || error.code === 'not_found');
