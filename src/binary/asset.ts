import { getRawAsset } from 'node:sea';
import { zstdDecompressSync } from 'node:zlib';

/** An asset of the single binary, which its build compressed. Throws when there is none of that name. */
export const asset = (key: string): Buffer => zstdDecompressSync(getRawAsset(key));
