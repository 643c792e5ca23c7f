import { taxonomy } from '../detectors/index.ts';
import type { Store } from '../store/store.ts';
import { type Audit, createAudit } from './audit.ts';
import { type Authentication, createAuthentication } from './authentication.ts';
import { createCallbackSender } from './callbacks/callback-sender.ts';
import { createDeliveries, type Deliveries } from './callbacks/deliveries.ts';
import type { Clock } from './clock.ts';
import { createDecidingPolicies } from './deciding-policies.ts';
import type { DecisionObserver } from './decision-observer.ts';
import { createEndedCounters, type EndedCounters } from './ended-counters.ts';
import { createEvaluationRecords, type EvaluationRecords } from './evaluation-records.ts';
import { createEvaluationSessions, type EvaluationSessions } from './evaluation-sessions.ts';
import { createEvaluations, type Evaluations } from './evaluations.ts';
import { createExpiredReviews, type ExpiredReviews } from './expired-reviews.ts';
import { type FirstStart, type FirstStartOptions, prepareFirstStart } from './first-start.ts';
import type { FourEyes } from './four-eyes.ts';
import { createIntegrations, type Integrations } from './integrations.ts';
import { createOperatorKeys, type OperatorKeys } from './operator-keys.ts';
import { createOperators, type Operators } from './operators.ts';
import { createPolicies, type Policies } from './policies.ts';
import { createRecognizer, type Recognizer, type RecognizerOptions } from './recognition/recognizer.ts';
import { createRetention, type Retention } from './retention.ts';
import { createReviews, type Reviews } from './reviews.ts';
import { createRequestScanner } from './scanning/request-scanner.ts';
import { createScanPool, type ScanPool } from './scanning/scan-pool.ts';
import { createSignIns, type SignIns } from './sign-ins.ts';

export interface ServicesOptions {
  store: Store;
  clock: Clock;
  /** The system's clock, by which receivers check how old a callback is: milliseconds since 1970. */
  system: () => number;
  newId: () => string;
  random: () => number;
  longestSessionMs: number;
  /** Names of tools that a session keeps; further ones count together. */
  mostToolNames: number;
  /** Non-public addresses that callbacks may go to. */
  callbackAllow: readonly string[];
  /** Of the service that finds names in prose; null without one. */
  recognizer: Omit<RecognizerOptions, 'onError'> | null;
  /** How long idempotency keys are remembered; 0 turns them off. */
  idempotencyMs: number;
  /** Days after which content is deleted; 0 is never. */
  retentionDays: number;
  /** Gets every decision. */
  observer?: DecisionObserver | undefined;
  fourEyes: readonly FourEyes[];
  onRetentionHeld: () => void;
  onError: (error: unknown) => void;
}

/** Every use case, on one store. */
export interface Services {
  authentication: Authentication;
  signIns: SignIns;
  audit: Audit;
  operators: Operators;
  operatorKeys: OperatorKeys;
  integrations: Integrations;
  policies: Policies;
  sessions: EvaluationSessions;
  evaluations: Evaluations;
  records: EvaluationRecords;
  reviews: Reviews;
  deliveries: Deliveries;
  retention: Retention;
  scanPool: ScanPool;
  /** Null without one. */
  recognizer: Recognizer | null;
  expiredReviews: ExpiredReviews;
  endedCounters: EndedCounters;
  /** Rejects while nothing can be decided and recorded. */
  ready(): Promise<void>;
  firstStart(options: FirstStartOptions): Promise<FirstStart | null>;
}

const dayMs = 86_400_000;

/** Throws when an entry of `callbackAllow` cannot be used. */
export function createServices(options: ServicesOptions): Services {
  const {
    store,
    clock,
    system,
    newId,
    random,
    onError,
    onRetentionHeld: onHold,
    idempotencyMs,
    fourEyes,
  } = options;
  const { now } = clock;
  const knownTags = new Set(taxonomy.map((entry) => entry.tag));
  const authentication = createAuthentication({ store, now, onError });
  const integrations = createIntegrations({ store, now, newId, knownTags });
  const policies = createPolicies({ store, now, newId, fourEyes: fourEyes.includes('policies') });
  const sessions = createEvaluationSessions({
    store,
    now,
    newId,
    limits: {
      longestLifeMs: options.longestSessionMs,
      defaultLifeMs: Math.min(dayMs, options.longestSessionMs),
    },
    idempotencyMs,
  });
  const scanPool = createScanPool();
  const recognizer = options.recognizer && createRecognizer({ ...options.recognizer, onError });
  const sender = createCallbackSender({ allow: options.callbackAllow, now: system });
  const deliveries = createDeliveries({ store, sender, now, random, onError });

  return {
    authentication,
    signIns: createSignIns({ store, now, authentication, onError }),
    audit: createAudit({ store, now, newId, onError }),
    operators: createOperators({ store, now, newId }),
    operatorKeys: createOperatorKeys({ store, now, newId }),
    integrations,
    policies,
    sessions,
    evaluations: createEvaluations({
      store,
      now,
      newId,
      sessions,
      deciding: createDecidingPolicies({ store, mostToolNames: options.mostToolNames }),
      scan: createRequestScanner(scanPool, recognizer),
      idempotencyMs,
      observer: options.observer,
    }),
    scanPool,
    recognizer,
    records: createEvaluationRecords({ store }),
    reviews: createReviews({
      store,
      now,
      newId,
      callbackWaits: deliveries.wake,
      fourEyes: fourEyes.includes('reviews'),
    }),
    deliveries,
    retention: createRetention({ store, clock, days: options.retentionDays, onHold, onError }),
    expiredReviews: createExpiredReviews({ store, now, onError }),
    endedCounters: createEndedCounters({ store, clock, onError }),
    ready: () => store.ping(),
    firstStart: (first) => prepareFirstStart({ store, now, newId, integrations, policies }, first),
  };
}
