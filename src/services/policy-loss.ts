import type { Store } from '../store/store.ts';
import type { DecidingPoliciesSource } from './deciding-policies.ts';

/** Tells of integrations for which no policy is enforced any more: from then on `whenNoPolicy` decides. */
export interface PolicyLoss {
  /** Runs a change of what decides, for the integrations that it may concern. */
  during<T>(concerned: Concerned, change: () => Promise<T>): Promise<T>;
  /** Tells of integrations for which none is enforced, after a version of one of these policies became the current one by itself. */
  afterActivation(policyIds: readonly string[]): Promise<void>;
}

type Concerned = { integrationId: string } | { policyId: string };

export interface UnprotectedIntegration {
  integrationId: string;
  integrationName: string;
  /** What happens to its actions now. */
  whenNoPolicy: 'ALLOW' | 'BLOCK';
}

export function createPolicyLoss(deps: {
  store: Store;
  deciding: DecidingPoliciesSource;
  onLoss: (integration: UnprotectedIntegration) => void;
}): PolicyLoss {
  const { store, deciding, onLoss } = deps;

  async function tellUnless(
    enforced: (id: string) => Promise<boolean>,
    ids: Iterable<string>,
  ): Promise<void> {
    for (const id of ids) {
      if (await enforced(id)) continue;
      const integration = await store.integrations.find(id);
      if (!integration || integration.deletedAt !== null) continue;
      const { whenNoPolicy } = integration.settings;
      onLoss({ integrationId: integration.id, integrationName: integration.name, whenNoPolicy });
    }
  }

  return {
    async during(concerned, change) {
      const ids =
        'policyId' in concerned
          ? await store.policies.listIntegrationsOf(concerned.policyId)
          : [concerned.integrationId];
      const enforced: string[] = [];
      for (const id of ids) if (await deciding.isEnforced(id)) enforced.push(id);
      const result = await change();
      await tellUnless(deciding.isEnforced, enforced);
      return result;
    },

    async afterActivation(policyIds) {
      const ids = await Promise.all(policyIds.map((id) => store.policies.listIntegrationsOf(id)));
      await tellUnless(deciding.isEnforced, new Set(ids.flat()));
    },
  };
}
