import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './values.ts';

const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

export const RecordRoot = Type.Object({
  seq: Type.Integer({ minimum: 1 }),
  at: Timestamp,
  previous: Sha256('`hash` of the root before it; zeros for the first'),
  treeSize: Type.Integer({
    minimum: 0,
    description: 'number of leaves: chain heads, one for each time a chain grew',
  }),
  rootHash: Sha256('of the tree (RFC 6962)'),
  keyId: Sha256('of the public key that it is signed with'),
  signature: Type.String({
    description: 'Ed25519, in base64, over the canonical JSON of the other members and `"kind":"root"`',
  }),
  hash: Sha256('of what is signed'),
});
export type RecordRoot = Static<typeof RecordRoot>;

export const RootProof = Type.Object({
  first: RecordRoot,
  second: RecordRoot,
  proof: Type.Array(Sha256('a node of the tree'), { description: 'as RFC 6962, section 2.1.2, orders them' }),
});
export type RootProof = Static<typeof RootProof>;

export const RecordKey = Type.Object({
  keyId: Sha256('of the public key'),
  publicKey: Type.String({ description: 'Ed25519: DER (SubjectPublicKeyInfo) in base64' }),
});
export type RecordKey = Static<typeof RecordKey>;

export const RecordExportPage = Type.Object({
  lines: Type.Array(Type.String(), { description: 'JSON texts: each is one line of the export' }),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'the `cursor` of the next page; null on the last',
  }),
});
export type RecordExportPage = Static<typeof RecordExportPage>;
