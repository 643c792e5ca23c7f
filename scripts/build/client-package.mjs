import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

// Lays out build/assize-client, the package of the client, its gate and the adapters, from what client-libraries.mjs built in lib/.
const root = resolve(import.meta.dirname, '../..');
const source = join(root, 'clients/typescript');
const target = resolve(process.argv[2] ?? join(root, 'build/assize-client'));

rmSync(target, { recursive: true, force: true });
for (const part of ['client', 'ai-sdk', 'adapters'])
  cpSync(join(root, 'lib', part), join(target, part), { recursive: true });
cpSync(join(source, 'README.md'), join(target, 'README.md'));
cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
const { name, ...rest } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
// It is released with the service, whose API it knows.
const { version, license } = manifest;
writeFileSync(
  join(target, 'package.json'),
  `${JSON.stringify({ name, version, license, ...rest }, null, 2)}\n`,
);
