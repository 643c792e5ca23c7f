import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** On disk is what is synced; a new name is when its folder is. */
export function sync(file: string): void {
  for (const path of [file, dirname(file)]) {
    const descriptor = openSync(path, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** False when one of them is missing. */
export function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((file) => statSync(file, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
