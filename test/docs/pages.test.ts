import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { processEnvironment, program, root, serveProcess } from '../helpers/process.ts';
import { type Block, blocksOf, sameText, shows } from './blocks.ts';
import { exceptions, notRun } from './not-run.ts';

// takes long: begins first

// Every block of every page is run, as a reader would: the commands and programs of a page one after another, in one
// shell and an empty folder, against a service that was just started. A `json` or `text` block shows what the command
// before it prints.

const adminKey = `asz_admin_${'A'.repeat(43)}`;
const programs = new Set(['sh', 'ts', 'js', 'python']);

/** Pages whose blocks another test runs, by name. Those in docs/agents/ are run by test/interop/agents-docs.test.mjs. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/policies.md': 'test/docs/policies.test.ts',
  'docs/mcp.md': 'test/interop/docs.test.mjs',
};

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].filter((page) => !(page in elsewhere));

/** Ends a block in the output; nothing printed contains it. */
const end = '\u0001end of block\u0001';

interface Step {
  readonly block: Block;
  /** What the page says it prints. */
  readonly shown: Block | null;
}

function stepsOf(page: string, blocks: readonly Block[]): Step[] {
  const steps: Step[] = [];
  for (const [index, block] of blocks.entries()) {
    if (notRun(page, block)) continue;
    if (!programs.has(block.language)) {
      if (index > 0 && programs.has(blocks[index - 1]?.language ?? '')) continue;
      throw new Error(`${page}:${block.line}: nothing runs this ${block.language || 'unnamed'} block`);
    }
    const next = blocks[index + 1];
    steps.push({ block, shown: next && ['json', 'text'].includes(next.language) ? next : null });
  }
  return steps;
}

/** One script for the whole page, so that what a block sets is there in the next. */
function scriptOf(folder: string, steps: readonly Step[], address: string): string {
  const parts = steps.map(({ block }, index) => {
    const body = block.body.replaceAll('127.0.0.1:3000', address);
    if (block.language === 'sh') return body;
    const file = `block-${index}.${block.language}`;
    writeFileSync(join(folder, file), body);
    return block.language === 'python'
      ? `/usr/bin/python3 ${file}`
      : `node --disable-warning=ExperimentalWarning ${file}`;
  });
  return parts.map((part) => `${part}\nprintf '%s' '${end}'\n`).join('');
}

/** Pages take a second or two, that of the CLI fifteen; a loaded machine, several times that. */
const mostMs = 240_000;

/** A page that is not over in time is stopped: what it had printed says where it hangs. */
async function run(folder: string, script: string, env: Record<string, string>) {
  writeFileSync(join(folder, 'page.sh'), script);
  const child = spawn('bash', ['-eu', '-o', 'pipefail', 'page.sh'], { cwd: folder, env, detached: true });
  const stop = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), mostMs);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code, signal] = await once(child, 'close');
  clearTimeout(stop);
  return { code: code ?? signal, stdout, stderr };
}

/**
 * An empty folder inside the package, so that programs there may import it by its name; the client's is installed there.
 * It is removed after the service that writes in it is killed, unlike `t.testdir()`, which goes before every teardown.
 */
function folderFor(t: Test): string {
  mkdirSync(join(root, '.tap'), { recursive: true });
  const folder = mkdtempSync(join(root, '.tap/page-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'build/assize-client'), join(folder, 'node_modules/assize-client'));
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'assize'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, 'assize'), 0o755);
  cpSync(join(root, 'policies'), join(folder, 'policies'), { recursive: true });
  return folder;
}

// All pages together take a minute on a quiet machine.
t.setTimeout(3 * mostMs);
for (const page of pages) {
  const steps = stepsOf(page, blocksOf(page));
  if (steps.length === 0) continue;
  t.test(page, { timeout: 2 * mostMs }, async (t) => {
    const folder = folderFor(t);
    const served = serveProcess(t, {
      ASSIZE_DATABASE: join(folder, 'data/assize.db'),
      ASSIZE_ADMIN_KEY: adminKey,
    });
    const url = await served.url();
    const [, key = ''] = /demo agent key\s+(asz_live_\S+)/.exec(await served.firstKeys()) ?? [];
    const { code, stdout, stderr } = await run(folder, scriptOf(folder, steps, new URL(url).host), {
      ...processEnvironment,
      PATH: `${join(folder, '.bin')}:${process.env.PATH}`,
      HOME: folder,
      PYTHONPATH: join(root, 'clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      ASSIZE_URL: url,
      ASSIZE_KEY: key,
      ASSIZE_ADMIN_KEY: adminKey,
    });
    const printed = stdout.split(end);
    if (code !== 0) {
      const failed = steps[printed.length - 1]?.block;
      t.fail(`line ${failed?.line} ends with ${code}: ${stderr}${printed.at(-1)}`);
      return;
    }
    for (const [index, { block, shown }] of steps.entries()) {
      const output = (printed[index] ?? '').trim();
      t.pass(`line ${block.line} runs`);
      if (shown?.language === 'json')
        t.ok(shows(JSON.parse(shown.body), JSON.parse(output)), `line ${shown.line}: ${output}`);
      if (shown?.language === 'text')
        t.ok(sameText(shown.body.trim(), output), `line ${shown.line}: ${output}`);
    }
  });
}

t.test('what is not run is still on its page', async (t) => {
  for (const { page, has } of exceptions)
    t.ok(
      blocksOf(page).some(({ body }) => has.test(body)),
      `${page}: ${has}`,
    );
});
