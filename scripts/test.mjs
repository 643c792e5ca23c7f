import './require-node.mjs';
import { spawnSync } from 'node:child_process';

// tap must be built once after an install; arguments go to tap.
const run = (...args) => spawnSync('tap', args, { stdio: 'inherit', shell: process.platform === 'win32' });
const built = run('build');
process.exit(built.status === 0 ? (run(...process.argv.slice(2)).status ?? 1) : (built.status ?? 1));
