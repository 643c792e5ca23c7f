// The hashes of the record, recomputed in the browser: SHA-256 in lower-case hexadecimal, and the tree of RFC 6962.

const encoder = new TextEncoder();

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

export const sha256 = (text: string): Promise<string> => digest(encoder.encode(text));

const joined = (first: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([first, ...parts.flatMap((part) => [...part])]);

export const leafHash = (text: string): Promise<string> => digest(joined(0, encoder.encode(text)));

const nodeHash = (left: string, right: string): Promise<string> =>
  digest(joined(1, bytesOf(left), bytesOf(right)));

/** The roots of the complete subtrees of a tree, largest first: all that is needed to add leaves. */
export interface Frontier {
  size: number;
  hashes: string[];
}

export async function addLeaf(frontier: Frontier, leaf: string): Promise<void> {
  let hash = leaf;
  for (let size = frontier.size; size % 2 === 1; size = Math.floor(size / 2)) {
    hash = await nodeHash(frontier.hashes.pop() ?? '', hash);
  }
  frontier.hashes.push(hash);
  frontier.size++;
}

export async function rootOf({ hashes }: Frontier): Promise<string> {
  const [last, ...rest] = hashes.toReversed();
  let root = last ?? (await sha256(''));
  for (const left of rest) root = await nodeHash(left, root);
  return root;
}

/** The root that follows from a leaf and the hashes beside its path (RFC 9162, 2.1.3.2); null when they do not fit the tree. */
export async function rootFromProof(
  leaf: string,
  index: number,
  size: number,
  proof: readonly string[],
): Promise<string | null> {
  if (index >= size) return null;
  let at = index;
  let last = size - 1;
  let hash = leaf;
  for (const beside of proof) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      hash = await nodeHash(beside, hash);
      for (; at % 2 === 0 && at !== 0; at = Math.floor(at / 2)) last = Math.floor(last / 2);
    } else hash = await nodeHash(hash, beside);
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? hash : null;
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** The id of a public key, in base64: the SHA-256 of its bytes. */
export const keyIdOf = (publicKey: string): Promise<string> => digest(fromBase64(publicKey));

/** Ed25519; false also for a key or signature that cannot be read. */
export async function isSigned(text: string, signature: string, publicKey: string): Promise<boolean> {
  try {
    const bytes = fromBase64(publicKey);
    const key = await crypto.subtle.importKey('spki', bytes, { name: 'Ed25519' }, false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, fromBase64(signature), encoder.encode(text));
  } catch {
    return false;
  }
}

/** The faults that a line of an export can have. */
type Fault =
  | 'unreadable'
  | 'place'
  | 'changed'
  | 'follows'
  | 'missing'
  | 'content'
  | 'covered'
  | 'decides'
  | 'truncated'
  | 'key'
  | 'signature'
  | 'rootOrder'
  | 'tree'
  | 'end';

export interface Problem {
  fault: Fault;
  /** From 1; null for what is not there. */
  line: number | null;
  /** The chain or root that it is about. */
  about: string;
}
export type Report = (fault: Fault, about: string, line: number | null) => void;

/** A line of an export: parsed, and not yet believed. */
export type Line = Readonly<Record<string, unknown>> & { kind: string; line: number };
