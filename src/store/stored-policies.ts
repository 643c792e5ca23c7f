import type { PolicyStatus } from '../features/policies/schema.ts';

export interface StoredPolicy {
  id: string;
  /** The name in the current version's document. */
  name: string;
  status: PolicyStatus;
  /** The version that decides while the policy is ACTIVE. */
  version: number;
  latestVersion: number;
  /** The one that a rollback without a version goes back to; null when none was current before. */
  previousVersion: number | null;
  /** The version that becomes the current one at `scheduledAt`; both null when none does. */
  scheduledVersion: number | null;
  scheduledAt: number | null;
  /** Raised by each change of the policy. */
  revision: number;
  createdAt: number;
  updatedAt: number;
}

/** A version that is to decide, and all that it would decide with, as of one moment. */
export interface VersionInUse {
  version: number;
  document: string;
  /** Of every binding of the policy; `integrationId` is null for that of a house policy. */
  bindings: readonly { integrationId: string | null; params: string }[];
  /** The names of lists it reads that do not exist. */
  missingLists: readonly string[];
}

/** Throws an `AppError` for a version that cannot decide, and with it refuses the change. Called inside the step. */
export type AcceptVersion = (version: VersionInUse) => void;

/** What a change of a policy requires. */
export interface ChangeTerms {
  /** The revisions that the policy may have; null is any. */
  expected?: ReadonlySet<number> | null;
  accepts?: AcceptVersion;
}

export type Refused = 'no_policy' | 'outdated';
