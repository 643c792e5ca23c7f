// tier: built

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from './helpers/process.ts';

const dist = join(root, 'dist');
const read = (name: string): string => readFileSync(join(dist, name), 'utf8');

interface Component {
  group?: string;
  name: string;
  version: string;
  purl: string;
}
const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`);

/**
 * By the source maps of the bundle, which the lists below are not made from. Packages whose own source maps lead out of
 * their folder are not among them.
 */
function bundled(): string[] {
  const sources = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js.map'))
    .flatMap((name) => (JSON.parse(read(name)) as { sources: string[] }).sources)
    // Built into a package by its makers.
    .filter((source) => !source.includes('/.pnpm/'));
  const names = sources.flatMap((source) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  return [...new Set(names)].filter((name) => existsSync(join(root, 'node_modules', name, 'package.json')));
}

t.test('the licence of every bundled package is shipped', async (t) => {
  const titles = [...read('licences.txt').matchAll(/^={80}\n(\S+) (\S+) \((.+)\)\n={80}$/gm)];
  const names = new Set(titles.map(([, name]) => name));
  t.strictSame(
    bundled().filter((name) => !names.has(name)),
    [],
  );
  t.ok(titles.length > 50);
  for (const [, name, , licence] of titles) t.not(licence, 'undefined', `${name} names its licence`);
});

t.test(
  'the bill of materials names what is bundled and what is loaded, in the versions installed',
  async (t) => {
    const bill = JSON.parse(read('sbom.cdx.json')) as { bomFormat: string; components: Component[] };
    t.equal(bill.bomFormat, 'CycloneDX');
    const names = new Set(bill.components.map(nameOf));
    t.strictSame(
      bundled().filter((name) => !names.has(name)),
      [],
    );
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    const locked = new Set(
      Object.entries(packages).map(
        ([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`,
      ),
    );
    for (const component of bill.components) {
      t.ok(locked.has(`${nameOf(component)} ${component.version}`), component.purl);
    }
    for (const name of ['better-sqlite3', '@fastify/swagger-ui', '@fastify/static'])
      t.ok(names.has(name), name);
    t.equal(new Set(bill.components.map(({ purl }) => purl)).size, bill.components.length);
  },
);
