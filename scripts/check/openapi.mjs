import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';

// Lints docs/openapi.json: npm run check -- openapi. Examples, names and who may call are in test/http/plugins/openapi.test.ts.
const document = JSON.parse(readFileSync(process.argv[2] ?? 'docs/openapi.json', 'utf8'));
const problems = [];
const say = (place, problem) => problems.push(`${place}: ${problem}`);

const { valid, errors = [] } = await new Validator().validate(structuredClone(document));
if (!valid)
  for (const { instancePath, message } of [errors].flat()) say(instancePath ?? '', message ?? String(errors));

/** What a local reference leads to; undefined when nothing is there. */
const target = (reference) =>
  reference
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value, step) => value?.[step], document);

const used = new Set();
(function followReferences(value, place) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.$ref === 'string') {
    used.add(value.$ref);
    if (!value.$ref.startsWith('#/') || target(value.$ref) === undefined)
      say(place, `${value.$ref} leads nowhere`);
  }
  for (const [key, inner] of Object.entries(value)) followReferences(inner, `${place}/${key}`);
})(document, '#');
for (const [kind, components] of Object.entries(document.components ?? {}))
  for (const name of Object.keys(components))
    if (kind !== 'securitySchemes' && !used.has(`#/components/${kind}/${name}`))
      say(`components/${kind}/${name}`, 'nothing uses it');

const { license, title, version } = document.info;
if (!license?.name || !title || !version) say('info', 'needs a title, a version and a license');
if (!(document.servers?.length > 0)) say('servers', 'none is given');

const tags = new Set(document.tags?.map(({ name }) => name));
const schemes = new Set(Object.keys(document.components?.securitySchemes ?? {}));
const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']);
const [ids, shapes] = [new Set(), new Set()];
for (const [path, item] of Object.entries(document.paths)) {
  const shape = path.replace(/\{[^}]*\}/g, '{}');
  if (shapes.has(shape)) say(path, 'differs from another path by the name of a parameter alone');
  shapes.add(shape);
  if (path.includes('?') || (path.length > 1 && path.endsWith('/')))
    say(path, 'ends with a slash, or has a query');
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  for (const [method, operation] of Object.entries(item)) {
    if (!methods.has(method)) continue;
    const place = `${method.toUpperCase()} ${path}`;
    const { operationId, summary, responses = {}, parameters = [], security } = operation;
    if (!operationId || ids.has(operationId)) say(place, 'needs an operationId of its own');
    else if (!/^[a-z]\w*$/i.test(operationId)) say(place, `the operationId ${operationId} is no name`);
    ids.add(operationId);
    if (!summary) say(place, 'needs a summary');
    for (const tag of operation.tags ?? [])
      if (tags.size > 0 && !tags.has(tag)) say(place, `the tag ${tag} is not declared`);
    for (const name of (security ?? document.security ?? []).flatMap(Object.keys))
      if (!schemes.has(name)) say(place, `the security scheme ${name} is not declared`);
    const declared = [...(item.parameters ?? []), ...parameters].map((one) =>
      one.$ref ? target(one.$ref) : one,
    );
    const ofPath = declared.filter((one) => one?.in === 'path').map(({ name }) => name);
    for (const name of inPath)
      if (!ofPath.includes(name)) say(place, `the parameter ${name} is not declared`);
    for (const name of ofPath)
      if (!inPath.includes(name)) say(place, `the parameter ${name} is not in the path`);
    const places = declared.map((one) => `${one?.in} ${one?.name}`);
    if (new Set(places).size < places.length) say(place, 'declares a parameter twice');
    const codes = Object.keys(responses);
    if (!codes.some((code) => /^[23]/.test(code) || code === 'default'))
      say(place, 'needs a response for success');
  }
}

for (const problem of problems.slice(0, 50)) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${ids.size} operations: no problems`);
