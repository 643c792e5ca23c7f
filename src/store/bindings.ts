import type { PolicyMode } from '../schemas/decisions.ts';
import type { Page, PageRequest } from './pages.ts';
import type { AcceptVersion, StoredPolicy } from './stored-policies.ts';

/** How a policy is bound. */
export interface BindingTerms {
  /** JSON text: values for params of the policy, instead of those of its document. Equal ones must have equal texts. */
  params: string;
  /** Instead of the document's; null leaves it to the document. */
  mode: PolicyMode | null;
}

export interface StoredBinding extends BindingTerms {
  integrationId: string;
  policyId: string;
  createdAt: number;
  updatedAt: number;
}

/** A policy that decides for every integration, those to come included. */
export interface StoredHousePolicy extends BindingTerms {
  policyId: string;
  createdAt: number;
  updatedAt: number;
}

export interface ListedHousePolicy extends StoredHousePolicy {
  policy: StoredPolicy;
}

/** On which terms a binding is changed or removed. */
export interface BindingConditions {
  /** Called inside the step, with the current version and, when there is one, the scheduled one. */
  accepts?: AcceptVersion;
  /** The terms that the binding must have; null expects that there is none. */
  expected?: BindingTerms | null;
}

/** 'outdated': the binding is not as expected. */
export interface BindingStore {
  /**
   * Binds a policy, or changes the terms of its binding; null terms are the defaults, and leave a binding as it is. Null when
   * the integration or the policy is missing.
   */
  bind(
    integrationId: string,
    policyId: string,
    terms: BindingTerms | null,
    now: number,
    conditions?: BindingConditions,
  ): Promise<StoredBinding | 'outdated' | null>;
  /** Null when there is no such binding. */
  unbind(
    integrationId: string,
    policyId: string,
    conditions?: Pick<BindingConditions, 'expected'>,
  ): Promise<StoredBinding | 'outdated' | null>;
  /** Null when there is no such binding. */
  findBinding(integrationId: string, policyId: string): Promise<StoredBinding | null>;
  /** All policies bound to the integration, whatever their status, newest binding first; null when it is missing. */
  listBound(
    integrationId: string,
    page: PageRequest,
  ): Promise<Page<StoredPolicy & { binding: StoredBinding }> | null>;
  /** The integrations, not deleted, that a policy decides for while it is ACTIVE: all of them for a house policy. */
  listIntegrationsOf(policyId: string): Promise<string[]>;

  /** The same for all integrations. Null when there is no such policy. */
  bindHouse(
    policyId: string,
    terms: BindingTerms | null,
    now: number,
    conditions?: BindingConditions,
  ): Promise<StoredHousePolicy | 'outdated' | null>;
  /** Null when it is none. */
  unbindHouse(
    policyId: string,
    conditions?: Pick<BindingConditions, 'expected'>,
  ): Promise<StoredHousePolicy | 'outdated' | null>;
  /** Newest first. */
  listHouse(page: PageRequest): Promise<Page<ListedHousePolicy>>;
  /** Null when it is none. */
  findHouse(policyId: string): Promise<StoredHousePolicy | null>;
}
