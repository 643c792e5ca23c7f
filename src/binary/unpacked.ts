import { join } from 'node:path';
import { getAsset, getAssetKeys } from 'node:sea';
import { unpackFolders } from '../config/unpack-folders.ts';
import { asset } from './asset.ts';
import { unpack } from './unpack.ts';

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
