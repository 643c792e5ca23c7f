import type { Store } from '../store.ts';
import { createAudit } from './audit.ts';
import { createBindings } from './bindings.ts';
import { createCallbacks } from './callbacks.ts';
import { createClockStore } from './clock.ts';
import { openPostgres } from './database.ts';
import { createEntities } from './entities.ts';
import { createEventLog } from './events.ts';
import { createFigures } from './figures.ts';
import { createFinalPosition } from './final-position.ts';
import { createIntegrationKeys } from './integration-keys.ts';
import { createIntegrations } from './integrations.ts';
import { createLists } from './lists.ts';
import { migrateDatabase } from './migrate.ts';
import { createOperatorKeys } from './operator-keys.ts';
import { createOperators } from './operators.ts';
import { createPing } from './ping.ts';
import { createPolicies } from './policies.ts';
import { createPoliciesInForce } from './policies-in-force.ts';
import { createPolicyActivation } from './policy-activation.ts';
import { createRecordReads } from './record-reads.ts';
import { createRecordRoots } from './record-roots.ts';
import { createFindUncovered } from './record-uncovered.ts';
import { createReviewQueue } from './review-queue.ts';
import { createReviews } from './reviews.ts';
import { createRevisions } from './revisions.ts';
import { createSignIns } from './sign-ins.ts';
import { createViolations } from './violations.ts';
import { createWebhooks } from './webhooks.ts';

export interface PostgresOptions {
  /** `postgres://…` */
  address: string;
  /** The folder of the migrations. */
  migrations: string;
}

/** What is there of the store so far. */
export type PostgresStore = Partial<Store> & Pick<Store, 'close'>;

/** Brings the database to this version's schema, and returns the store on it. */
export async function openPostgresStore({ address, migrations }: PostgresOptions): Promise<PostgresStore> {
  await migrateDatabase(address, migrations);
  const postgres = openPostgres(address);
  const eventLog = createEventLog(postgres);
  const { audit, managed, audited } = createAudit(postgres, eventLog);
  const revisions = createRevisions(postgres);
  const finalPosition = createFinalPosition(postgres);

  return {
    audit,
    operators: createOperators(audited),
    operatorKeys: createOperatorKeys(audited, postgres),
    signIns: createSignIns(audited),
    integrations: createIntegrations(audited, revisions),
    integrationKeys: createIntegrationKeys(audited, postgres, revisions),
    policies: {
      ...createPolicies(audited, revisions),
      ...createPolicyActivation(audited, managed, revisions),
      ...createBindings(audited, revisions),
      ...createPoliciesInForce(postgres),
    },
    lists: createLists(audited, revisions),
    events: eventLog.store,
    violations: createViolations(postgres, audited),
    entities: createEntities(audited),
    webhooks: createWebhooks(audited, postgres),
    reviews: createReviews(postgres, audited, eventLog),
    reviewQueue: createReviewQueue(postgres, audited, eventLog),
    callbacks: createCallbacks(postgres),
    record: {
      findUncovered: createFindUncovered(postgres, finalPosition),
      ...createRecordRoots(postgres),
      ...createRecordReads(postgres),
    },
    clock: createClockStore(postgres),
    figures: createFigures(postgres),
    ping: createPing(postgres),
    close: () => postgres.close(),
  };
}
