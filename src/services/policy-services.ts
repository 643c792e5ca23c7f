import { isDeepStrictEqual } from 'node:util';
import type { Integrations } from '../features/integrations/service.ts';
import { createLists, type Lists } from '../features/lists/service.ts';
import type { Operators } from '../features/operators/service.ts';
import { createPolicyActivation, type PolicyActivation } from '../features/policies/activation.ts';
import { type Bindings, createBindings } from '../features/policies/bindings.ts';
import { createVersionCheck, type PolicyChecker } from '../features/policies/checker.ts';
import { createPolicies, type Policies } from '../features/policies/service.ts';
import { createProposedOperations } from '../features/proposals/operations.ts';
import { createProposals, type Proposals } from '../features/proposals/service.ts';
import type { ToolCatalogues } from '../features/tools/service.ts';
import type { Store } from '../store/store.ts';
import { operatorsOfPerson } from './access/authentication.ts';
import { type FourEyes, needsProposal } from './access/four-eyes.ts';

/** The resources that decide, as operators change them. */
interface DecidingServices {
  policies: Policies;
  activation: PolicyActivation;
  bindings: Bindings;
  lists: Lists;
  toolCatalogues: ToolCatalogues;
  integrations: Integrations;
  operators: Operators;
}

export interface PolicyServices extends DecidingServices {
  proposals: Proposals;
}

/** `direct` makes every change at once: for the first start. */
export function createPolicyServices(
  deps: {
    store: Store;
    now: () => number;
    newId: () => string;
    fourEyes: readonly FourEyes[];
    checker: PolicyChecker;
  } & Pick<DecidingServices, 'toolCatalogues' | 'integrations' | 'operators'>,
): { forOperators: PolicyServices; direct: DecidingServices } {
  const { store, fourEyes, toolCatalogues, integrations, operators } = deps;
  const checked = {
    ...deps,
    fourEyes: fourEyes.includes('policies'),
    versionCheck: createVersionCheck(deps.checker),
  };
  const direct = {
    policies: createPolicies(checked),
    activation: createPolicyActivation(checked),
    bindings: createBindings(checked),
    lists: createLists(deps),
    toolCatalogues,
    integrations,
    operators,
  };
  const proposals = createProposals({ ...deps, operations: createProposedOperations({ store, ...direct }) });
  const forOperators = {
    ...direct,
    ...(fourEyes.includes('policies') && proposedPolicies(store, direct)),
    ...(fourEyes.length > 0 && { operators: proposedPerson(store, operators) }),
  };
  return { direct, forOperators: { ...forOperators, proposals } };
}

const refuse = (): Promise<never> => Promise.reject(needsProposal());

/** Services that propose every change that could loosen a decision without a new version of a policy. */
function proposedPolicies(
  store: Store,
  { policies, activation, bindings, lists, toolCatalogues, integrations }: DecidingServices,
): Partial<DecidingServices> {
  return {
    policies: {
      ...policies,
      async delete(id, expected) {
        const policy = await store.policies.find(id);
        const { status, scheduledAt, revision } = policy ?? {};
        if (status === 'ACTIVE' || (policy && scheduledAt !== null)) throw needsProposal();
        // Nobody activates it meanwhile: that raises its revision.
        return policies.delete(id, expected ?? (revision === undefined ? null : new Set([revision])));
      },
    },
    activation: { ...activation, deprecate: refuse },
    bindings: { ...bindings, bind: refuse, unbind: refuse, bindHouse: refuse, unbindHouse: refuse },
    lists: {
      ...lists,
      change: refuse,
      delete: refuse,
      async create(caller, list) {
        // The list may have been deleted: each version that read it would read this one, with other entries.
        if (await store.lists.isRead(list.name)) throw needsProposal();
        return lists.create(caller, list);
      },
    },
    toolCatalogues: { ...toolCatalogues, put: refuse, import: refuse, accept: refuse },
    integrations: {
      ...integrations,
      async change(id, request) {
        // Rules see the name.
        if (request.settings || request.name !== undefined) throw needsProposal();
        return integrations.change(id, request);
      },
    },
  };
}

/** Nobody changes alone who they are, or whose approval theirs counts as. */
const proposedPerson = (store: Store, operators: Operators): Operators => ({
  ...operators,
  async change(caller, id, request) {
    const own = (await operatorsOfPerson(store, caller.operator)).includes(id.toLowerCase());
    const operator = own ? await store.operators.find(id) : null;
    if (operator) {
      const { entityId = operator.entityId, groups = operator.groups } = request;
      const isSame = entityId?.toLowerCase() === operator.entityId?.toLowerCase();
      // A form sends all fields.
      if (!isSame || !isDeepStrictEqual(groups, operator.groups)) throw needsProposal();
    }
    return operators.change(caller, id, request);
  },
});
