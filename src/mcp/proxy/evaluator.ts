import { AppError } from '../../errors.ts';
import { createToolFinder } from '../../features/tools/allowed.ts';
import { inRequests } from '../../features/tools/told-tools.ts';
import { checkJson } from '../../http/json-checks.ts';
import { readExactly } from '../../json/read-exactly.ts';
import type { Evaluator, SeenTool } from '../../mcp-proxy/judge.ts';
import type { EvaluateRequest } from '../../schemas/evaluations.ts';
import type { IntegrationCaller } from '../../services/access/authentication.ts';
import type { Services } from '../../services/services.ts';

/** For whom, and in which session, messages are evaluated. */
export interface Evaluated {
  caller: IntegrationCaller;
  sessionName: string;
  identityToken: string | null;
}

export type EvaluatingServices = Pick<Services, 'evaluations' | 'reviews' | 'toolCatalogues'>;

/** Largest request to evaluate: that of `POST /v1/evaluate`, in bytes. */
const mostBytes = 1_048_576;

/** Evaluates in this process, under the limits that a request over HTTP has. */
export function createServiceEvaluator(
  server: string,
  { evaluations, reviews, toolCatalogues }: EvaluatingServices,
  evaluated: () => Evaluated,
  onError: (error: unknown) => void,
): Evaluator {
  const finder = createToolFinder(evaluations, toolCatalogues);

  /** An error that is not meant for callers is logged, and its message is not told. */
  async function told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) throw error;
      onError(error);
      throw new AppError('internal', 'internal error');
    }
  }

  return {
    evaluate: (request, { redact, signal }) =>
      told(async () => {
        const { caller, sessionName, identityToken } = evaluated();
        const session = { externalSessionId: sessionName, metadata };
        const named = { ...request, ...(request.phase !== 'RESULT' && session) };
        const text = JSON.stringify(named);
        const { data } = await evaluations.evaluate(caller, readRequest(text), {
          transport: 'MCP',
          redact,
          idempotencyKey: null,
          text,
          identityToken,
        });
        signal?.throwIfAborted();
        return data;
      }),

    see: (tools) =>
      told(async () => {
        const { caller, sessionName, identityToken } = evaluated();
        const seen: SeenTool[] = [];
        for (const some of inRequests(tools)) {
          const read = readExactly(JSON.stringify(some)) as unknown[];
          checkJson(read);
          const asked = { server, externalSessionId: sessionName, tools: read };
          seen.push(...(await finder.see(caller, asked, identityToken)).tools);
        }
        return seen;
      }),

    waitForReview: (id, ms, signal) =>
      told(() => {
        const { id: integrationId } = evaluated().caller.integration;
        return reviews.await({ integrationId, decides: false }, id, ms, signal);
      }),
  };
}

/** The metadata of the session, as the proxy of the command line names itself. */
const metadata = { client: 'mcp-proxy' };

function readRequest(text: string): EvaluateRequest {
  if (Buffer.byteLength(text) > mostBytes)
    throw new AppError('too_large', `the message is larger than the ${mostBytes} bytes that are evaluated`);
  const value = JSON.parse(text) as EvaluateRequest;
  const { hasLargeNumbers } = checkJson(value);
  return hasLargeNumbers ? (readExactly(text) as EvaluateRequest) : value;
}
