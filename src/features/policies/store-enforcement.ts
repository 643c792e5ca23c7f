import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import type { PolicyMode } from '../../schemas/decisions.ts';
import { all, type Db, first, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import type { Tables } from '../../sql/tables.ts';
import type { NewEvent } from '../events/store.ts';
import { parseSettings, type StoredIntegration } from '../integrations/store.ts';

/** An integration for which no policy is enforced, so that its setting `whenNoPolicy` decides. */
export type UnprotectedIntegration = Pick<StoredIntegration, 'id' | 'name' | 'settings'>;

/** The mode that a policy document says; a binding may say another. Must be pure. */
export type ModeOf = (document: string) => PolicyMode;

export interface EnforcementWatch {
  modeOf: ModeOf;
  /** The same without reading the document; null when that takes long. */
  known: (document: string) => PolicyMode | null;
  /** Reads documents, so that `modeOf` knows them. Awaited before a change, which nobody else may wait for. */
  learn: (documents: readonly string[]) => Promise<void>;
  /** The event of an integration for which a policy was enforced before a change, and none is after it. */
  event: (integration: UnprotectedIntegration) => NewEvent;
}

/** The integrations that a change of what decides may leave without an enforced policy. */
export type Concerned = { integrationId: string } | { policyId: string };

/** Writes events of integrations for which no policy is enforced any more. */
export interface Enforcement {
  watch(watch: EnforcementWatch): void;
  /** One change, with its events. */
  change<T>(concerned: Concerned, change: (db: Db) => Step<T>): Promise<T>;
  /** Has the documents read that a change looks at, which keeps everybody waiting when it reads them itself. */
  learn(concerned: Concerned): Promise<void>;
  /** Runs a part of a change, and writes its events. */
  during<T>(db: Db, concerned: Concerned, change: () => Step<T>): Step<T>;
}

/** Ids that a statement names at most: a database takes only so many parameters. With more it reads all rows. */
const mostNamed = 500;

function enforcementReads({ bindings, housePolicies, integrations, policies, policyVersions }: Tables) {
  const living = isNull(integrations.deletedAt);

  function* idsOf(db: Db, where?: SQL): Step<string[]> {
    const { id } = integrations;
    const found = yield* all(db.select({ id }).from(integrations).where(and(living, where)));
    return found.map((integration) => integration.id);
  }

  function* concernedIds(db: Db, concerned: Concerned): Step<string[]> {
    if ('integrationId' in concerned) return yield* idsOf(db, eq(integrations.id, concerned.integrationId));
    const { policyId } = concerned;
    if ((yield* totalOf(db, housePolicies, eq(housePolicies.policyId, policyId))) > 0)
      return yield* idsOf(db);
    const bound = db
      .select({ id: bindings.integrationId })
      .from(bindings)
      .where(eq(bindings.policyId, policyId));
    return yield* idsOf(db, inArray(integrations.id, bound));
  }

  function* documentOf(db: Db, id: string, version: number): Step<string> {
    const { document, policyId } = policyVersions;
    const isIt = and(eq(policyId, id), eq(policyVersions.version, version));
    return (yield* first(db.select({ document }).from(policyVersions).where(isIt)))?.document ?? '';
  }

  /** Which of them have an ACTIVE policy in mode ENFORCE, of their own or of the house. */
  function* enforcedAmong(db: Db, ids: readonly string[], modeOf: ModeOf): Step<Set<string>> {
    if (ids.length === 0) return new Set();
    const columns = { id: policies.id, version: policies.currentVersion };
    const isActive = eq(policies.status, 'ACTIVE');
    const modes = new Map<string, PolicyMode>();
    function* isEnforced(bound: { id: string; version: number; mode: PolicyMode | null }): Step<boolean> {
      if (bound.mode !== null) return bound.mode === 'ENFORCE';
      let mode = modes.get(bound.id);
      if (!mode) {
        mode = modeOf(yield* documentOf(db, bound.id, bound.version));
        modes.set(bound.id, mode);
      }
      return mode === 'ENFORCE';
    }
    const house = yield* all(
      db
        .select({ ...columns, mode: housePolicies.mode })
        .from(housePolicies)
        .innerJoin(policies, and(eq(policies.id, housePolicies.policyId), isActive)),
    );
    for (const policy of house) if (yield* isEnforced(policy)) return new Set(ids);
    const own = yield* all(
      db
        .select({ ...columns, mode: bindings.mode, integrationId: bindings.integrationId })
        .from(bindings)
        .innerJoin(policies, and(eq(policies.id, bindings.policyId), isActive))
        .where(ids.length > mostNamed ? undefined : inArray(bindings.integrationId, [...ids])),
    );
    const asked = new Set(ids);
    const enforced = new Set<string>();
    for (const policy of own) {
      if (asked.has(policy.integrationId) && (yield* isEnforced(policy))) enforced.add(policy.integrationId);
    }
    return enforced;
  }

  function* integrationsIn(db: Db, ids: readonly string[]): Step<UnprotectedIntegration[]> {
    if (ids.length === 0) return [];
    const { id, name, settings, createdAt } = integrations;
    const found = yield* all(
      db
        .select({ id, name, settings })
        .from(integrations)
        .where(ids.length > mostNamed ? undefined : inArray(id, [...ids]))
        .orderBy(asc(createdAt), asc(id)),
    );
    const asked = new Set(ids);
    return found
      .filter((integration) => asked.has(integration.id))
      .map((integration) => ({ ...integration, settings: parseSettings(integration.settings) }));
  }

  return { idsOf, concernedIds, enforcedAmong, integrationsIn };
}

export function createEnforcement(
  sql: Pick<Sql, 'tables' | 'read' | 'change'>,
  appendEvents: (db: Db, events: readonly NewEvent[]) => Step<void>,
): Enforcement {
  const { concernedIds, enforcedAmong, integrationsIn } = enforcementReads(sql.tables);
  let watch: EnforcementWatch | null = null;

  async function learn(concerned: Concerned): Promise<void> {
    if (!watch) return;
    const { known } = watch;
    const unread = new Set<string>();
    // No document may end the search early.
    const modeOf: ModeOf = (document) => {
      const mode = known(document);
      if (mode === null) unread.add(document);
      return mode ?? 'MONITOR';
    };
    await sql.read(function* (db) {
      yield* enforcedAmong(db, yield* concernedIds(db, concerned), modeOf);
    });
    if (unread.size > 0) await watch.learn([...unread]);
  }

  function* during<T>(db: Db, concerned: Concerned, change: () => Step<T>): Step<T> {
    if (!watch) return yield* change();
    const { modeOf, event } = watch;
    const before = yield* enforcedAmong(db, yield* concernedIds(db, concerned), modeOf);
    const result = yield* change();
    const after = yield* enforcedAmong(db, [...before], modeOf);
    const lost = [...before].filter((id) => !after.has(id));
    yield* appendEvents(db, (yield* integrationsIn(db, lost)).map(event));
    return result;
  }

  return {
    watch(given) {
      watch = given;
    },
    async change(concerned, change) {
      await learn(concerned);
      return sql.change((db) => during(db, concerned, () => change(db)));
    },
    learn,
    during,
  };
}

/** The integrations, not deleted, for which no policy is enforced, in the order of their creation. */
export function* findUnprotected(tables: Tables, db: Db, modeOf: ModeOf): Step<UnprotectedIntegration[]> {
  const { idsOf, enforcedAmong, integrationsIn } = enforcementReads(tables);
  const ids = yield* idsOf(db);
  const enforced = yield* enforcedAmong(db, ids, modeOf);
  return yield* integrationsIn(
    db,
    ids.filter((id) => !enforced.has(id)),
  );
}
