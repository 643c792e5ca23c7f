import t from 'tap';
import { type DescribedRoute, describedRoutes } from '../../helpers/described-routes.ts';
import { filled } from './filled.ts';
import { goodDocument, operations } from './operations.ts';
import { openRequestFixtures, send } from './request-fixtures.ts';

interface ObjectSchema {
  properties?: Record<string, ObjectSchema>;
}

/** Pointers of every field that a body schema names, at every depth. */
const fieldsOf = (schema: ObjectSchema | null, at = ''): string[] =>
  Object.entries(schema?.properties ?? {}).flatMap(([name, inner]) => [
    `${at}/${name}`,
    ...fieldsOf(inner, `${at}/${name}`),
  ]);

const behindAKey = async (
  fixtures: Awaited<ReturnType<typeof openRequestFixtures>>,
): Promise<DescribedRoute[]> =>
  (await describedRoutes(fixtures.app)).filter((route) => route.callers !== 'nobody');

t.test('no route, field, parameter or id of the service is without its cases', async (t) => {
  const fixtures = await openRequestFixtures(t);
  const routes = await behindAKey(fixtures);
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

t.test('the good requests that the cases spoil are answered, as described', async (t) => {
  const shared = await openRequestFixtures(t);
  for (const route of await behindAKey(shared)) {
    const { operationId } = route;
    await t.test(operationId, async (t) => {
      const operation = operations[operationId];
      if (!operation) throw new Error(`there is no ${operationId}`);
      // What reads leave is the same.
      const fixtures = route.method === 'GET' ? shared : await openRequestFixtures(t);
      const url = filled(fixtures, route.path, operation.params);
      const body = operation.document ? goodDocument : operation.body;
      const headers = operation.document ? { 'content-type': 'application/yaml' } : (operation.headers ?? {});
      const response = await send(fixtures, { key: operation.key, method: route.method, url, body, headers });
      const expected = ['deletePolicy', 'rollBackPolicy'].includes(operationId)
        ? 409
        : (operation.status ?? 200);
      t.equal(response.status, expected, response.text);
      t.equal(fixtures.conformance(route.method, url, response), null);
    });
  }
});
