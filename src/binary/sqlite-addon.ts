import { shipped } from '../files.ts';

// Stands for better-sqlite3's own `lib/binding.js` in the single binary: that one looks for the addon beside itself.

let addon: object | undefined;

/** better-sqlite3's addon, from the file the binary unpacked. The package never hands in another one here. */
export function getBinding(): object {
  addon ??= load(shipped('better-sqlite3.node'));
  return addon;
}

function load(file: string): object {
  const loaded = { exports: {} };
  try {
    process.dlopen(loaded, file);
  } catch (cause) {
    throw new Error(
      `cannot load the SQLite addon: ${(cause as Error).message}; where that file system forbids executing, name another folder in ASSIZE_UNPACK_FOLDER`,
      { cause },
    );
  }
  return loaded.exports;
}
