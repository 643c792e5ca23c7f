import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isPostgres } from '../store/address.ts';
import { type Environment, environment } from './environment.ts';
import { Settings } from './settings.ts';

/** Where the single binary may unpack its files, best first. */
export function unpackFolders(env: Environment = environment()): string[] {
  if (env.ASSIZE_UNPACK_FOLDER) return [resolve(env.ASSIZE_UNPACK_FOLDER)];
  const database = env.ASSIZE_DATABASE || Settings.properties.ASSIZE_DATABASE.default;
  // An absolute one only, says the XDG specification: a relative one is to be ignored.
  const cache = [env.XDG_CACHE_HOME, env.HOME && join(env.HOME, '.cache')].find(
    (path) => path && isAbsolute(path),
  );
  return [
    ...(cache ? [join(cache, 'assize')] : []),
    resolve(isPostgres(String(database)) ? '.' : dirname(String(database)), '.assize'),
  ];
}
