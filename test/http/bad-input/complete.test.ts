import t from 'tap';
import { describedRoutes } from '../../helpers/described-routes.ts';
import { operations } from './operations.ts';
import { openRequestFixtures } from './request-fixtures.ts';

interface ObjectSchema {
  properties?: Record<string, ObjectSchema>;
}

/** Pointers of every field that a body schema names, at every depth. */
const fieldsOf = (schema: ObjectSchema | null, at = ''): string[] =>
  Object.entries(schema?.properties ?? {}).flatMap(([name, inner]) => [
    `${at}/${name}`,
    ...fieldsOf(inner, `${at}/${name}`),
  ]);

t.test('no route, field, parameter or id of the service is without its cases', async (t) => {
  const { app } = await openRequestFixtures(t);
  const routes = (await describedRoutes(app)).filter((route) => route.callers !== 'nobody');
  t.strictSame(routes.map((route) => route.operationId).sort(), Object.keys(operations).sort());
  for (const { operationId, body, query, params, callers } of routes) {
    const operation = operations[operationId];
    const named = Object.keys(operation?.fields ?? {});
    const missing = fieldsOf(body).filter((pointer) => !named.includes(pointer));
    t.strictSame(missing, [], `${operationId}: fields`);
    t.strictSame(Object.keys(operation?.query ?? {}).sort(), [...query].sort(), `${operationId}: query`);
    t.strictSame(Object.keys(operation?.params ?? {}).sort(), [...params].sort(), `${operationId}: ids`);
    t.ok(callers === 'any' || callers === operation?.key, `${operationId}: key`);
    for (const [pointer, mistakes] of Object.entries(operation?.fields ?? {})) {
      t.ok(mistakes.length > 0, `${operationId}: ${pointer}`);
    }
  }
});
