import { isDeepStrictEqual } from 'node:util';
import { taxonomy } from '../detectors/kinds/taxonomy.ts';
import { createEvaluations, type DecisionObserver, type Evaluations } from '../evaluate/evaluate.ts';
import { createDecidingPolicies } from '../evaluate/in-force.ts';
import { createRequestScanner, createScanPool, type ScanPool } from '../evaluate/scanning/scan-pool.ts';
import { type Audit, createAudit } from '../features/audit/service.ts';
import { createEntities, type Entities } from '../features/entities/service.ts';
import {
  createEventRetention,
  createEvents,
  createRecordedWatch,
  type EventLimits,
  type EventRetention,
  type Events,
  type RecordedWatch,
} from '../features/events/service.ts';
import {
  createPolicyModes,
  createProtection,
  type OnUnprotected,
  type Protection,
  tellOfUnprotected,
} from '../features/integrations/protection.ts';
import {
  createIntegrationKeys,
  createIntegrations,
  type IntegrationKeys,
  type Integrations,
} from '../features/integrations/service.ts';
import { createLists, type Lists } from '../features/lists/service.ts';
import { createMcpServers, type McpServers } from '../features/mcp-servers/service.ts';
import {
  createOperatorKeys,
  createOperators,
  type OperatorKeys,
  type Operators,
} from '../features/operators/service.ts';
import {
  createDueVersions,
  createPolicyActivation,
  type DueVersions,
  type PolicyActivation,
} from '../features/policies/activation.ts';
import { type Bindings, createBindings } from '../features/policies/bindings.ts';
import { createPolicyChecker, createVersionCheck, type PolicyChecker } from '../features/policies/checker.ts';
import { createPolicies, type Policies } from '../features/policies/service.ts';
import { createProposedOperations } from '../features/proposals/operations.ts';
import { createProposals, type Proposals } from '../features/proposals/service.ts';
import { createExpiredReviews, type ExpiredReviews } from '../features/reviews/expiry.ts';
import { createReviewQueue, type ReviewQueue } from '../features/reviews/queue.ts';
import { createReviews, type Reviews } from '../features/reviews/service.ts';
import {
  createEvaluationSessions,
  createIdleSessions,
  type EvaluationSessions,
  type IdleSessions,
} from '../features/sessions/service.ts';
import { createSignIns, type SignIns } from '../features/sign-in/service.ts';
import { createStats, type Stats } from '../features/stats/service.ts';
import { createToolCatalogues, type ToolCatalogues } from '../features/tools/service.ts';
import { createViolations, type Violations } from '../features/violations/service.ts';
import {
  createDeliveryServices,
  type DeliveryOptions,
  type DeliveryServices,
} from '../features/webhooks/deliveries.ts';
import { dayMs } from '../schemas/durations.ts';
import type { Store } from '../store/store.ts';
import { type Authentication, createAuthentication, operatorsOfPerson } from './access/authentication.ts';
import { type FourEyes, needsProposal } from './access/permissions.ts';
import {
  type AccessRequests,
  type AccessSearch,
  createAccessRequests,
  createAccessSearch,
} from './access-requests.ts';
import { createAddressPolicy } from './callbacks/address-policy.ts';
import type { Clock } from './clock.ts';
import { createEvaluationRecords, type EvaluationRecords } from './evaluation-records.ts';
import { createExplain } from './explanations/explain.ts';
import { type FirstStart, type FirstStartOptions, prepareFirstStart, recordInForce } from './first-start.ts';
import { createIdentities, type Identities } from './identities/identities.ts';
import { createKeySets } from './identities/key-sets.ts';
import { createRecognizer, type Recognizer, type RecognizerOptions } from './recognition/recognizer.ts';
import type { InstallationKey } from './record/installation-key.ts';
import { createRecord, type RecordOfDecisions } from './record/record.ts';
import { createReplayRunner, type ReplayRunner } from './replay/replay-runner.ts';
import { createSimulations, type Simulations } from './replay/simulations.ts';
import { createEndedCounters, createRetention, type EndedCounters, type Retention } from './retention.ts';
import { createSealedSecrets, type SealedSecrets } from './secrets/sealed-secrets.ts';
import { createSecretBox } from './secrets/secret-box.ts';

