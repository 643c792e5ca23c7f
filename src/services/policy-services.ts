import type { Store } from '../store/store.ts';
import { type Bindings, createBindings } from './bindings.ts';
import { keepsList, needsProposal } from './four-eyes.ts';
import { createLists, type Lists } from './lists.ts';
import { createPolicies, type Policies } from './policies.ts';
import { createPolicyActivation, type PolicyActivation } from './policy-activation.ts';
import type { PolicyChecker } from './policy-checks/policy-checker.ts';
import { createProposals, type Proposals } from './proposals.ts';
import { createProposedOperations } from './proposed-operations.ts';
import { createVersionCheck } from './version-check.ts';

/** What decides, as operators change it. */
export interface PolicyServices {
  policies: Policies;
  activation: PolicyActivation;
  bindings: Bindings;
  lists: Lists;
  proposals: Proposals;
}

/** `direct` makes every change at once: for the first start. */
export function createPolicyServices(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  /** Whether a change of what decides takes two operators. */
  fourEyes: boolean;
  checker: PolicyChecker;
}): { forOperators: PolicyServices; direct: PolicyServices } {
  const checked = { ...deps, versionCheck: createVersionCheck(deps.checker) };
  const policies = createPolicies(checked);
  const activation = createPolicyActivation(checked);
  const bindings = createBindings(checked);
  const lists = createLists(deps);
  const operations = createProposedOperations({ store: deps.store, activation, bindings, lists });
  const direct = {
    policies,
    activation,
    bindings,
    lists,
    proposals: createProposals({ ...deps, operations }),
  };
  return { direct, forOperators: deps.fourEyes ? onlyProposed(direct) : direct };
}

const refuse = (): Promise<never> => Promise.reject(needsProposal());

/** What could loosen a decision without a new version of a policy is proposed. */
const onlyProposed = ({ activation, bindings, lists, ...others }: PolicyServices): PolicyServices => ({
  ...others,
  activation: { ...activation, deprecate: refuse },
  bindings: { ...bindings, bind: refuse, unbind: refuse, bindHouse: refuse, unbindHouse: refuse },
  // Another list of that name, with other entries, would be read by each version that read this one.
  lists: { ...lists, change: refuse, delete: () => Promise.reject(keepsList()) },
});
