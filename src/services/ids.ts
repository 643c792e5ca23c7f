import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const randomBytes = new Uint8Array(16 * 1_024);
let used = randomBytes.length;

/**
 * A UUID of version 7 (RFC 9562): ids made together stand together in an index. Random bytes are drawn in bulk, because
 * drawing them is a system call and an evaluation needs several ids.
 */
export function newId(): string {
  if (used === randomBytes.length) {
    randomFillSync(randomBytes);
    used = 0;
  }
  const random = randomBytes.subarray(used, used + 16);
  used += 16;
  return uuidv7({ random });
}
