import { hash } from 'node:crypto';
import { mentionOf } from '../engine/index.ts';

/** 132 bits, so that collisions cannot be found. */
export const digestOf = (salt: string, identifier: string): string =>
  hash('sha256', `${salt} ${identifier}`, 'base64url').slice(0, 22);

/** In each of two halves: some 200 bytes each as a rule. */
const mostKnown = 8_000;

/**
 * Digests of what was written lately, by how it was written. Most of a content was in an earlier one (keys, names, values that
 * recur), and looking it up takes a tenth of the time of normalizing and hashing it.
 */
class KnownDigests {
  readonly salt: string;
  #newer = new Map<string, string | null>();
  #older = this.#newer;

  constructor(salt: string) {
    this.salt = salt;
  }

  readonly find = (written: string): string | null => {
    const known = this.#newer.get(written);
    if (known !== undefined) return known;
    const digest = this.#older.get(written) ?? this.#digestOf(written);
    if (this.#newer.size >= mostKnown) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(ownCopy(written), digest);
    return digest;
  };

  #digestOf(written: string): string | null {
    const identifier = mentionOf(written);
    return identifier === null ? null : digestOf(this.salt, identifier);
  }
}

/** A part of a text keeps the whole text in memory, which may be a megabyte. */
const ownCopy = (part: string): string => ` ${part}`.slice(1);

let latest = new KnownDigests('');

/** Gives the digest of an identifier, however it is written; null for what is none. One installation has one salt. */
export function digestsWith(salt: string): (written: string) => string | null {
  if (latest.salt !== salt) latest = new KnownDigests(salt);
  return latest.find;
}
