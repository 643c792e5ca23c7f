import { randomUUID } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { getAsset, getAssetKeys } from 'node:sea';
import { type Environment, environment } from '../config/environment.ts';
import { Settings } from '../config/settings.ts';
import { isPostgres } from '../store/address.ts';
import { asset } from './asset.ts';

/** The assets of the binary that must lie on disk; the others are its code. */
const prefix = 'files/';

let folder: string | undefined;

/** The folder that the binary's files lie in, unpacked and compared by the first call of this process. */
export function unpacked(): string {
  folder ??= unpackInto(unpackFolders());
  return folder;
}

/** The first of the folders that can be used and trusted. */
function unpackInto(folders: readonly string[]): string {
  const files = new Map(
    getAssetKeys()
      .filter((key) => key.startsWith(prefix))
      .map((key) => [key.slice(prefix.length), asset(key)]),
  );
  const mistakes: string[] = [];
  for (const candidate of folders) {
    try {
      // By content, so that two versions side by side do not take each other's files.
      const place = join(candidate, getAsset('digest', 'utf8'));
      unpack(place, files);
      return place;
    } catch (error) {
      mistakes.push((error as Error).message);
    }
  }
  throw new Error(
    `cannot unpack the SQLite addon: ${mistakes.join('; ')}; name a folder that only this user can write in ASSIZE_UNPACK_FOLDER`,
  );
}

/**
 * Brings the files, by their paths below it, into the folder, which it makes for this user only. What is there already
 * stays when it is the same to the byte, and is replaced otherwise. The process will run what lies here, so it throws
 * an Error that names the place when anybody but this user and root could have put it there, or could exchange it.
 */
export function unpack(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place = realpathSync(folder);
  refuseIfOthersWrite(place);
  for (const [path, bytes] of files) {
    const file = join(place, path);
    const parent = dirname(file);
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    for (let inside = parent; inside !== place; inside = dirname(inside)) refuseIfForeign(inside);
    if (!isSame(file, bytes)) replace(file, bytes);
  }
}

/** A folder is as safe as each one above it: who can write one of them can put another in its place. */
function refuseIfOthersWrite(place: string): void {
  refuseIfForeign(place);
  for (let above = dirname(place); ; above = dirname(above)) {
    // In a sticky folder, as /tmp is one, nobody moves what belongs to another.
    refuseIfForeign(above, isSticky);
    if (above === dirname(above)) return;
  }
}

const isSticky = ({ mode }: Stats): boolean => (mode & 0o1000) !== 0;

function refuseIfForeign(folder: string, mayBeOpen: (stat: Stats) => boolean = () => false): void {
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (!isTrusted(stat.uid)) throw new Error(`${folder} belongs to another user`);
  if (isOpen(stat) && !mayBeOpen(stat)) throw new Error(`${folder} can be written by other users`);
}

const isOpen = ({ mode }: Stats): boolean => (mode & 0o022) !== 0;

const isTrusted = (uid: number): boolean => uid === 0 || uid === process.geteuid?.();

function isSame(file: string, bytes: Uint8Array): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || !isTrusted(stat.uid) || isOpen(stat)) return false;
  return stat.size === bytes.length && readFileSync(file).equals(bytes);
}

/** Whole or not at all, whatever process starts at the same moment or is killed in the middle. */
function replace(file: string, bytes: Uint8Array): void {
  const part = `${file}.${randomUUID()}`;
  try {
    writeFileSync(part, bytes, { flag: 'wx', mode: 0o600 });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

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
