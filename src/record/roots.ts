import { createHash, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson } from '../json/stringify.ts';
import { leafHash } from './merkle.ts';

/** The data of a leaf of the tree: the head that a chain had. */
export interface LeafData {
  chain: string;
  seq: number;
  hash: string;
}

export const hashOfLeaf = ({ chain, seq, hash }: LeafData): string =>
  leafHash(canonicalJson({ chain, hash, seq }));

/** The signed statement: the tree of chain heads as of one moment. */
export interface RootStatement {
  kind: 'root';
  /** From 1, without gaps. */
  seq: number;
  at: string;
  /** SHA-256 of the statement before it; zeros for the first one. */
  previous: string;
  treeSize: number;
  rootHash: string;
  /** SHA-256 of the public key (DER, SubjectPublicKeyInfo). */
  keyId: string;
}

export const noRoot = '0'.repeat(64);

export const hashOfRoot = (statement: RootStatement): string =>
  hash('sha256', canonicalJson(statement), 'hex');

/** Ed25519 over the canonical JSON of the statement, in base64. */
export const signRoot = (statement: RootStatement, key: KeyObject): string =>
  sign(null, Buffer.from(canonicalJson(statement)), key).toString('base64');

/** False also for a key or signature that cannot be read. */
export function isSigned(statement: RootStatement, signature: string, publicKey: string): boolean {
  try {
    const bytes = Buffer.from(signature, 'base64');
    // Not another text of the same bytes: what was signed is kept to the letter.
    if (bytes.toString('base64') !== signature) return false;
    return verify(null, Buffer.from(canonicalJson(statement)), publicKeyOf(publicKey), bytes);
  } catch {
    return false;
  }
}

/** Reads a public key: DER (SubjectPublicKeyInfo) in base64. */
const publicKeyOf = (text: string): KeyObject =>
  createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });

export const publicKeyText = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');

export const keyIdOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
