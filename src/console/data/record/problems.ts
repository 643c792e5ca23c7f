/** What can be wrong with a line of an export. */
export type Fault =
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

/** Of an export: parsed, and not yet believed. */
export type Line = Readonly<Record<string, unknown>> & { kind: string; line: number };
