import t from 'tap';
import { missingId } from '../../helpers/app.ts';
import { describedRoutes } from '../../helpers/described-routes.ts';
import { filled } from './filled.ts';
import { notUuids } from './mistakes.ts';
import { goodDocument, operations } from './operations.ts';
import { openRequestFixtures, type Refused, refuses, type Sent, wroteNothing } from './request-fixtures.ts';

const invalid = (path: string, message: RegExp): Refused => ({ status: 400, code: 'invalid', path, message });

t.test(
  'every parameter of every query refuses what it cannot be, unknown and doubled ones too',
  async (t) => {
    const fixtures = await openRequestFixtures(t);
    for (const route of await describedRoutes(fixtures.app)) {
      const { key, params, body, document, query = {} } = operations[route.operationId] ?? {};
      if (!key) continue;
      const url = filled(fixtures, route.path, params);
      const sent: Omit<Sent, 'url'> = {
        key,
        method: route.method,
        ...(body && { body }),
        ...(document && { body: goodDocument, headers: { 'content-type': 'application/yaml' } }),
      };
      const ask = (text: string, expected: Refused) =>
        refuses(t, fixtures, text.slice(0, 40), { ...sent, url: `${url}?${text}` }, expected);

      for (const name of ['extra', 'constructor', '__proto__', 'toString', 'Page', '']) {
        await ask(
          `${name}=1`,
          invalid(`/${name}`, /^is not a field of this request(?:; did you mean "\w+"\?)?$/),
        );
      }
      for (const [name, { wrong, message }] of Object.entries(query)) {
        for (const text of wrong) await ask(`${name}=${text}`, invalid(`/${name}`, message));
        await ask(`${name}=1&${name}=1`, invalid(`/${name}`, /^must be (integer|string|boolean)$/));
        await ask(
          `${name}[]=1`,
          invalid(`/${name}[]`, /^is not a field of this request(?:; did you mean "\w+"\?)?$/),
        );
      }
      await wroteNothing(t, fixtures, route);
    }
  },
);

t.test('every id in every path must be a UUID, and every version a number', async (t) => {
  const fixtures = await openRequestFixtures(t);
  const notVersions = ['0', '01', '-1', '1.5', '1e3', ' 1', 'x', 'null', '1'.repeat(10), 'constructor'];
  const wrong = [...notUuids, 'constructor', '__proto__', '..%2f', 'ü', 'x'.repeat(101), 'x'.repeat(8_000)];
  for (const route of await describedRoutes(fixtures.app)) {
    const { key, params = {}, body, document } = operations[route.operationId] ?? {};
    if (!key) continue;
    for (const name of route.params) {
      const others = route.path.replace(`{${name}}`, '\n');
      const isVersion = params[name] === 'version';
      for (const id of isVersion ? notVersions : wrong) {
        const url = filled(fixtures, others, params).replace(
          '\n',
          encodeURIComponent(id).replace('%252f', '%2f'),
        );
        const sent = {
          key,
          method: route.method,
          url,
          ...(body && { body }),
          ...(document && { body: goodDocument, headers: { 'content-type': 'application/yaml' } }),
        };
        await refuses(
          t,
          fixtures,
          `${name} ${id.slice(0, 40)}`,
          sent,
          invalid(`/${name}`, isVersion ? /^must match \^\[1-9\]/ : /^must be a UUID$/),
        );
      }
    }
    await wroteNothing(t, fixtures, route);
  }
});

/** The field that is named where the thing is there, or not, for two reasons. */
const named: Record<string, string> = { removeLabel: '/label', removeGrant: '/grantId' };

t.test('on every route, an id that nothing has is 404', async (t) => {
  const fixtures = await openRequestFixtures(t);
  for (const route of await describedRoutes(fixtures.app)) {
    const { operationId, method } = route;
    const { key, params = {}, body, document } = operations[operationId] ?? {};
    if (!key) continue;
    for (const name of route.params) {
      const id = params[name] === 'version' ? '999999' : missingId;
      const sent = {
        key,
        method,
        url: filled(fixtures, route.path.replace(`{${name}}`, id), params),
        ...(body && { body }),
        ...(document && { body: goodDocument, headers: { 'content-type': 'application/yaml' } }),
      };
      const path = named[operationId];
      const refused = { status: 404, code: 'not_found', message: /^there is no / };
      await refuses(t, fixtures, name, sent, path === undefined ? refused : { ...refused, path });
    }
    await wroteNothing(t, fixtures, route);
  }
});
