import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

// Which packages are in what is shipped, their licences, and a CycloneDX bill of materials of them.
const root = resolve(import.meta.dirname, '../..');
const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Of better-sqlite3, for its compiler only. */
const onlyToCompile = new Set(['node-addon-api']);

/** The folders of the packages that a bundle was made of, by what esbuild says of it. */
export function packagesOf({ inputs }) {
  const folders = Object.keys(inputs).flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [],
  );
  return [...new Set(folders)].map((folder) => resolve(root, folder)).sort();
}

/** The folders of packages that are loaded at run time, and of all they need. */
export function packagesNeeded(names, folder = root, found = new Set()) {
  for (const name of names) {
    const place = findPackage(name, folder);
    if (found.has(place)) continue;
    found.add(place);
    const needed = Object.keys(readManifest(place).dependencies ?? {});
    packagesNeeded(
      needed.filter((one) => !onlyToCompile.has(one)),
      place,
      found,
    );
  }
  return [...found].sort();
}

/** Where `name` is found when a file in `folder` imports it: the nearest node_modules on the way up. */
function findPackage(name, folder) {
  const place = join(folder, 'node_modules', name);
  if (existsSync(join(place, 'package.json'))) return place;
  if (folder === root) throw new Error(`${name} is not installed`);
  return findPackage(name, dirname(folder));
}

/** The notices that the licences of packages want kept with their code. */
export function licencesOf(packages) {
  const sections = packages.map((folder) => {
    const { name, version, license, author } = readManifest(folder);
    const title = `${name} ${version} (${license})`;
    const notices = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const texts = notices.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    // Some packages ship no text.
    const holder = author?.name ?? author ?? `the authors of ${name}`;
    return section(title, texts.length > 0 ? texts : [`Licensed under ${license} by ${holder}.`]);
  });
  return [...new Set(sections)].join('\n');
}

/** The licence of the Node that runs this, with those of all that is in it. */
export function licenceOfNode() {
  const folder = dirname(dirname(process.execPath));
  if (!existsSync(join(folder, 'LICENSE'))) {
    throw new Error(`the licence of this Node is not in ${folder}: build with a Node as nodejs.org packs it`);
  }
  return section(`Node.js ${process.version}`, [readFileSync(join(folder, 'LICENSE'), 'utf8').trim()]);
}

function section(title, texts) {
  return `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n${texts.join('\n\n')}\n`;
}

/** CycloneDX 1.6, the same for the same packages: without a time and a serial number. `others` are no packages of npm. */
export function billOfMaterials(packages, others = []) {
  const { name, version, license } = readManifest(root);
  const components = new Map(packages.map(componentOf).map((component) => [component.purl, component]));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': name,
        name,
        version,
        licenses: [{ license: { id: license } }],
      },
    },
    components: [...others, ...components.values()],
  };
}

export const nodeComponent = () => ({
  type: 'platform',
  'bom-ref': `pkg:generic/node@${process.version.slice(1)}`,
  name: 'node',
  version: process.version.slice(1),
  purl: `pkg:generic/node@${process.version.slice(1)}`,
});

function componentOf(folder) {
  const { name, version, license } = readManifest(folder);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [scope, bare] = name.startsWith('@') ? name.split('/') : [null, name];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scope && { group: scope }),
    name: bare,
    version,
    // An expression, as `MIT OR Apache-2.0`, is no id.
    licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
  };
}
