import { Type } from '@sinclair/typebox';
import type { Evaluations } from '../../../evaluate/evaluate.ts';
import { errorResponses, responseOf } from '../../../schemas/envelopes.ts';
import { EvaluateRequest, EvaluateResult } from '../../../schemas/evaluations.ts';
import {
  IdempotencyKeyHeader,
  IdentityHeader,
  idempotencyKeyOf,
  identityTokenOf,
  traceParentOf,
} from '../../headers.ts';
import { checkJson, metadataJson } from '../../json-checks.ts';
import { integrationCallerOf } from '../../plugins/authenticate.ts';
import { sendResponse } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const query = Type.Object(
  {
    redact: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'adds `redactedInput`: the input with detected values masked',
      }),
    ),
  },
  { additionalProperties: false },
);

const EvaluateHeaders = Type.Composite([IdempotencyKeyHeader, IdentityHeader]);

export function evaluateRoutes(app: Scope, { evaluations }: { evaluations: Evaluations }): void {
  app.post(
    '/evaluate',
    {
      config: { callers: 'integration', scope: 'evaluate' },
      schema: {
        operationId: 'evaluate',
        summary: 'Evaluate an action before it is done',
        description:
          'Detects data in `input`, runs the policies bound to the calling integration, and records the decision. A BLOCK is a successful evaluation.',
        tags: ['evaluate'],
        headers: EvaluateHeaders,
        querystring: query,
        body: EvaluateRequest,
        response: { 200: responseOf(EvaluateResult), ...errorResponses },
      },
    },
    // No async function: Fastify would wait for its promise, and then for the end of the response.
    (request, reply) => {
      checkJson(request.body.metadata, '/metadata', metadataJson);
      evaluations
        .evaluate(integrationCallerOf(request), request.body, {
          transport: 'REST',
          redact: request.query.redact ?? false,
          idempotencyKey: idempotencyKeyOf(request),
          sentTexts: request.sentTexts,
          text: request.bodyText,
          isPlain: request.isPlainBody,
          trace: traceParentOf(request.headers),
          identityToken: identityTokenOf(request),
          onScanned: request.admission?.turn ? () => app.scanned(request) : undefined,
        })
        .then((response) => void sendResponse(reply, 200, response))
        .catch((error) => void reply.send(error));
    },
  );
}
