import type { AssizeClient } from '../../client/client.ts';
import { AssizeError } from '../../client/error.ts';
import { inRequests } from '../../features/tools/told-tools.ts';
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
      for (const some of inRequests(tools))
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

/** The session ended or expired, or the database is another one. */
const isGone = (error: unknown): boolean =>
  error instanceof AssizeError && (error.code === 'conflict' || error.code === 'not_found');
