import { and, asc, desc, eq, lte } from 'drizzle-orm';
import type { Awaitable } from '../../awaitable.ts';
import { all, type Db, run, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import { narrow } from '../../sql/wide-texts.ts';
import { offsetOf, type Page, type PageRequest } from '../../store/pages.ts';
import type { NewEvent } from '../events/store.ts';
import type { ListReaders } from '../lists/store.ts';
import { type BindingStore, createBindingStore } from './store-bindings.ts';
import {
  createEnforcement,
  type EnforcementWatch,
  findUnprotected,
  type ModeOf,
  type UnprotectedIntegration,
} from './store-enforcement.ts';
import { createPoliciesInForce, type PoliciesInForce } from './store-in-force.ts';
import {
  type ChangeTerms,
  createPolicyRows,
  type PolicyDocumentVersion,
  type Refused,
  type StoredPolicy,
  type StoredPolicyVersion,
} from './store-rows.ts';
import type { PolicyStatus } from './words.ts';

export interface ListedPolicyVersion extends Omit<StoredPolicyVersion, 'document'> {
  document: string | null;
}

export interface PolicyFilter {
  status?: PolicyStatus;
  name?: string;
}

export interface PolicyStore extends BindingStore {
  /** Version 1. */
  create(
    policy: { id: string; status: PolicyStatus; createdAt: number },
    version: PolicyDocumentVersion,
  ): Promise<StoredPolicy>;
  find(id: string): Promise<StoredPolicy | null>;
  /** Newest first. */
  list(page: PageRequest, filter: PolicyFilter): Promise<Page<StoredPolicy>>;

  /**
   * Adds the next version and makes it the current one, unless the policy is ACTIVE and `activates` is false; the status
   * stays. It must be accepted where it becomes the current one.
   */
  addVersion(
    id: string,
    version: PolicyDocumentVersion,
    now: number,
    terms?: ChangeTerms & { activates?: boolean },
  ): Promise<StoredPolicy | Refused>;
  findVersion(id: string, version: number): Promise<StoredPolicyVersion | null>;
  /** Newest first, without documents that have more bytes. Null when there is no such policy. */
  listVersions(id: string, page: PageRequest, mostBytes: number): Promise<Page<ListedPolicyVersion> | null>;

  /**
   * Makes the policy ACTIVE, and `version` its current one when given: that replaces what is scheduled. 'own_version': one
   * of `notBy` is its author.
   */
  activate(
    id: string,
    version: number | null,
    now: number,
    terms?: ChangeTerms & { notBy?: readonly string[] },
  ): Promise<StoredPolicy | Refused | 'no_version' | 'own_version'>;
  /**
   * Makes an earlier version of an ACTIVE policy the current one: `version`, or the one that was current before this one
   * ('no_version' when none was).
   */
  rollBack(
    id: string,
    version: number | null,
    now: number,
    terms?: ChangeTerms & { notBy?: readonly string[] },
  ): Promise<StoredPolicy | Refused | 'not_active' | 'no_version' | 'not_earlier' | 'own_version'>;
  /** `version` becomes the current one, and the policy ACTIVE, at `at`. Replaces what was scheduled before. */
  schedule(
    id: string,
    version: number,
    at: number,
    now: number,
    terms?: ChangeTerms & { notBy?: readonly string[] },
  ): Promise<StoredPolicy | Refused | 'no_version' | 'own_version'>;
  unschedule(id: string, now: number, terms?: ChangeTerms): Promise<StoredPolicy | Refused | 'not_scheduled'>;
  /** Makes scheduled versions that are due the current ones, each with the event that `event` makes of its policy, in one step. */
  activateDue(now: number, event?: (policy: StoredPolicy) => NewEvent): Promise<StoredPolicy[]>;
  /** Makes the policy DEPRECATED, so that it decides nothing more, and unschedules it. */
  deprecate(
    id: string,
    now: number,
    terms?: ChangeTerms,
  ): Promise<StoredPolicy | Refused | 'already_deprecated'>;
  /** Removes the policy, its versions and bindings, unless an evaluation was ever decided with it. */
  delete(id: string, terms?: ChangeTerms): Promise<StoredPolicy | Refused | 'has_decided'>;

  /** Null when there is no such integration, or it was deleted. */
  findInForce(integrationId: string): Awaitable<PoliciesInForce | null>;

  /**
   * From now on, the step of every change of policies and bindings writes the event of each integration for which a policy in
   * mode ENFORCE decided before it, and none does after it. Not of an integration that is deleted.
   */
  watchEnforcement(watch: EnforcementWatch): void;
  /** The integrations, not deleted, for which no policy is enforced, in the order of their creation. */
  listUnprotected(modeOf: ModeOf): Promise<UnprotectedIntegration[]>;
}

/** The statements that each database has of its own. */
export interface PolicyDriver {
  /** For what happens by itself, which is no call of whoever happens to call then. */
  unaudited: Sql;
  /** Whether an evaluation was decided with the policy. Waits for evaluations that are being recorded. */
  hasDecided(db: Db, id: string): Step<boolean>;
  appendEvents(db: Db, events: readonly NewEvent[]): Step<void>;
}

interface TargetTerms<Refusal> extends ChangeTerms {
  /** Operators who must not be the author. */
  notBy?: readonly string[];
  refuse?: (version: StoredPolicyVersion) => Refusal | null;
}

export function createPolicyStore(sql: Sql, driver: PolicyDriver): PolicyStore {
  const { operators, policies, policyVersions } = sql.tables;
  const rows = createPolicyRows(sql);
  const enforcement = createEnforcement(sql, driver.appendEvents);

  return {
    ...createVersions(),
    ...createActivation(),
    ...createBindingStore(sql, rows, enforcement),
    ...createPoliciesInForce(driver.unaudited),
    watchEnforcement: enforcement.watch,
    listUnprotected: (modeOf) => driver.unaudited.read((db) => findUnprotected(sql.tables, db, modeOf)),
  };

  /** Changes a policy that is as expected. */
  function changing<T>(
    anyId: string,
    terms: ChangeTerms,
    change: (db: Db, policy: StoredPolicy) => Step<T>,
  ): Promise<T | Refused> {
    const policyId = anyId.toLowerCase();
    return enforcement.change({ policyId }, function* (db) {
      const policy = yield* rows.findExpected(db, policyId, terms);
      return typeof policy === 'string' ? policy : yield* change(db, policy);
    });
  }

  function createVersions(): Pick<
    PolicyStore,
    'create' | 'find' | 'list' | 'addVersion' | 'findVersion' | 'listVersions' | 'delete'
  > {
    return {
      create: ({ id, status, createdAt }, version) =>
        sql.change(function* (db) {
          const { name } = version;
          const first = { currentVersion: 1, latestVersion: 1, createdAt, updatedAt: createdAt };
          yield* run(db.insert(policies).values({ id, name, status, ...first }));
          yield* rows.insertVersion(db, id, { ...version, version: 1, createdAt });
          return (yield* rows.find(db, id)) as StoredPolicy;
        }),

      find: (id) => sql.read((db) => rows.find(db, id.toLowerCase())),

      list: (page, { status, name }) =>
        sql.read(function* (db) {
          const where = and(
            status && eq(policies.status, status),
            name === undefined ? undefined : eq(policies.name, name),
          );
          const items = yield* all(
            db
              .select(rows.policyColumns)
              .from(policies)
              .where(where)
              .orderBy(desc(policies.createdAt), desc(policies.id))
              .limit(page.size)
              .offset(offsetOf(page)),
          );
          return { items, total: yield* totalOf(db, policies, where) };
        }),

      addVersion: (anyId, version, now, { activates = true, ...terms } = {}) =>
        changing(anyId, terms, function* (db, policy) {
          const { id } = policy;
          const next = policy.latestVersion + 1;
          const current = activates || policy.status !== 'ACTIVE';
          yield* rows.insertVersion(db, id, { ...version, version: next, createdAt: now });
          if (current) yield* rows.accept(db, id, { ...version, version: next }, terms);
          yield* sql.raiseBound(db, id);
          return yield* rows.change(db, id, {
            latestVersion: next,
            ...(current && { name: version.name, currentVersion: next, previousVersion: policy.version }),
            updatedAt: now,
          });
        }),

      findVersion: (id, version) => sql.read((db) => rows.findVersion(db, id.toLowerCase(), version)),

      listVersions: (id, page, mostBytes) =>
        sql.read(function* (db) {
          const policy = yield* rows.find(db, id.toLowerCase());
          if (!policy) return null;
          const where = eq(policyVersions.policyId, policy.id);
          const items = yield* all(
            db
              .select({
                ...rows.versionColumns,
                document: narrow<string>(policyVersions.document, mostBytes),
              })
              .from(policyVersions)
              .leftJoin(operators, sql.isOperator(policyVersions.author))
              .where(where)
              .orderBy(desc(policyVersions.version))
              .limit(page.size)
              .offset(offsetOf(page)),
          );
          return { items, total: yield* totalOf(db, policyVersions, where) };
        }),

      delete: (anyId, terms = {}) =>
        changing(anyId, terms, function* (db, policy) {
          if (yield* driver.hasDecided(db, policy.id)) return 'has_decided';
          yield* sql.raiseBound(db, policy.id);
          yield* rows.remove(db, policy.id);
          return policy;
        }),
    };
  }

  /** Which version of a policy decides, and whether one does. */
  function createActivation(): Pick<
    PolicyStore,
    'activate' | 'rollBack' | 'schedule' | 'unschedule' | 'activateDue' | 'deprecate'
  > {
    const unscheduled = { scheduledVersion: null, scheduledAt: null };

    function* makeCurrent(
      db: Db,
      policy: StoredPolicy,
      target: StoredPolicyVersion,
      now: number,
    ): Step<StoredPolicy> {
      yield* sql.raiseBound(db, policy.id);
      return yield* rows.change(db, policy.id, {
        status: 'ACTIVE',
        currentVersion: target.version,
        name: target.name,
        ...(target.version !== policy.version && { previousVersion: policy.version }),
        ...unscheduled,
        updatedAt: now,
      });
    }

    /** The version, when it may be the one that decides. `refuse` is called before its author is looked at. */
    function* findTarget<Refusal = never>(
      db: Db,
      policy: StoredPolicy,
      version: number | null,
      { notBy = [], refuse, ...terms }: TargetTerms<Refusal>,
    ): Step<StoredPolicyVersion | 'no_version' | 'own_version' | Refusal> {
      const target = version === null ? null : yield* rows.findVersion(db, policy.id, version);
      if (!target) return 'no_version';
      const refusal = refuse?.(target) ?? null;
      if (refusal !== null) return refusal;
      if (target.author !== null && notBy.includes(target.author)) return 'own_version';
      yield* rows.accept(db, policy.id, target, terms);
      return target;
    }

    return {
      activate: (id, version, now, terms = {}) =>
        changing(id, terms, function* (db, policy) {
          const target = yield* findTarget(db, policy, version ?? policy.version, terms);
          return typeof target === 'string' ? target : yield* makeCurrent(db, policy, target, now);
        }),

      rollBack: (id, version, now, terms = {}) =>
        changing(id, terms, function* (db, policy) {
          if (policy.status !== 'ACTIVE') return 'not_active';
          const target = yield* findTarget(db, policy, version ?? policy.previousVersion, {
            ...terms,
            refuse: (found) => (found.version >= policy.version ? ('not_earlier' as const) : null),
          });
          return typeof target === 'string' ? target : yield* makeCurrent(db, policy, target, now);
        }),

      schedule: (id, version, at, now, terms = {}) =>
        changing(id, terms, function* (db, policy) {
          const target = yield* findTarget(db, policy, version, terms);
          if (typeof target === 'string') return target;
          yield* sql.raiseBound(db, policy.id);
          const scheduled = { scheduledVersion: version, scheduledAt: at, updatedAt: now };
          return yield* rows.change(db, policy.id, scheduled);
        }),

      unschedule: (id, now, terms = {}) =>
        changing(id, terms, function* (db, policy) {
          if (policy.scheduledAt === null) return 'not_scheduled';
          yield* sql.raiseBound(db, policy.id);
          return yield* rows.change(db, policy.id, { ...unscheduled, updatedAt: now });
        }),

      async activateDue(now, event) {
        const due = (db: Db): Step<StoredPolicy[]> =>
          all(
            db
              .select(rows.policyColumns)
              .from(policies)
              .where(lte(policies.scheduledAt, now))
              .orderBy(asc(policies.scheduledAt), asc(policies.createdAt), asc(policies.id)),
          );
        const found = await sql.read(due);
        if (found.length === 0) return [];
        for (const { id } of found) await enforcement.learn({ policyId: id });
        return driver.unaudited.change(function* (db) {
          const activated: StoredPolicy[] = [];
          for (const policy of yield* due(db)) {
            const { id, scheduledVersion, scheduledAt } = policy;
            const target = yield* rows.findVersion(db, id, scheduledVersion ?? policy.version);
            if (!target) throw new Error(`policy ${id} is scheduled by a version that it does not have`);
            const made = yield* enforcement.during(db, { policyId: id }, () =>
              makeCurrent(db, policy, target, scheduledAt ?? now),
            );
            activated.push(made);
            if (event) yield* driver.appendEvents(db, [event(made)]);
          }
          return activated;
        });
      },

      deprecate: (id, now, terms = {}) =>
        changing(id, terms, function* (db, policy) {
          if (policy.status === 'DEPRECATED') return 'already_deprecated';
          yield* sql.raiseBound(db, policy.id);
          return yield* rows.change(db, policy.id, { status: 'DEPRECATED', ...unscheduled, updatedAt: now });
        }),
    };
  }
}

/** Which lists the versions of policies read. */
export const createListReaders = (sql: Sql): ListReaders => createPolicyRows(sql).listReaders;
