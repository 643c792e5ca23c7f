import { Type } from '@sinclair/typebox';
import { answerOf, errorAnswers } from '../../../schemas/envelopes.ts';
import { Evaluation, RecordedEvaluation } from '../../../schemas/evaluations.ts';
import { Uuid } from '../../../schemas/values.ts';
import type { EvaluationRecords } from '../../../services/evaluation-records.ts';
import { envelope } from '../../answers.ts';
import { operatorsWith, ownerFor } from '../../plugins/authenticate.ts';
import type { Scope } from '../../scope.ts';

const query = Type.Object(
  {
    after: Type.Optional(
      Type.String({ ...Uuid, description: 'an `evaluationRunId`: those recorded after it' }),
    ),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  },
  { additionalProperties: false },
);

export function evaluationRoutes(app: Scope, { records }: { records: EvaluationRecords }): void {
  app.get(
    '/evaluations',
    {
      config: operatorsWith('evaluations:read'),
      schema: {
        operationId: 'followEvaluations',
        summary: 'Follow the evaluations of all integrations',
        description:
          'In the order they were recorded: the next after `after`, or the last ones. Ask again with the last id to follow.',
        tags: ['evaluate'],
        querystring: query,
        response: { 200: answerOf(Type.Array(RecordedEvaluation)), ...errorAnswers },
      },
    },
    async (request) => {
      const { after = null, size = 50 } = request.query;
      return envelope(200, await records.listRecorded(after, size));
    },
  );

  app.get(
    '/evaluations/:id',
    {
      config: { callers: 'any', permission: 'evaluations:read' },
      schema: {
        operationId: 'readEvaluation',
        summary: 'Read an evaluation',
        description: 'With all that is kept of its content. An integration reads its own.',
        tags: ['evaluate'],
        params: Type.Object({ id: Uuid }),
        response: { 200: answerOf(Evaluation), ...errorAnswers },
      },
    },
    async (request) => envelope(200, await records.read(ownerFor(request), request.params.id)),
  );
}
