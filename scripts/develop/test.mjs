import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { holdsFloors } from './coverage.mjs';
import { runFiles } from './test-processes.mjs';
import { tiersOf } from './test-tiers.mjs';

// npm test: the quick tests, which need nothing that is built. npm run test:built: builds, then those that run what is built. With the names of
// files, these. With --coverage, or in CI, the lines that the quick tests reach are held to their floors, which takes more processor time.

const [tier, ...more] = process.argv.slice(2);
const given = more.filter((argument) => argument !== '--coverage');
const tiers = tiersOf();
const files = given.length > 0 ? given : tiers[tier];
const isInCi = process.env.CI !== undefined;
const withCoverage = files === tiers.quick && (more.includes('--coverage') || isInCi);

const folder = mkdtempSync(join(inMemory() ?? tmpdir(), 'assize-tests-'));
// Tests that give up their rights find their databases all the same.
chmodSync(folder, 0o755);
const env = {
  ...process.env,
  TMPDIR: folder,
  ...(withCoverage && {
    NODE_COMPILE_CACHE: resolve('build/compiled-with-probes'),
    TEST_COVERAGE: join(folder, 'coverage'),
  }),
};
try {
  if (tier === 'built') build();
  // Programs are no quicker for a third process.
  const isGreen = await runFiles(files, tier === 'built' ? { env, atOnce: availableParallelism() } : { env });
  const isCovered = !withCoverage || holdsFloors(env.TEST_COVERAGE);
  if (!isGreen || !isCovered) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function build() {
  const { status } = spawnSync('npm', ['run', '-s', 'build'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
}

/** Databases of these tests live in memory, where a commit waits for no disk: what survives a crash is tested by those of the slow tier. */
function inMemory() {
  const place = '/dev/shm';
  if (!existsSync(place)) return null;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize > 2 ** 31 ? place : null;
}
