import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { describeApi } from '../../../scripts/docs/describe-api.ts';
import { namedSchemas } from '../../../src/http/plugins/openapi.ts';
import { pointerToken } from '../../../src/json/read-exactly.ts';
import { startApp } from '../../helpers/app.ts';

t.test('docs/openapi.json is the description of the routes as they are', async (t) => {
  const committed = readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');
  t.equal(committed, await describeApi(), 'run npm run openapi and commit the change');
});

t.test('of a running service', async (t) => {
  const app = await startApp(t);
  await app.http.ready();
  const description = app.http.swagger() as unknown as Description;

  t.test('is served as OpenAPI 3.1, with a page that needs nothing from outside', async (t) => {
    const { body } = await app.call(null, 'GET', '/openapi.json');
    t.equal(body.openapi, '3.1.0');
    t.match(body.paths['/v1/evaluate'].post.security, [{ integrationKey: [] }]);
    t.match(body.paths['/v1/policies'].get.security, [{ operatorKey: [] }]);
    const page = await app.call(null, 'GET', '/docs/');
    t.equal(page.status, 200);
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
    t.ok(links.length > 2);
    for (const link of links) {
      t.notMatch(link, /^(https?:)?\/\//);
      const { status } = await app.call(null, 'GET', new URL(link, 'http://host/docs/').pathname);
      t.equal(status, 200, link);
    }
    t.equal((await app.call(null, 'HEAD', '/docs/')).status, 200);
    const missing = await app.call(null, 'GET', '/docs/static/nothing.js');
    t.equal(missing.status, 404);
    t.match(missing.body, { success: false, errors: [{ code: 'not_found' }] });
  });

  t.test('every route of /v1 says who may call it, and has a name and a summary', async (t) => {
    for (const [path, operations] of Object.entries(description.paths)) {
      for (const [method, { operationId, summary, security = [] }] of Object.entries(operations)) {
        t.ok(operationId && summary, `${method} ${path}`);
        if (path.startsWith('/v1')) t.ok(security.length > 0, `${method} ${path}`);
      }
    }
  });

  t.test('every body has an example that its own schema takes, and every object a name', async (t) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(description, 'description');
    const takes = (place: string, example: unknown) => {
      const validate = ajv.compile({ $ref: `description#${place}` });
      t.ok(validate(example), `${place} ${ajv.errorsText(validate.errors)}`);
    };
    for (const [path, operations] of Object.entries(description.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries(operations)) {
        const bodies: [string, Body | undefined][] = [['requestBody', requestBody]];
        for (const [code, body] of Object.entries(responses)) bodies.push([`responses/${code}`, body]);
        for (const [part, body] of bodies) {
          for (const [type, { example }] of Object.entries(body?.content ?? {})) {
            const steps = ['', 'paths', path, method, ...part.split('/'), 'content', type, 'schema'];
            t.ok(example, `${method} ${path} ${part}`);
            takes(steps.map((step) => encodeURIComponent(pointerToken(step))).join('/'), example);
          }
        }
      }
    }
    for (const [name, schema] of Object.entries(description.components.schemas)) {
      if (schema.type !== 'object' || !(name in namedSchemas)) continue;
      takes(`/components/schemas/${name}`, schema.examples?.[0]);
    }
    const unused = Object.keys(namedSchemas).filter((name) => !(name in description.components.schemas));
    t.strictSame(unused, [], 'named schemas that no operation has');
  });
});

interface Body {
  content?: Record<string, { example?: unknown }>;
}
interface Operation {
  operationId?: string;
  summary?: string;
  security?: unknown[];
  requestBody?: Body;
  responses: Record<string, Body>;
}
interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { type?: string; examples?: unknown[] }> };
}
