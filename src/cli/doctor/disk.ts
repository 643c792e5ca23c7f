import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { settingsFile } from '../../config/environment.ts';
import { isPostgres } from '../../store/address.ts';
import { type CheckResult, fail, ok, warn } from '../../store/check-result.ts';

const mega = 1_048_576;
/** Below this `/health/ready` returns 503. */
const leastFree = 8 * mega;
/** Below this an operator should look: a day's evaluations may fill it. */
const littleFree = 500 * mega;

export function lookAtDisk(database: string): CheckResult[] {
  // Its disk is that of its server.
  if (isPostgres(database)) return [];
  const folder = dirname(database);
  if (!existsSync(folder)) {
    return [warn('folder', `there is no ${folder}`, 'the first start makes it; or: assize init')];
  }
  return [writable(folder), space(folder, database), ...[database, settingsFile].flatMap(permissions)];
}

/** Asked by writing: the rights of a file say nothing about a disk that is mounted read-only. */
function writable(folder: string): CheckResult {
  try {
    rmdirSync(mkdtempSync(join(folder, '.assize-doctor-')));
    return ok('folder', `${folder} can be written to`);
  } catch (error) {
    return fail(
      'folder',
      `${folder} cannot be written to: ${(error as Error).message}`,
      'give it to the user that serves (chown), on a disk mounted for writing',
    );
  }
}

function space(folder: string, database: string): CheckResult {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const size = statSync(database, { throwIfNoEntry: false })?.size ?? 0;
  const message = `${megabytes(free)} free, the database has ${megabytes(size)}`;
  if (free < leastFree) return fail('disk', message, 'free some space: nothing can be recorded');
  if (free < Math.max(littleFree, size)) {
    return warn('disk', message, 'free some space: a backup beside it would not fit, or soon not');
  }
  return ok('disk', message);
}

function permissions(file: string): CheckResult[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat || process.platform === 'win32') return [];
  const check = 'permissions';
  const uid = process.getuid?.();
  if (uid !== 0 && stat.uid !== uid) {
    return [warn(check, `${file} belongs to another user`, 'run this as the user that serves')];
  }
  if ((stat.mode & 0o077) === 0) return [ok(check, `${file} is for its owner only`)];
  return [warn(check, `${file} can be read or written by others`, `chmod 600 ${file}`)];
}

const megabytes = (bytes: number): string => `${Math.round(bytes / mega)} MB`;
