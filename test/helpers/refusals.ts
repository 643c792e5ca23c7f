import type { Test } from 'tap';
import { adminKey, type TestApp } from './app.ts';

export const missingId = '00000000-0000-4000-8000-000000000000';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Route = readonly [method: Method, url: string, body?: unknown, headers?: Record<string, string>];

/** Every route answers 401 without a key and 403 to every kind of integration, and tells neither what exists. */
export async function refusesAllButOperators(t: Test, app: TestApp, routes: readonly Route[]): Promise<void> {
  const keys = await Promise.all(
    (['REST_API', 'MCP_SERVER', 'AGENT'] as const).map(async (kind) => (await app.integration(kind)).key),
  );
  for (const [method, url, body, headers] of routes) {
    const nobody = await app.call(null, method, url, body, headers);
    t.equal(nobody.status, 401, `${method} ${url} without a key`);
    t.equal(nobody.headers['www-authenticate'], 'Bearer');
    for (const key of keys) {
      const { status, body: response } = await app.call(key, method, url, body, headers);
      t.equal(status, 403, `${method} ${url} with an integration key`);
      t.strictSame(response.errors, [
        { code: 'forbidden', message: 'this needs an operator key (asz_admin_…)' },
      ]);
    }
  }
}

/** Each URL holds `:id`; a missing thing is 404 and a malformed id is 400, naming the parameter. */
export async function refusesUnknownIds(
  t: Test,
  app: TestApp,
  routes: readonly Route[],
  parameter = 'id',
): Promise<void> {
  for (const [method, url, body, headers] of routes) {
    const missing = await app.call(adminKey, method, url.replace(':id', missingId), body, headers);
    t.equal(missing.status, 404, `${method} ${url}`);
    t.match(missing.body, {
      success: false,
      statusCode: 404,
      errors: [
        {
          code: 'not_found',
          message: new RegExp(`^there is no [a-z :]+ (${missingId}|with this ${parameter})$`),
        },
      ],
    });
    const malformed = await app.call(adminKey, method, url.replace(':id', 'not-a-uuid'), body, headers);
    t.equal(malformed.status, 400, `${method} ${url}`);
    t.strictSame(malformed.body.errors, [
      { code: 'invalid', message: 'must be a UUID', path: `/${parameter}` },
    ]);
  }
}
