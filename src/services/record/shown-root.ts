import { hashOfRoot } from '../../record/roots.ts';
import type { RecordRoot } from '../../schemas/record.ts';
import type { StoredRoot } from '../../store/store.ts';

/** A root as everybody may know it: enough to compare it with an export, and to verify its signature. */
export const shownRoot = ({
  statement,
  signature,
}: Pick<StoredRoot, 'statement' | 'signature'>): RecordRoot => {
  const { kind: _, ...signed } = statement;
  return { ...signed, signature, hash: hashOfRoot(statement) };
};
