import { Type } from '@sinclair/typebox';
import { operatorsWith } from '../../http/plugins/authenticate.ts';
import { envelope } from '../../http/responses.ts';
import type { Scope } from '../../http/scope.ts';
import { errorResponses, responseOf } from '../../schemas/envelopes.ts';
import { Timestamp, Uuid } from '../../schemas/values.ts';
import { StatsSeries } from './schema.ts';
import type { Stats } from './service.ts';
import { type StatsDimension, type StatsUnit, statsDimensions, statsUnits } from './words.ts';

export function statsRoutes(app: Scope, { stats }: { stats: Stats }): void {
  app.get(
    '/stats',
    {
      config: operatorsWith('evaluations:read'),
      schema: {
        operationId: 'readStats',
        summary: 'Count evaluations by outcome',
        description:
          'Counts per hour or day (UTC) for the 20 names with the most evaluations, most first. For rules and policies, only evaluations with a violation count.',
        tags: ['evaluate'],
        querystring: Type.Object(
          {
            by: Type.Optional(
              Type.Unsafe<StatsDimension>({
                type: 'string',
                enum: [...statsDimensions],
                default: 'integration',
              }),
            ),
            unit: Type.Optional(
              Type.Unsafe<StatsUnit>({ type: 'string', enum: [...statsUnits], default: 'hour' }),
            ),
            from: Type.Optional(
              Type.String({ ...Timestamp, description: 'by default 24 hours or 30 days before `to`' }),
            ),
            to: Type.Optional(Type.String({ ...Timestamp, description: 'before this time; by default now' })),
            integrationId: Type.Optional(Uuid),
          },
          { additionalProperties: false },
        ),
        response: { 200: responseOf(Type.Array(StatsSeries)), ...errorResponses },
      },
    },
    async ({ query: { by = 'integration', unit = 'hour', ...query } }) =>
      envelope(200, await stats.read({ by, unit, ...query })),
  );
}
