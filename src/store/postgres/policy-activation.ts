import { asc, lte } from 'drizzle-orm';
import type { PolicyStore } from '../policies.ts';
import type { ChangeTerms, Refused, StoredPolicy } from '../stored-policies.ts';
import type { Db, Postgres } from './database.ts';
import type { Enforcement } from './enforcement.ts';
import type { EventLog } from './events.ts';
import { acceptVersion, changePolicy, findExpected, findVersion, policyColumns } from './policy-rows.ts';
import type { Revisions } from './revisions.ts';
import { policies } from './tables.ts';

type Activation = Pick<
  PolicyStore,
  'activate' | 'rollBack' | 'schedule' | 'unschedule' | 'activateDue' | 'deprecate'
>;

const unscheduled = { scheduledVersion: null, scheduledAt: null };

/**
 * Which version of a policy decides, and whether one does. `unaudited`: what happens by itself is no call of whoever happens
 * to call then.
 */
export function createPolicyActivation(
  { read, change }: Postgres,
  unaudited: Postgres,
  revisions: Revisions,
  enforcement: Enforcement,
  eventLog: Pick<EventLog, 'append'>,
): Activation {
  /** Changes a policy that is as expected. */
  const changing = <T>(
    id: string,
    terms: ChangeTerms,
    work: (tx: Db, policy: StoredPolicy) => Promise<T>,
  ): Promise<T | Refused> =>
    change(async (tx) => {
      const policy = await findExpected(tx, id, terms);
      if (typeof policy === 'string') return policy;
      return enforcement.during(tx, { policyId: policy.id }, () => work(tx, policy));
    });

  async function makeCurrent(
    tx: Db,
    policy: StoredPolicy,
    target: { version: number; name: string },
    now: number,
  ): Promise<StoredPolicy> {
    await revisions.raiseBound(tx, policy.id);
    return changePolicy(tx, policy.id, {
      status: 'ACTIVE',
      currentVersion: target.version,
      name: target.name,
      ...(target.version !== policy.version && { previousVersion: policy.version }),
      ...unscheduled,
      updatedAt: now,
    });
  }

  return {
    activate: (id, version, now, { notBy = [], ...terms } = {}) =>
      changing(id, terms, async (tx, policy) => {
        const target = await findVersion(tx, policy.id, version ?? policy.version);
        if (!target) return 'no_version';
        if (target.author !== null && notBy.includes(target.author)) return 'own_version';
        await acceptVersion(tx, policy.id, target, terms);
        return makeCurrent(tx, policy, target, now);
      }),

    rollBack: (id, version, now, { notBy = [], ...terms } = {}) =>
      changing(id, terms, async (tx, policy) => {
        if (policy.status !== 'ACTIVE') return 'not_active';
        const wanted = version ?? policy.previousVersion;
        const target = wanted === null ? null : await findVersion(tx, policy.id, wanted);
        if (!target) return 'no_version';
        if (target.version >= policy.version) return 'not_earlier';
        if (target.author !== null && notBy.includes(target.author)) return 'own_version';
        await acceptVersion(tx, policy.id, target, terms);
        return makeCurrent(tx, policy, target, now);
      }),

    schedule: (id, version, at, now, { notBy = [], ...terms } = {}) =>
      changing(id, terms, async (tx, policy) => {
        const target = await findVersion(tx, policy.id, version);
        if (!target) return 'no_version';
        if (target.author !== null && notBy.includes(target.author)) return 'own_version';
        await acceptVersion(tx, policy.id, target, terms);
        await revisions.raiseBound(tx, policy.id);
        return changePolicy(tx, policy.id, { scheduledVersion: version, scheduledAt: at, updatedAt: now });
      }),

    unschedule: (id, now, terms = {}) =>
      changing(id, terms, async (tx, policy) => {
        if (policy.scheduledAt === null) return 'not_scheduled';
        await revisions.raiseBound(tx, policy.id);
        return changePolicy(tx, policy.id, { ...unscheduled, updatedAt: now });
      }),

    async activateDue(now, event) {
      const due = (db: Db) =>
        db
          .select(policyColumns)
          .from(policies)
          .where(lte(policies.scheduledAt, now))
          .orderBy(asc(policies.scheduledAt), asc(policies.createdAt), asc(policies.id));
      if ((await read(due)).length === 0) return [];
      return unaudited.change(async (tx) => {
        const activated: StoredPolicy[] = [];
        for (const policy of await due(tx)) {
          const target = await findVersion(tx, policy.id, policy.scheduledVersion ?? policy.version);
          if (!target) throw new Error(`policy ${policy.id} is scheduled by a version that it does not have`);
          const made = await enforcement.during(tx, { policyId: policy.id }, () =>
            makeCurrent(tx, policy, target, policy.scheduledAt ?? now),
          );
          activated.push(made);
          if (event) await eventLog.append(tx, [event(made)]);
        }
        return activated;
      });
    },

    deprecate: (id, now, terms = {}) =>
      changing(id, terms, async (tx, policy) => {
        if (policy.status === 'DEPRECATED') return 'already_deprecated';
        await revisions.raiseBound(tx, policy.id);
        return changePolicy(tx, policy.id, { status: 'DEPRECATED', ...unscheduled, updatedAt: now });
      }),
  };
}
