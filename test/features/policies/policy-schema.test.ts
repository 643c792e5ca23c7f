import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import t from 'tap';
import { parse } from 'yaml';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';
import { policySchema } from '../../../src/schemas/policy-documents.ts';
import { startApp } from '../../helpers/app.ts';

const root = join(import.meta.dirname, '../../..');
const committed = readFileSync(join(root, 'docs/policy.schema.json'), 'utf8');
const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, allErrors: true });
formats.default(ajv);
const accepts = ajv.compile(JSON.parse(committed));

t.test('docs/policy.schema.json is the schema that the check uses', async (t) => {
  const current = JSON.parse(JSON.stringify(policySchema));
  t.strictSame(JSON.parse(committed), current, 'run npm run docs -- policy-schema and commit the change');
});

t.test('is served to editors without a key', async (t) => {
  const app = await startApp(t);
  const { status, text, headers } = await app.call(null, 'GET', '/policy.schema.json');
  t.equal(status, 200);
  t.match(headers['content-type'], 'application/schema+json');
  t.same(JSON.parse(text), JSON.parse(committed));
  t.equal((await app.call(null, 'HEAD', '/policy.schema.json')).status, 200);
  t.equal((await app.call(null, 'POST', '/policy.schema.json')).status, 405);
});

t.test('every policy of policies/ and of the docs fits it, and names it for editors', async (t) => {
  const files = readdirSync(join(root, 'policies'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.yaml'))) {
    const text = readFileSync(join(root, 'policies', file), 'utf8');
    t.ok(accepts(parse(text)), `${file}: ${ajv.errorsText(accepts.errors)}`);
    const up = file.startsWith('packs') ? '../..' : '..';
    t.ok(text.startsWith(`# yaml-language-server: $schema=${up}/docs/policy.schema.json\n`), file);
  }
  const page = readFileSync(join(root, 'docs/policies.md'), 'utf8');
  const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, body = '']) => body);
  for (const example of examples.filter((body) => body.includes('schemaVersion:')))
    t.equal(accepts(parse(example)), !example.includes('name: mistakes'), ajv.errorsText(accepts.errors));
});

t.test('it refuses what the check refuses', async (t) => {
  const rule = { id: 'a', when: 'true', effect: 'BLOCK' };
  const valid = { schemaVersion: 1, name: 'p', rules: [rule] };
  const documents: [string, object, boolean][] = [
    ['valid', valid, true],
    ['no rules', { schemaVersion: 1, name: 'p' }, false],
    ['unknown key', { ...valid, rule: [] }, false],
    ['unknown effect', { ...valid, rules: [{ ...rule, effect: 'STOP' }] }, false],
    ['effect and escalate', { ...valid, rules: [{ ...rule, escalate: 1 }] }, false],
    ['neither of them', { ...valid, rules: [{ id: 'a', when: 'true' }] }, false],
    ['a param with a bad name', { ...valid, params: { 'a-b': 1 } }, false],
    ['a variable with a bad name', { ...valid, variables: { 'a-b': '1' } }, false],
    ['a test without expectation', { ...valid, tests: [{ name: 'a', given: {} }] }, false],
    ['tools as a list', { ...valid, rules: [{ ...rule, tool: ['a', 'b'] }] }, true],
    [
      'a schema of a tool',
      { ...valid, rules: [{ ...rule, tool: 'a' }], tools: { a: { inputSchema: {} } } },
      true,
    ],
  ];
  for (const [name, document, isValid] of documents) {
    t.equal(accepts(document), isValid, name);
    t.equal(checkPolicyDocument(JSON.stringify(document)).valid, isValid, name);
  }
});