export interface ServicesOptions extends Omit<DeliveryOptions, 'box' | 'now'> {
  clock: Clock;
  /** Where the database is, for threads that read it. */
  database: string;
  longestSessionMs: number;
  /** Names of tools that a session keeps; further ones count together. */
  mostToolNames: number;
  /** The service that finds names in prose; null without one. */
  recognizer: Omit<RecognizerOptions, 'onError'> | null;
  /** How long idempotency keys are remembered; 0 turns them off. */
  idempotencyMs: number;
  /** Days after which content is deleted; 0 is never. */
  retentionDays: number;
  eventLimits: EventLimits;
  secretsKeys: readonly Buffer[];
  /** Gets every decision. */
  observer?: DecisionObserver | undefined;
  /** Returns evaluations that may run elsewhere; `local` evaluates in this thread. */
  evaluateBeside?: ((local: Evaluations) => Evaluations) | undefined;
  fourEyes: readonly FourEyes[];
  /** From where operators may call; empty is from everywhere. */
  operatorNetworks: readonly string[];
  /** Asked for when the record is signed for the first time. */
  recordKey: () => InstallationKey;
  onRetentionHeld: () => void;
  onUnprotected: OnUnprotected;
}

/** Every use case, on one store. */
export interface Services extends PolicyServices, DeliveryServices {
  authentication: Authentication;
  identities: Identities;
  now: () => number;
  signIns: SignIns;
  audit: Audit;
  operatorKeys: OperatorKeys;
  integrationKeys: IntegrationKeys;
  dueVersions: DueVersions;
  protection: Pick<Protection, 'tellOfAll'>;
  sessions: EvaluationSessions;
  evaluations: Evaluations;
  records: EvaluationRecords;
  violations: Violations;
  entities: Entities;
  record: RecordOfDecisions;
  stats: Stats;
  simulations: Simulations;
  replayRunner: ReplayRunner;
  reviews: Reviews;
  reviewQueue: ReviewQueue;
  events: Events;
  recordedWatch: RecordedWatch;
  mcpServers: McpServers;
  sealedSecrets: SealedSecrets;
  eventRetention: EventRetention;
  retention: Retention;
  scanPool: ScanPool;
  policyChecker: PolicyChecker;
  /** Null without one. */
  recognizer: Recognizer | null;
  expiredReviews: ExpiredReviews;
  endedCounters: EndedCounters;
  idleSessions: IdleSessions;
  accessRequests: AccessRequests;
  accessSearch: AccessSearch;
  /** Rejects while nothing can be decided and recorded. */
  ready(): Promise<void>;
  firstStart(options: FirstStartOptions): Promise<FirstStart | null>;
}

