import { join } from 'node:path';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { unpacked } from './binary/unpacked.ts';

/**
 * A file or folder that is shipped beside `src/`, and so beside `dist/` when bundled; of the single binary, where it was
 * unpacked. Throws an Error that says what to do when the binary cannot unpack it.
 */
export const shipped = (path: string): string =>
  isSea() ? join(unpacked(), path) : fileURLToPath(new URL(`../${path}`, import.meta.url));
