import type { PolicyMode } from '../../schemas/decisions.ts';

/** A policy as it decides on trial. Plain data: it is sent to another thread. */
export interface TriedPolicy {
  policyId: string;
  version: number;
  document: string;
  /** JSON text. */
  params: string;
  mode: PolicyMode | null;
  /** Entries of the shared lists that it reads. */
  lists: Readonly<Record<string, readonly string[]>>;
}

/** How a policy decides on trial for an integration; null: it does not decide. */
export interface TriedBinding {
  policyId: string;
  /** Null for every integration. */
  integrationId: string | null;
  policy: TriedPolicy | null;
  /** Whether it decides where it did not decide then. */
  isAdded: boolean;
}

/** What a replay changes of what decided. */
export interface ReplayChange {
  /** The last one that is for an integration counts. */
  bindings: readonly TriedBinding[];
  /** Entries of shared lists, by name. */
  lists: Readonly<Record<string, readonly string[]>>;
}

/** Without a change, all that was recorded is judged again, and every verdict must be the same. */
export const changesNothing = ({ bindings, lists }: ReplayChange): boolean =>
  bindings.length === 0 && Object.keys(lists).length === 0;
