import { randomFillSync } from 'node:crypto';

const saltBytes = 16;
const random = Buffer.alloc(256 * saltBytes);
let used = random.length;

/**
 * A new salt for the digests of content: 128 random bits in hexadecimal. Random bytes are asked for many at a time: a system call
 * for each costs more than the digest.
 */
export function newSalt(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const salt = random.toString('hex', used, used + saltBytes);
  random.fill(0, used, used + saltBytes);
  used += saltBytes;
  return salt;
}
