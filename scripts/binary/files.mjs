import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

/** What the binary unpacks, by its path there: the addon, and what `shipped` is asked for. The console is built already. */
export function filesToUnpack(consoleFolder) {
  const { getPrebuildPath } = require(join(dirname(require.resolve('better-sqlite3')), 'binding.js'));
  const swaggerUi = join(dirname(require.resolve('@fastify/swagger-ui/package.json')), 'static');
  return new Map([
    ['better-sqlite3.node', getPrebuildPath()],
    ...below(join(root, 'migrations'), 'migrations'),
    ...below(join(root, 'policies'), 'policies'),
    ...below(join(root, 'clients/verifier'), 'clients/verifier'),
    ...below(consoleFolder, 'dist/console'),
    ...below(swaggerUi, 'swagger-ui/static'),
  ]);
}

function below(folder, name) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [name + path.slice(folder.length), path]);
}

/** The name of the folder they are unpacked into. */
export function digestOf(files) {
  const hash = createHash('sha256');
  for (const [path, source] of files) {
    hash.update(`${path}\0${createHash('sha256').update(readFileSync(source)).digest('hex')}\n`);
  }
  return hash.digest('hex').slice(0, 32);
}
