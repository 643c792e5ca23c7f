/** The kinds of damage in an export of the record. */
export type ProblemCode =
  /** The line or entry is not what was written. */
  | 'changed'
  /** The entry has a hash of its own that is right, and is not the one that its successor or a signed root covers. */
  | 'replaced'
  | 'missing'
  | 'reordered'
  | 'repeated'
  /** The chain or the file ends too early. */
  | 'truncated'
  /** No signed root covers the entry. */
  | 'uncovered'
  /** A root is not signed by a key that is trusted, or does not follow from what it covers. */
  | 'root';

export interface Problem {
  code: ProblemCode;
  /** The line of the file where it showed, from 1; null for what is not there. */
  line: number | null;
  chain: string | null;
  seq: number | null;
  /** The id of the evaluation or other record, when the entry can be read. */
  id: string | null;
  message: string;
}

export type Report = (problem: Partial<Problem> & Pick<Problem, 'code' | 'message'>) => void;

export interface Verification {
  problems: Problem[];
  entries: number;
  chains: number;
  roots: number;
  /** Entries whose content was deleted, or not kept in the first place. */
  withoutContent: number;
  /** Versions of policies and lists, and those of them whose entry has no digest, or is not in the export. */
  versions: number;
  unnamedVersions: number;
  /** When the last root was signed; null without one. */
  coveredUntil: string | null;
  /** The keys that signed. */
  keyIds: string[];
  /** Whether the keys were compared with those that the auditor trusts. */
  isKeyTrusted: boolean;
}
