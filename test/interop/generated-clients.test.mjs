import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { rule } from '../helpers/policies.ts';
import { root } from '../helpers/process.ts';
import { folderOf, packageFile, startService } from './service.mjs';

// docs/openapi.json is good enough to generate clients from: each is generated, compiled and used against the service.

const execute = promisify(execFile);
const node = (script, args, options) => execute(process.execPath, [script, ...args], options);
const description = join(root, 'docs/openapi.json');
const source = (name) => join(import.meta.dirname, 'generated', name);
const expected = {
  enforcementAction: 'WARN',
  dataTags: ['PII', 'EMAIL_ADDRESS'],
  refusedAt: '/sessionId',
};

/** A reviver: null beside a schema or in an enum in the form of OpenAPI 3.0, and no enum of a boolean, which this generator misspells. */
function asNullable(_key, value) {
  if (value?.type === 'boolean') return { type: 'boolean' };
  if (value?.enum?.includes?.(null)) {
    const notNull = (one) => one !== null && one !== 'null';
    return { ...value, type: value.type.find(notNull), enum: value.enum.filter(notNull), nullable: true };
  }
  const [schema, none] = value?.anyOf ?? [];
  if (value?.anyOf?.length !== 2 || none.type !== 'null') return value;
  const { anyOf: _, ...rest } = value;
  return schema.$ref ? { ...rest, allOf: [schema], nullable: true } : { ...rest, ...schema, nullable: true };
}

async function serve(t) {
  const service = await startService(t);
  const { id, key } = await service.integration('REST_API');
  await service.policy(id, rule('"EMAIL_ADDRESS" in dataTags', 'WARN'));
  return [service.base, key];
}

test('a generated TypeScript client has named types, compiles in strict mode, and works', async (t) => {
  const folder = folderOf(t);
  const compilerOptions = { strict: true, target: 'es2023', module: 'nodenext', skipLibCheck: true };
  const paths = { outDir: 'built', rootDir: '.', types: ['node'] };
  const config = { compilerOptions: { ...compilerOptions, ...paths }, include: ['use.ts', 'client'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Compiled only beside the generated client, so it is no source of this project's own compilation.
  cpSync(source('use.ts.txt'), join(folder, 'use.ts'));
  const output = { path: 'client', module: { extension: '.js' } };
  const generated = JSON.stringify({ input: description, output, logs: { file: false } });
  writeFileSync(join(folder, 'openapi-ts.config.mjs'), `export default ${generated}`);
  await node(packageFile('@hey-api/openapi-ts/bin/run.js'), [], { cwd: folder });
  assert.match(readFileSync(join(folder, 'client/types.gen.ts'), 'utf8'), /export type Review = /);
  await node(packageFile('typescript/bin/tsc'), ['-p', '.'], { cwd: folder });
  const { stdout } = await node(join(folder, 'built/use.js'), await serve(t));
  assert.deepEqual(JSON.parse(stdout), expected);
});

test('a generated Python client has named types, compiles, and works', async (t) => {
  const folder = folderOf(t);
  // The generator reads OpenAPI 3.0, which has another word for null.
  const current = join(folder, 'openapi-3.1.json');
  const older = join(folder, 'openapi-3.0.json');
  writeFileSync(current, JSON.stringify(JSON.parse(readFileSync(description, 'utf8'), asNullable)));
  const convert = packageFile('@apiture/openapi-down-convert/lib/src/cli.js');
  await node(convert, ['--input', current, '--output', older]);
  const jar = packageFile('@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
  const options = ['-g', 'python', '-o', folder, '--additional-properties=packageName=assize_api'];
  // A program that runs once: compiling it well takes longer than running it.
  const once = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  await execute('java', [...once, '-jar', jar, 'generate', '-i', older, ...options]);
  assert.match(readFileSync(join(folder, 'assize_api/models/__init__.py'), 'utf8'), /import Review\b/);
  // Debian's own, which finds what its packages install (.ci/run).
  const python = '/usr/bin/python3';
  await execute(python, ['-m', 'compileall', '-q', 'assize_api'], { cwd: folder });
  const env = { ...process.env, PYTHONPATH: folder };
  const { stdout } = await execute(python, [source('use.py'), ...(await serve(t))], { env });
  assert.deepEqual(JSON.parse(stdout), expected);
});
