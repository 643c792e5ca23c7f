// tier: built

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { root } from '../helpers/process.ts';

const aboutTheCode = [
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/compliance.md',
  ...globSync('src/*/README.md', { cwd: root }),
];
const all = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('{docs,policies,src,clients}/**/*.md', { cwd: root }),
];

/** A file or folder in code, with `<noun>` and `*` for a part of a name. */
const path = /^(?:[\w<>*.-]+\/)+[\w<>*.-]*$|^[\w<>*-]+(?:\.[\w-]+)*\.(?:m?[jt]sx?|json|md)$/;

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Modules of the package, and a method of MCP. */
const notFiles = new Set([...Object.keys(exports).map((name) => join('assize', name)), 'tools/call']);

const pageText = (page: string): string =>
  readFileSync(join(root, page), 'utf8').replace(/^( *)```.*?^\1```$/gms, '');

function exists(page: string, name: string): boolean {
  const pattern = name.replace(/<\w+>/g, '*').replace(/\/$/, '');
  const folders = ['.', 'src', 'src/store', 'src/services', dirname(page)];
  // A name alone is that of a file in the folder that its sentence is about.
  if (!pattern.includes('/')) folders.push('{src,scripts,test}/**');
  // What is installed below test/ takes ten seconds to walk through.
  const exclude = ['**/node_modules'];
  return folders.some((folder) => globSync(join(folder, pattern), { cwd: root, exclude }).length > 0);
}

t.test('every file and folder that a page about the code names exists', async (t) => {
  for (const page of aboutTheCode) {
    for (const [, name = ''] of pageText(page).matchAll(/`([^`\n]+)`/g))
      if (path.test(name) && !notFiles.has(name)) t.ok(exists(page, name), `${page}: ${name}`);
  }
});

t.test('every link from a page to a file leads to one', async (t) => {
  for (const page of all) {
    for (const [, target = ''] of pageText(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g))
      t.ok(existsSync(join(root, dirname(page), target)), `${page}: ${target}`);
  }
});
