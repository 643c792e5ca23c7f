import { Type } from '@sinclair/typebox';
import { AppError } from '../../../errors.ts';
import { EnforcementAction } from '../../../schemas/decisions.ts';
import { errorResponses, responseOf } from '../../../schemas/envelopes.ts';
import { Evaluation, RecordedEvaluation, SearchPagination } from '../../../schemas/evaluations.ts';
import { KeptText, Timestamp, Uuid } from '../../../schemas/values.ts';
import type { EvaluationRecords } from '../../../services/evaluation-records.ts';
import { operatorsWith, ownerFor } from '../../plugins/authenticate.ts';
import { envelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

const filters = {
  from: Type.Optional(Timestamp),
  to: Type.Optional(Type.String({ ...Timestamp, description: 'before this time' })),
  integrationId: Type.Optional(Uuid),
  tool: Type.Optional(KeptText(1_000, { minLength: 1 })),
  enforcementAction: Type.Optional(EnforcementAction),
  rule: Type.Optional(KeptText(100, { minLength: 1, description: 'id of a violated rule' })),
  tag: Type.Optional(KeptText(64, { minLength: 1, description: 'a detected data tag' })),
  entityId: Type.Optional(Uuid),
  correlationId: Type.Optional(KeptText(255, { minLength: 1 })),
  traceId: Type.Optional(
    Type.String({ pattern: '^[0-9a-f]{32}$', description: 'of the `traceparent` header of the requests' }),
  ),
  before: Type.Optional(
    Type.String({ ...Uuid, description: 'an `evaluationRunId`: only evaluations recorded before it' }),
  ),
};
const query = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        ...Uuid,
        description: 'an `evaluationRunId`: only evaluations recorded after it, oldest first',
      }),
    ),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    ...filters,
  },
  { additionalProperties: false },
);
const found = Type.Object({
  ...responseOf(Type.Array(RecordedEvaluation)).properties,
  pagination: Type.Optional(SearchPagination),
});

export function evaluationRoutes(app: Scope, { records }: { records: EvaluationRecords }): void {
  app.get(
    '/evaluations',
    {
      config: operatorsWith('evaluations:read'),
      schema: {
        operationId: 'searchEvaluations',
        summary: 'Search the evaluations of all integrations, or follow them',
        description:
          'With a filter or `page`: evaluations that match all filters, newest first, with `pagination`; to continue, send its `next` as `before`. Without: the evaluations after `after`, or the last ones, oldest first; to follow new ones, send the last id as `after`.',
        tags: ['evaluate'],
        querystring: query,
        response: { 200: found, ...errorResponses },
      },
    },
    async (request) => {
      const { after, size = 50, page, rule: ruleId, tag: dataTag, ...rest } = request.query;
      const filter = {
        ...rest,
        ...(ruleId !== undefined && { ruleId }),
        ...(dataTag !== undefined && { dataTag }),
      };
      if (page === undefined && Object.keys(filter).length === 0)
        return envelope(200, await records.listRecorded(after ?? null, size));
      if (after !== undefined)
        throw new AppError('invalid', 'follows all evaluations: send no filter with it', { path: '/after' });
      const result = await records.search(filter, { page: page ?? 1, size });
      return { ...envelope(200, result.data), pagination: result.pagination };
    },
  );

  app.get(
    '/evaluations/:id',
    {
      config: { callers: 'any', permission: 'evaluations:read', scope: 'read' },
      schema: {
        operationId: 'readEvaluation',
        summary: 'Read an evaluation',
        description: 'Includes its stored content. An integration can read its own evaluations only.',
        tags: ['evaluate'],
        params: Type.Object({ id: Uuid }),
        querystring: Type.Object(
          {
            explain: Type.Optional(
              Type.Boolean({
                description: 'adds `explanation`: why this was decided; operators only',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: responseOf(Evaluation), ...errorResponses },
      },
    },
    async (request) => {
      const owner = ownerFor(request);
      const { id } = request.params;
      if (request.query.explain !== true) return envelope(200, await records.read(owner, id));
      if (owner !== null) {
        throw new AppError('forbidden', 'only operators get explanations: they say how a policy decides');
      }
      return envelope(200, await records.explain(id));
    },
  );
}
