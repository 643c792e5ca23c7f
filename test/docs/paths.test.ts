// tier: built

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import t from 'tap';
import { llmsText } from '../../scripts/docs/llms.ts';
import { root } from '../helpers/process.ts';
import { blocksOf } from './blocks.ts';

const aboutTheCode = [
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/assurance.md',
  'docs/authzen.md',
  'docs/compliance.md',
  ...globSync('src/*/README.md', { cwd: root }),
];
const all = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('{docs,policies,src,clients}/**/*.md', { cwd: root }),
];

/** A file or folder in code, with `<noun>` and `*` for a part of a name. */
const path = /^(?:[\w<>*.-]+\/)+[\w<>*.-]*$|^[\w<>*-]+(?:\.[\w-]+)*\.(?:m?[jt]sx?|json|md)$/;

const exportsOf = (manifest: string): string[] => {
  const { name, exports } = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
  return Object.keys(exports).map((module) => join(name, module));
};
/** Modules of the packages, and a method of MCP. */
const notFiles = new Set([
  ...exportsOf('package.json'),
  ...exportsOf('clients/typescript/package.json'),
  'tools/call',
]);

/** Files that a build makes, and the entry points of the client's package. */
const elsewhere = /^(?:build|assize-client)\//;

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
      if (path.test(name) && !notFiles.has(name) && !elsewhere.test(name))
        t.ok(exists(page, name), `${page}: ${name}`);
  }
});

t.test('every guarantee names its test, how many cases it has, and when it last ran', async (t) => {
  const [, table = ''] = /^## Guarantees\n(.*?)^## /ms.exec(pageText('docs/assurance.md')) ?? [];
  const rows = [...table.matchAll(/^\| (?!Guarantee|---)(.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
  t.ok(rows.length > 15);
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  for (const [guarantee = '', tests = '', cases = '', ran = '', open = ''] of rows) {
    t.match(tests, /`test\/[^`]+\.test\.m?ts`/, guarantee);
    t.match(cases, /\d/, guarantee);
    const [, date = '', script = ''] =
      /^(\d+ \w+ \d{4}), `npm (?:run -s |run )?([\w:]+)[^`]*`$/.exec(ran) ?? [];
    t.ok(Date.parse(`${date} UTC`) > 0 && script in scripts, `${guarantee}: ${ran}`);
    t.not(open.trim(), '', guarantee);
  }
});

t.test('every link from a page to a file leads to one', async (t) => {
  for (const page of all) {
    for (const [, target = ''] of pageText(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g))
      t.ok(existsSync(join(root, dirname(page), target)), `${page}: ${target}`);
  }
});

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

t.test('every link to a heading leads to one', async (t) => {
  const known = new Map<string, Set<string>>();
  const anchorsOf = (page: string) => {
    const anchors =
      known.get(page) ??
      new Set([...pageText(page).matchAll(/^#+ (.+)$/gm)].map(([, h = '']) => anchorOf(h)));
    known.set(page, anchors);
    return anchors;
  };
  for (const page of all) {
    for (const [, target = '', anchor = ''] of pageText(page).matchAll(/\]\(([^)#:\s]*)#([^)\s]+)\)/g)) {
      const file = target === '' ? page : join(dirname(page), target);
      if (file.endsWith('.md')) t.ok(anchorsOf(file).has(anchor), `${page}: ${target}#${anchor}`);
    }
  }
});

t.test('what the commands of the first pages write into a checkout is ignored by git', async (t) => {
  const pages = ['README', 'docs/getting-started', 'docs/recipes', 'docs/troubleshooting', 'docs/cli'];
  const commands = pages
    .flatMap((page) => blocksOf(`${page}.md`))
    .filter(({ language }) => language === 'sh')
    .map(({ body }) => body)
    .join('');
  const files = [
    ...commands.matchAll(/(?:> ?|^assize init |mkdir -p )([a-z][\w-]*(?:\.[a-z]+)?)(?=[ \n])/gm),
  ].map(([, file = '']) => file);
  t.ok(files.includes('no-shell.yaml') && files.includes('backups') && files.includes('my-assize'));
  const lines = new Set(readFileSync(join(root, '.gitignore'), 'utf8').split('\n'));
  for (const file of files) {
    const patterns = [`/${file}`, `/${file}/`, `/*${extname(file)}`];
    t.ok(
      patterns.some((pattern) => lines.has(pattern)),
      file,
    );
  }
});

t.test('llms.txt names every page, and each is there', async (t) => {
  const named = (text: string) => [...text.matchAll(/^- .*?\]\((\S+?)\):/gm)].map(([, page]) => page).sort();
  t.strictSame(
    named(readFileSync(join(root, 'llms.txt'), 'utf8')),
    named(llmsText()),
    'npm run -s docs -- llms > llms.txt',
  );
});

t.test('headings of the troubleshooting that quote a message are messages of the service', async (t) => {
  const headings = [...pageText('docs/troubleshooting.md').matchAll(/^## ([a-z].*)$/gm)].map(
    ([, h = '']) => h,
  );
  const ofOthers = new Set(['address already in use', 'the clock', 'the database was moved or deleted']);
  const sources = globSync('src/{cli,http,evaluate,features,services,store,policy}/**/*.ts', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  for (const heading of headings.filter((one) => !ofOthers.has(one))) {
    const [first = '', ...rest] = heading.split(' … ');
    t.ok(sources.includes(first) && rest.every((part) => sources.includes(part)), heading);
  }
  t.ok(headings.length > 10);
});
