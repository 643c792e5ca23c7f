// The console of the single binary on a machine without a network. Run: npm run test:slow -- binary, after npm run build:binary.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const walk = join(import.meta.dirname, 'every-page.mjs');
/** In a network namespace with the loopback address alone, where this user may have one. */
const offline = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const isOffline = spawnSync(offline[0], [...offline.slice(1), 'true']).status === 0;

test('after the link of the first start every page works, and asks no other host', () => {
  const [program, ...args] = [...(isOffline ? offline : []), process.execPath, walk];
  const { pages, faults } = JSON.parse(execFileSync(program, args, { encoding: 'utf8', timeout: 60_000 }));
  assert.deepEqual(faults, []);
  for (const page of [
    'now',
    'reviews',
    'one of sessions',
    'one of evaluations',
    'one of policies',
    'record',
  ]) {
    assert.ok(pages.includes(page), page);
  }
});
