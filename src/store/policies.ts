import type { Awaitable } from '../awaitable.ts';
import type { StoredIntegration } from '../features/integrations/store.ts';
import type { PolicyMediaType, PolicyStatus } from '../features/policies/schema.ts';
import type { PolicyMode } from '../schemas/decisions.ts';
import type { BindingStore } from './bindings.ts';
import type { EnforcementWatch, ModeOf, UnprotectedIntegration } from './enforcement.ts';
import type { NewEvent } from './events.ts';
import type { Page, PageRequest } from './pages.ts';
import type { ChangeTerms, Refused, StoredPolicy } from './stored-policies.ts';

export interface PolicyDocumentVersion {
  /** The name in this document. */
  name: string;
  mediaType: PolicyMediaType;
  /** As it was sent, to the byte. */
  document: string;
  /** The id of the operator who wrote it; null when that is not known. */
  author: string | null;
  /** Why it was written. */
  note: string | null;
  /** The names of the shared lists that it reads. */
  lists: readonly string[];
}

export interface StoredPolicyVersion extends Omit<PolicyDocumentVersion, 'lists'> {
  /** Null for an id that no operator has. */
  authorName: string | null;
  version: number;
  createdAt: number;
}

export interface ListedPolicyVersion extends Omit<StoredPolicyVersion, 'document'> {
  document: string | null;
}

export interface BoundPolicy {
  policyId: string;
  version: number;
  document: string;
  /** JSON text: values of params that the binding gives. */
  params: string;
  /** That of the binding; null leaves it to the document. */
  mode: PolicyMode | null;
  /** The names of the shared lists that it reads. */
  lists: readonly string[];
}

/** All that decides for an integration, as of one moment. */
export interface PoliciesInForce {
  integration: StoredIntegration;
  /** Raised by every change of the integration, its key, its bindings, and the policies that are bound to it. */
  revision: number;
  /**
   * The current versions of the ACTIVE policies bound to the integration and of the ACTIVE house policies, in order of the
   * policies' creation. One that is both, under different terms, is there twice, the house's first.
   */
  policies: readonly BoundPolicy[];
  /** The tool catalogue of the integration, JSON text; null without one. */
  tools: string | null;
  /** Those that the policies read, by name. */
  lists: ReadonlyMap<string, { id: string; version: number; entries: readonly string[] }>;
  /** When the next scheduled version of one of the policies bound to it is due; null when none is. */
  nextDueAt: number | null;
}

export interface PolicyStore extends BindingStore {
  /** Version 1. */
  create(
    policy: { id: string; status: PolicyStatus; createdAt: number },
    version: PolicyDocumentVersion,
  ): Promise<StoredPolicy>;
  find(id: string): Promise<StoredPolicy | null>;
  /** Newest first. */
  list(page: PageRequest, filter: { status?: PolicyStatus }): Promise<Page<StoredPolicy>>;

  /**
   * Adds the next version and makes it the current one, unless the policy is ACTIVE and `activates` is false; the status
   * stays. It must be accepted where it becomes the current one.
   */
  addVersion(
    id: string,
    version: PolicyDocumentVersion,
    now: number,
    terms?: ChangeTerms & { activates?: boolean },
  ): Promise<StoredPolicy | Refused>;
  findVersion(id: string, version: number): Promise<StoredPolicyVersion | null>;
  /** Newest first, without documents that have more bytes. Null when there is no such policy. */
  listVersions(id: string, page: PageRequest, mostBytes: number): Promise<Page<ListedPolicyVersion> | null>;

  /**
   * Makes the policy ACTIVE, and `version` its current one when given: that replaces what is scheduled. 'own_version': one
   * of `notBy` is its author.
   */
  activate(
    id: string,
    version: number | null,
    now: number,
    terms?: ChangeTerms & { notBy?: readonly string[] },
  ): Promise<StoredPolicy | Refused | 'no_version' | 'own_version'>;
  /**
   * Makes an earlier version of an ACTIVE policy the current one: `version`, or the one that was current before this one
   * ('no_version' when none was).
   */
  rollBack(
    id: string,
    version: number | null,
    now: number,
    terms?: ChangeTerms & { notBy?: readonly string[] },
  ): Promise<StoredPolicy | Refused | 'not_active' | 'no_version' | 'not_earlier' | 'own_version'>;
  /** `version` becomes the current one, and the policy ACTIVE, at `at`. Replaces what was scheduled before. */
  schedule(
    id: string,
    version: number,
    at: number,
    now: number,
    terms?: ChangeTerms & { notBy?: readonly string[] },
  ): Promise<StoredPolicy | Refused | 'no_version' | 'own_version'>;
  unschedule(id: string, now: number, terms?: ChangeTerms): Promise<StoredPolicy | Refused | 'not_scheduled'>;
  /** Makes scheduled versions that are due the current ones, each with the event that `event` makes of its policy, in one step. */
  activateDue(now: number, event?: (policy: StoredPolicy) => NewEvent): Promise<StoredPolicy[]>;
  /** Makes the policy DEPRECATED, so that it decides nothing more, and unschedules it. */
  deprecate(
    id: string,
    now: number,
    terms?: ChangeTerms,
  ): Promise<StoredPolicy | Refused | 'already_deprecated'>;
  /** Removes the policy, its versions and bindings, unless an evaluation was ever decided with it. */
  delete(id: string, terms?: ChangeTerms): Promise<StoredPolicy | Refused | 'has_decided'>;

  /** Null when there is no such integration, or it was deleted. */
  findInForce(integrationId: string): Awaitable<PoliciesInForce | null>;

  /**
   * From now on, the step of every change of policies and bindings writes the event of each integration for which a policy in
   * mode ENFORCE decided before it, and none does after it. Not of an integration that is deleted.
   */
  watchEnforcement(watch: EnforcementWatch): void;
  /** The integrations, not deleted, for which no policy is enforced, in the order of their creation. */
  listUnprotected(modeOf: ModeOf): Promise<UnprotectedIntegration[]>;
}
