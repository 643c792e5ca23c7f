import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// An old Node must be able to read this file.

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Installs what only some commands need from the lockfile of their own folder, unless it is installed. npm says why when it cannot,
 * on the standard error output. Returns the folder of the packages, or null.
 */
export function install(folder) {
  const place = join(root, folder);
  const packages = join(place, 'node_modules');
  const stamp = join(packages, '.installed-from');
  const lockfile = readFileSync(join(place, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile) return packages;
  const { status } = spawnSync('npm', ['ci', '--prefix', place], { stdio: ['ignore', 2, 2] });
  if (status !== 0) return null;
  // npm makes no folder when none of the packages is for this platform.
  if (existsSync(packages)) writeFileSync(stamp, lockfile);
  return packages;
}
