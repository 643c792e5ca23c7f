import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { blocksOf } from '../docs/blocks.ts';
import { root } from '../helpers/process.ts';

// Every `npm install` of the docs, in an empty folder and in the newest versions, as a reader types it; what the programs of the page
// import is then there. test/interop/agents-docs.test.mjs and test/docs/pages.test.ts run the programs.

const work = mkdtempSync(join(tmpdir(), 'assize-installs-'));
after(() => rmSync(work, { recursive: true, force: true }));
const run = (cwd, command, ...args) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000 });
const [{ filename }] = JSON.parse(
  run(root, 'npm', 'pack', './build/assize-client', '--json', '--ignore-scripts', '--pack-destination', work),
);

const pages = ['docs/client.md', 'docs/ai-sdk.md'].concat(
  readdirSync(join(root, 'docs/agents')).map((name) => `docs/agents/${name}`),
);
for (const page of pages) {
  const blocks = blocksOf(page);
  const imports = blocks
    .filter(({ language }) => language === 'js' || language === 'ts')
    .flatMap(({ body }) => [...body.matchAll(/^import [^;]* from '([^']+)';$/gm)].map(([, from]) => from));
  for (const { line, body } of blocks) {
    const [, packages] = /^npm install (.*assize-client.*)$/m.exec(body) ?? [];
    if (packages === undefined) continue;
    test(`${page}:${line}: npm install ${packages}`, { timeout: 400_000 }, () => {
      const folder = mkdtempSync(join(work, 'empty-'));
      writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
      const given = packages
        .split(' ')
        .map((one) => (one.includes('assize-client') ? join(work, filename) : `${one}@latest`));
      const flags = ['--prefer-offline', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
      // Its optional packages are a program of 250 MB for each platform, which the page does not import.
      if (packages.includes('claude-agent-sdk')) flags.push('--omit=optional');
      run(folder, 'npm', 'install', ...flags, ...given);
      const installed = new Set(
        packages.split(' ').map((one) => one.replace(/^\.\/(assize-client)-.*$/, '$1')),
      );
      const own = imports.filter((from) => installed.has(/^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0]));
      assert.ok(own.length > 0, 'the page imports what it installs');
      const program = `await Promise.all(${JSON.stringify([...new Set(own)])}.map((name) => import(name))); process.exit();`;
      run(folder, process.execPath, '--input-type=module', '--eval', program);
    });
  }
}