/** Throws when an entry of `callbackAllow` cannot be used. */
export function createServices(options: ServicesOptions): Services {
  const { store, clock, newId, onError, onRetentionHeld: onHold, idempotencyMs, fourEyes } = options;
  const { now } = clock;
  const knownTags = new Set(taxonomy.map((entry) => entry.tag));
  const box = createSecretBox(options.secretsKeys);
  const authentication = createAuthentication({
    store,
    now,
    operatorNetworks: options.operatorNetworks,
    onError,
  });
  const modes = createPolicyModes();
  const protection = createProtection({ store, modes, onUnprotected: options.onUnprotected });
  const policyChecker = createPolicyChecker({ store, onMode: modes.learn });
  const deciding = createDecidingPolicies({
    store,
    mostToolNames: options.mostToolNames,
    now,
    activateDue: () => dueVersions.sweep(),
    read: policyChecker.read,
    protection,
  });
  const dueVersions = createDueVersions({ store, now, newId, onError });
  tellOfUnprotected({ store, modes, read: policyChecker.read, now, newId });
  const { forOperators, direct } = createPolicyServices({
    store,
    now,
    newId,
    checker: policyChecker,
    fourEyes,
    integrations: createIntegrations({ store, now, newId, box, knownTags, protection }),
    toolCatalogues: createToolCatalogues({ store, now }),
    operators: createOperators({ store, now, newId, fourEyes }),
  });
  const identities = createIdentities({
    keySets: createKeySets({
      policy: createAddressPolicy(options.callbackAllow),
      now: () => performance.now(),
      onError,
    }),
  });
  const sessions = createEvaluationSessions({
    store,
    now,
    newId,
    identities,
    deciding,
    limits: {
      longestLifeMs: options.longestSessionMs,
      defaultLifeMs: Math.min(dayMs, options.longestSessionMs),
    },
    idempotencyMs,
    callbackWaits: () => deliveryServices.deliveries.wake(),
    fourEyes: fourEyes.includes('reviews'),
  });
  const scanPool = createScanPool();
  const recognizer = options.recognizer && createRecognizer({ ...options.recognizer, onError });
  const local = createEvaluations({
    store,
    now,
    newId,
    sessions,
    identities,
    deciding,
    scan: createRequestScanner(scanPool, recognizer),
    idempotencyMs,
    observer: options.observer,
  });
  const evaluations = options.evaluateBeside?.(local) ?? local;
  const deliveryServices = createDeliveryServices({ ...options, box, now });
  const mcpServers = createMcpServers({ store, now, newId, box });
  const replayRunner = createReplayRunner(options.database);
  const reviews = createReviews({
    store,
    now,
    newId,
    onError,
    callbackWaits: deliveryServices.deliveries.wake,
    fourEyes: fourEyes.includes('reviews'),
  });

  return {
    authentication,
    identities,
    now,
    signIns: createSignIns({ store, now, authentication, onError }),
    audit: createAudit({ store, now, newId, onError }),
    operatorKeys: createOperatorKeys({ store, now, newId }),
    integrationKeys: createIntegrationKeys({ store, now, newId }),
    ...forOperators,
    dueVersions,
    protection,
    sessions,
    evaluations,
    scanPool,
    policyChecker,
    recognizer,
    violations: createViolations({ store, now }),
    entities: createEntities({ store, now, newId, deciding }),
    records: createEvaluationRecords({
      store,
      explain: createExplain({ store, now, read: policyChecker.read }),
    }),
    stats: createStats({ store, now, onError }),
    simulations: createSimulations({
      store,
      policies: direct.policies,
      checker: policyChecker,
      runner: replayRunner,
      mostToolNames: options.mostToolNames,
    }),
    replayRunner,
    record: createRecord({ store, now, newId, key: options.recordKey, onError }),
    reviews,
    reviewQueue: createReviewQueue({ store, now, newId, reviews }),
    ...deliveryServices,
    mcpServers,
    sealedSecrets: createSealedSecrets({
      store,
      box,
      webhooks: deliveryServices.webhooks,
      mcpServers,
      onError,
    }),
    events: createEvents({ store, source: options.eventSource }),
    recordedWatch: createRecordedWatch({ store, onError }),
    eventRetention: createEventRetention({ store, clock, limits: options.eventLimits, onError }),
    retention: createRetention({ store, clock, days: options.retentionDays, onHold, onError }),
    expiredReviews: createExpiredReviews({ store, now, newId, onError }),
    endedCounters: createEndedCounters({ store, clock, idempotencyMs, onError }),
    accessRequests: createAccessRequests({ store, now }),
    accessSearch: createAccessSearch({ evaluations, deciding }),
    idleSessions: createIdleSessions({ store, clock, newId, onError }),
    ready: () => store.ping(),
    async firstStart(first) {
      const made = await prepareFirstStart({ store, now, newId, ...direct }, first);
      await recordInForce({ store, now, newId });
      return made;
    },
  };
}

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
function createPolicyServices(
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
