import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Callers } from './authenticate.ts';

/** Must be registered before every route it describes. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assize',
        version,
        description: 'Session-aware policy evaluation for AI agents.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          integrationKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'the key of an integration: asz_live_…',
          },
          operatorKey: { type: 'http', scheme: 'bearer', description: 'the key of an operator: asz_admin_…' },
        },
      },
    },
    transform({ schema, url, route }) {
      return { schema: { ...schema, security: securityOf(route.config?.callers) }, url };
    },
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}

function securityOf(callers: Callers | undefined): Record<string, string[]>[] {
  switch (callers) {
    case 'operator':
      return [{ operatorKey: [] }];
    case 'integration':
    case 'mcp':
      return [{ integrationKey: [] }];
    case 'any':
      return [{ integrationKey: [] }, { operatorKey: [] }];
    case undefined:
      return [];
  }
}
