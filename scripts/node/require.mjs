import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../develop/install.mjs';

// Scripts of npm import it before anything that an older Node cannot even parse or load (better-sqlite3 13 crashes Node 20 with a signal). The first command
// that such a Node runs installs a newer one for the checkout, and links it to where npm looks for programs first. A command that
// the old Node began goes on in the new one.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const programs = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));
  const node = newerNode(programs);
  if (node === null) {
    process.stderr.write(`assize needs Node 22.18 or newer, and this is Node ${process.versions.node}\n`);
    process.exit(1);
  }
  const child = spawn(node, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` },
  });
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  process.exit(code ?? 1);
}

/** Its path, or null: npm has one for Linux only. */
function newerNode(programs) {
  const packages = install('scripts/node');
  if (packages === null) return null;
  const folder = join(packages, `node-linux-${process.arch}`);
  const node = join(folder, 'bin/node');
  if (!existsSync(node)) return null;
  // 68 MB of headers, for addons that nobody compiles.
  rmSync(join(folder, 'include'), { recursive: true, force: true });
  mkdirSync(programs, { recursive: true });
  rmSync(join(programs, 'node'), { force: true });
  symlinkSync(node, join(programs, 'node'));
  return node;
}
