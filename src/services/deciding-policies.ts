import { createDetector, type Detector } from '../detectors/index.ts';
import { type CompiledPolicy, checkPolicyDocument, compilePolicy } from '../engine/index.ts';
import type {
  BoundPolicy,
  NewEvaluation,
  PolicyReference,
  PolicySetReference,
  Store,
  StoredIntegration,
} from '../store/store.ts';

/** Everything of an integration's policies that an evaluation needs, ready to run. */
export interface DecidingPolicies {
  reference: PolicySetReference;
  policies: readonly CompiledPolicy[];
  detector: Detector;
  /** JSON text of its options, to make the same one in another thread. */
  detectorOptions: string;
  toolNames: NewEvaluation['toolNames'];
  needs: NewEvaluation['needs'];
}

export interface DecidingPoliciesSource {
  /** Of the ACTIVE policies bound to the integration, as they are now. Throws when one of them cannot be compiled. */
  of(integration: StoredIntegration): Promise<DecidingPolicies>;
}

/** Versions are immutable, so a compiled one stays true; the number bounds the memory of an installation that edits a lot. */
const mostCompiled = 2_000;

export function createDecidingPolicies(deps: {
  store: Store;
  /** Names of tools that a session keeps. */
  mostToolNames: number;
}): DecidingPoliciesSource {
  const { store, mostToolNames } = deps;
  const compiled = new Map<string, CompiledPolicy>();
  let byIntegration = new Map<string, Promise<DecidingPolicies>>();
  let revision = 0;

  function compile({ policyId, version, document }: BoundPolicy): CompiledPolicy {
    const key = referenceKey({ policyId, version });
    let policy = compiled.get(key);
    if (!policy) {
      const check = checkPolicyDocument(document, { runTests: false });
      if (!check.document) throw new Error(`policy ${key} was saved, but does not check any more`);
      policy = compilePolicy(check.document, { policyId, policyVersion: version });
      if (compiled.size >= mostCompiled) compiled.clear();
      compiled.set(key, policy);
    }
    return policy;
  }

  async function load(integration: StoredIntegration): Promise<DecidingPolicies> {
    const bound = await store.policies.findDeciding(integration.id);
    const policies = bound.map(compile);
    const { detectionSensitivity: sensitivity, disabledTags, enabledTags } = integration.settings;
    const options = {
      sensitivity,
      disabledTags,
      enabledTags,
      custom: policies.flatMap((policy) => policy.detectors),
    };
    return {
      reference: {
        key: bound.map(referenceKey).join(','),
        members: bound.map(({ policyId, version }) => ({ policyId, version })),
      },
      policies,
      toolNames: {
        most: mostToolNames,
        mentioned: new Set(policies.flatMap((policy) => [...policy.toolNames])),
      },
      needs: {
        recentActions: policies.some(({ reads }) => reads.has('session.recentActions')),
        pendingReview: policies.some(({ canHold }) => canHold),
      },
      detector: createDetector(options),
      detectorOptions: JSON.stringify(options),
    };
  }

  return {
    of(integration) {
      const current = store.revision();
      if (current !== revision) {
        byIntegration = new Map();
        revision = current;
      }
      let loading = byIntegration.get(integration.id);
      if (!loading) {
        const mine = byIntegration;
        loading = load(integration);
        mine.set(integration.id, loading);
        // A failed load is tried again by the next request; a failing one must not be remembered as the answer.
        loading.catch(() => mine.delete(integration.id));
      }
      return loading;
    },
  };
}

const referenceKey = ({ policyId, version }: PolicyReference): string => `${policyId}:${version}`;
