import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { errorResponses } from '../../../schemas/envelopes.ts';
import { type SimulationLine, SimulationRequest } from '../../../schemas/replays.ts';
import type { Simulations } from '../../../services/replay/simulations.ts';
import { goneSignal } from '../../open-streams.ts';
import { operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
import type { Scope } from '../../scope.ts';

export function policySimulationRoutes(app: Scope, { simulations }: { simulations: Simulations }): void {
  app.post(
    '/policies/simulate',
    {
      config: { ...operatorsWith('policies:simulate'), outsideLoad: true },
      schema: {
        operationId: 'simulatePolicies',
        summary: 'Try a change of policies on what was recorded',
        description:
          'Replays recorded sessions step by step, with the state as it would have been: by the policies that decided then, changed as the request says. The response is one JSON object a line: `progress`, then `difference` for evaluations whose verdict would be another one, and `result` at the end (or `error`); docs/record.md describes them. Nothing is recorded. Closing the connection cancels it. One runs at a time; another one gets 503.',
        tags: ['policies'],
        body: SimulationRequest,
        response: {
          200: {
            description: 'the lines',
            content: { 'application/x-ndjson': { schema: Type.String() } },
          },
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      const lines = await simulations.start(operatorOf(request), request.body, goneSignal(reply.raw));
      return reply
        .type('application/x-ndjson')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(textOf(lines)) as never);
    },
  );
}

async function* textOf(lines: AsyncIterable<SimulationLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
