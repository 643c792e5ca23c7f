import type { PolicyMediaType, PolicyStatus } from '../schemas/policies.ts';
import type { StoredIntegration } from './integrations.ts';
import type { Page, PageRequest } from './pages.ts';

export interface StoredPolicy {
  id: string;
  /** The name in the current version's document. */
  name: string;
  status: PolicyStatus;
  /** The version that decides while the policy is ACTIVE. */
  version: number;
  latestVersion: number;
  createdAt: number;
  updatedAt: number;
}

export interface PolicyDocumentVersion {
  /** The name in this document. */
  name: string;
  mediaType: PolicyMediaType;
  /** As it was sent, to the byte. */
  document: string;
  /** The id of the operator who wrote it; null when that is not known. */
  author: string | null;
}

export interface StoredPolicyVersion extends PolicyDocumentVersion {
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
}

/** All that decides for an integration, as of one moment. */
export interface PoliciesInForce {
  integration: StoredIntegration;
  /** Raised by every change of the integration, its key, its bindings, and the policies that are bound to it. */
  revision: number;
  /** The current versions of the ACTIVE policies bound to the integration, in order of the policies' creation. */
  policies: readonly BoundPolicy[];
}

export interface StoredBinding {
  integrationId: string;
  policyId: string;
  createdAt: number;
}

export interface PolicyStore {
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
   * stays. Null when there is no such policy.
   */
  addVersion(
    id: string,
    version: PolicyDocumentVersion,
    now: number,
    activates?: boolean,
  ): Promise<StoredPolicy | null>;
  findVersion(id: string, version: number): Promise<StoredPolicyVersion | null>;
  /** Newest first, without documents that have more bytes. Null when there is no such policy. */
  listVersions(id: string, page: PageRequest, mostBytes: number): Promise<Page<ListedPolicyVersion> | null>;

  /** Makes the policy ACTIVE, and `version` its current one when given. 'own_version': `notBy` is its author. */
  activate(
    id: string,
    version: number | null,
    now: number,
    notBy?: string | null,
  ): Promise<StoredPolicy | 'no_policy' | 'no_version' | 'own_version'>;
  /** Makes the policy DEPRECATED, so that it decides nothing more. */
  deprecate(id: string, now: number): Promise<StoredPolicy | 'no_policy' | 'already_deprecated'>;
  /** Removes the policy, its versions and bindings, unless an evaluation was ever decided with it. */
  delete(id: string): Promise<StoredPolicy | 'no_policy' | 'has_decided'>;

  /** Null when the integration or the policy is missing. Binding twice keeps the first binding. */
  bind(integrationId: string, policyId: string, now: number): Promise<StoredBinding | null>;
  /** Null when there is no such binding. */
  unbind(integrationId: string, policyId: string): Promise<StoredBinding | null>;
  /** All policies bound to the integration, whatever their status, newest binding first; null when it is missing. */
  listBound(integrationId: string, page: PageRequest): Promise<Page<StoredPolicy> | null>;
  /** Null when there is no such integration, or it was deleted. */
  findInForce(integrationId: string): Promise<PoliciesInForce | null>;
}
