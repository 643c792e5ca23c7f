import { Type } from '@sinclair/typebox';
import { errorResponses, responseOf } from '../../schemas/envelopes.ts';
import { envelope } from '../responses.ts';
import type { Scope } from '../scope.ts';

export const Health = Type.Object({ status: Type.Literal('ok') });

const config = { outsideLoad: true };
const tags = ['health'];

/** `live`: the process answers. `ready`: it can also write to its store. */
export function healthRoutes(app: Scope, { ready }: { ready: () => Promise<void> }): void {
  app.get(
    '/health/live',
    {
      config,
      schema: {
        operationId: 'live',
        summary: 'Check that the process responds',
        tags,
        response: { 200: responseOf(Health), ...errorResponses },
      },
    },
    async () => envelope(200, { status: 'ok' as const }),
  );
  app.get(
    '/health/ready',
    {
      config,
      schema: {
        operationId: 'ready',
        summary: 'Check that the service can decide and record',
        tags,
        response: { 200: responseOf(Health), ...errorResponses },
      },
    },
    async () => {
      await ready();
      return envelope(200, { status: 'ok' as const });
    },
  );
}
