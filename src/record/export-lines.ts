import { canonicalJson } from '../json/stringify.ts';
import type { DecidingResource, VersionedResource } from './deciding-state.ts';
import type { ChainHead, ChainOrigin } from './entries.ts';
import type { LeafData, RootStatement } from './roots.ts';

// An export of the record is text: one line for each of these, as canonical JSON with the number of the line, in this order:
// the header, the keys, the roots with the leaves that each added, the chains with their entries and the terms that those name,
// what decides as it is now, its versions, the end.

export interface HeaderLine {
  kind: 'export';
  format: 1;
  madeAt: string;
  /** Null for the whole record, and for one session. */
  from: string | null;
  to: string | null;
  /** The one chain of an export of a session: its leaves come with proofs, and only the last root is there. */
  chain: string | null;
  /** The hashes of the complete subtrees of the first root of the export; empty when it begins with the record. */
  frontier: string[];
}

export interface KeyLine {
  kind: 'key';
  keyId: string;
  /** DER (SubjectPublicKeyInfo) in base64. */
  publicKey: string;
}

export interface LeafLine extends LeafData {
  kind: 'leaf';
  index: number;
  /** In an export of a session: that the leaf is in the tree of its root. */
  proof?: string[];
}

export interface RootLine {
  kind: 'root';
  statement: RootStatement;
  signature: string;
}

/** Before the first entry of each chain. */
export type ChainLine =
  | { kind: 'chain'; origin: ChainOrigin }
  /** A chain that began before the export: its head then, with the proof that the first root of the export covers it. */
  | { kind: 'chain'; chain: string; head: ChainHead; index: number; proof: string[] };

export interface EntryLine {
  kind: 'entry';
  hash: string;
  entry: Record<string, unknown>;
  /** The texts that the entry has digests of and that are still kept. */
  content?: Record<string, string>;
}

/** The terms of policies that decided together, before the entries that have their SHA-256. */
export interface TermsLine {
  kind: 'terms';
  terms: string;
}

/** A deciding resource as it is when the export is made. Not in an export of a session. */
export interface StateLine {
  kind: 'state';
  resource: DecidingResource;
  resourceId: string;
  /** Null when it has changed since the last entry of the export. */
  state: Record<string, unknown> | null;
  /** The entries of a list, or the tool catalogue of an integration. */
  text: string | null;
}

export interface VersionLine {
  kind: 'version';
  resource: VersionedResource;
  resourceId: string;
  version: number;
  text: string;
}

export interface EndLine {
  kind: 'end';
}

export type ExportLine =
  | HeaderLine
  | KeyLine
  | LeafLine
  | RootLine
  | ChainLine
  | TermsLine
  | EntryLine
  | StateLine
  | VersionLine
  | EndLine;

/** `line` is the number of the line, from 1. */
export const lineText = (line: number, content: ExportLine): string => canonicalJson({ line, ...content });
