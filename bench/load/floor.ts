import Fastify from 'fastify';

// The floor: what a bare Fastify POST costs with the same kind of body, validated and serialised, and nothing else.
const app = Fastify();
app.post(
  '/v1/evaluate',
  {
    schema: {
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
    },
  },
  async (request) => ({
    success: true,
    statusCode: 200,
    data: {
      evaluationRunId: '01a1f8ca-fe77-7540-9f81-789766ed51ac',
      outcome: 'ALLOW',
      enforcementAction: 'ALLOW',
      severity: null,
      violations: [],
      dataTags: [],
      sessionId: (request.body as { sessionId: string }).sessionId,
      reviewRequestId: null,
      pollUrl: null,
      correlationId: null,
    },
  }),
);
console.log(`listening ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
