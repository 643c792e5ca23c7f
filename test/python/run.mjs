// npm run test:slow -- python: the Python client against the real service, with Debian's Python, which has nothing but the standard
// library; then its types, with Debian's mypy. Extra arguments go to unittest.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { adminKey, startApp } from '../helpers/app.ts';

const here = join(import.meta.dirname, '../../clients/python');
const teardowns = [];
const app = await startApp({ teardown: (work) => teardowns.push(work) });
const base = await app.http.listen({ host: '127.0.0.1', port: 0 });
const env = {
  PATH: process.env.PATH,
  PYTHONPATH: join(here, 'src'),
  PYTHONDONTWRITEBYTECODE: '1',
  ASSIZE_URL: base,
  ASSIZE_ADMIN_KEY: adminKey,
};
const chosen = process.argv.slice(2);
const all = ['discover', '-s', 'tests', '-t', '.'];
const args = ['-W', 'error', '-m', 'unittest', ...(chosen.length > 0 ? chosen : all)];
const tests = spawn('/usr/bin/python3', args, { cwd: here, env, stdio: 'inherit' });
const code = await new Promise((closed) => tests.once('close', closed));
for (const work of teardowns.reverse()) await work();

const checked = spawnSync('mypy', [], { cwd: here, stdio: 'inherit' });
if (checked.error?.code === 'ENOENT') {
  if (process.env.CI) throw new Error('mypy is not installed: apt-get install mypy');
  console.log('mypy is not installed: the types were not checked');
}
process.exitCode = code || checked.status || 0;
