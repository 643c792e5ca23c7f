import Fastify from 'fastify';

export interface BareBody {
  sessionId: string;
  input: object;
}

/** What a bare Fastify POST costs with the same kind of body, validated and serialised, and what `evaluate` does; and nothing else. */
export async function serveBare(evaluate: (body: BareBody) => Promise<void> | void): Promise<void> {
  const app = Fastify();
  app.get('/health/ready', () => ({ status: 'ok' }));
  app.post<{ Body: BareBody }>('/v1/evaluate', { schema }, async ({ body }) => {
    await evaluate(body);
    return {
      success: true,
      statusCode: 200,
      data: {
        evaluationRunId: '01a1f8ca-fe77-7540-9f81-789766ed51ac',
        outcome: 'ALLOW',
        enforcementAction: 'ALLOW',
        severity: null,
        violations: [],
        dataTags: [],
        sessionId: body.sessionId,
        reviewRequestId: null,
        pollUrl: null,
        correlationId: null,
      },
    };
  });
  console.log(`listening ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
}

const schema = {
  body: {
    type: 'object',
    required: ['input'],
    additionalProperties: false,
    properties: {
      sessionId: { type: 'string', maxLength: 36 },
      input: { type: 'object', additionalProperties: true },
    },
  },
  response: {
    200: {
      type: 'object',
      properties: {
        success: { type: 'boolean' },
        statusCode: { type: 'integer' },
        data: {
          type: 'object',
          properties: {
            evaluationRunId: { type: 'string' },
            outcome: { type: 'string' },
            enforcementAction: { type: 'string' },
            severity: { type: 'null' },
            violations: { type: 'array', items: { type: 'string' } },
            dataTags: { type: 'array', items: { type: 'string' } },
            sessionId: { type: 'string' },
            reviewRequestId: { type: 'null' },
            pollUrl: { type: 'null' },
            correlationId: { type: 'null' },
          },
        },
      },
    },
  },
};
