import t from 'tap';
import { describedRoutes } from '../../helpers/described-routes.ts';
import { filled } from './filled.ts';
import { operations } from './operations.ts';
import { openRequestFixtures, refuses, type Sent, wroteNothing } from './request-fixtures.ts';

const invalid = { status: 400, code: 'invalid' } as const;

/** A copy of a body with another value at a pointer. */
function changed(body: Record<string, unknown>, pointer: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(body);
  const steps = pointer.slice(1).split('/');
  const last = steps.pop() as string;
  const parent = steps.reduce<Record<string, unknown>>((at, step) => at[step] as typeof copy, copy);
  parent[last] = value;
  return copy;
}

t.test('every field of every body refuses what it cannot be, and nothing is written', async (t) => {
  const fixtures = await openRequestFixtures(t);
  for (const route of await describedRoutes(fixtures.app)) {
    const { key, params, body, fields = {}, required = [] } = operations[route.operationId] ?? {};
    if (!key || !body || route.body === null) continue;
    const sent: Sent = { key, method: route.method, url: filled(fixtures, route.path, params) };
    for (const name of required) {
      const { [name]: _, ...rest } = body;
      await refuses(
        t,
        fixtures,
        `${name} is missing`,
        { ...sent, body: rest },
        {
          ...invalid,
          path: `/${name}`,
          message: /^is required$/,
        },
      );
    }
    for (const [pointer, mistakes] of Object.entries(fields)) {
      for (const { name, value, at = '', message } of mistakes) {
        await refuses(
          t,
          fixtures,
          `${pointer} ${name}`,
          { ...sent, body: changed(body, pointer, value) },
          {
            ...invalid,
            path: pointer + at,
            message,
          },
        );
      }
    }
    await wroteNothing(t, fixtures, route);
  }
});
