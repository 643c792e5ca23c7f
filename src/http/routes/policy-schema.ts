import { policySchema } from '../../schemas/policy-schema.ts';
import type { Scope } from '../scope.ts';

const text = JSON.stringify(policySchema);

/** Public, like the description of the API: editors load it without a key. */
export function policySchemaRoutes(app: Scope): void {
  app.get('/policy.schema.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/schema+json').send(text),
  );
}
