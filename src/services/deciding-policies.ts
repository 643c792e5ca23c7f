import { hash } from 'node:crypto';
import { createDetector, type Detector } from '../detectors/index.ts';
import { type CompiledPolicy, checkPolicyDocument } from '../engine/index.ts';
import { AppError } from '../errors.ts';
import type {
  BoundPolicy,
  NewEvaluation,
  PoliciesInForce,
  PolicyReference,
  PolicySetReference,
  Store,
  StoredIntegration,
} from '../store/store.ts';

/** Everything that decides for an integration, as of one moment and ready to run. */
export interface DecidingPolicies {
  integration: StoredIntegration;
  /** Of all of this: an evaluation by it is recorded only while it is the current one. */
  revision: number;
  reference: PolicySetReference;
  policies: readonly CompiledPolicy[];
  detector: Detector;
  /** JSON text of its options, to make the same one in another thread. */
  detectorOptions: string;
  toolNames: NewEvaluation['toolNames'];
  needs: NewEvaluation['needs'];
}

export interface DecidingPoliciesSource {
  /** As it is now. Throws when a policy cannot be compiled, and when the integration was deleted. */
  of(integrationId: string): Promise<DecidingPolicies>;
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
  /** The store gives the same object until something changes. */
  const prepared = new WeakMap<PoliciesInForce, DecidingPolicies>();

  function compile({ policyId, version, document }: BoundPolicy): CompiledPolicy {
    const key = referenceKey({ policyId, version });
    let policy = compiled.get(key);
    if (!policy) {
      policy = checkPolicyDocument(document, { runTests: false }).compile?.(
        {
          policyId,
          policyVersion: version,
        },
        (text) => hash('sha256', text, 'base64url'),
      );
      if (!policy) throw new Error(`policy ${key} was saved, but does not check any more`);
      if (compiled.size >= mostCompiled) compiled.clear();
      compiled.set(key, policy);
    }
    return policy;
  }

  function prepare({ integration, revision, policies: bound }: PoliciesInForce): DecidingPolicies {
    const policies = bound.map(compile);
    const { detectionSensitivity: sensitivity, disabledTags, enabledTags } = integration.settings;
    const options = {
      sensitivity,
      disabledTags,
      enabledTags,
      custom: policies.flatMap((policy) => policy.detectors),
    };
    const repeats = policies.some(({ reads }) => reads.has('session.repeats'));
    return {
      integration,
      revision,
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
        counters: repeats || policies.some(({ counters }) => counters.length > 0),
        repeats,
      },
      detector: createDetector(options),
      detectorOptions: JSON.stringify(options),
    };
  }

  return {
    async of(integrationId) {
      const inForce = await store.policies.findInForce(integrationId);
      if (!inForce) throw new AppError('unauthenticated', 'invalid, expired or missing API key');
      let deciding = prepared.get(inForce);
      if (!deciding) {
        deciding = prepare(inForce);
        prepared.set(inForce, deciding);
      }
      return deciding;
    },
  };
}

const referenceKey = ({ policyId, version }: PolicyReference): string => `${policyId}:${version}`;
