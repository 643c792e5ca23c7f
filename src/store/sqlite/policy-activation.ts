import { asc, lte } from 'drizzle-orm';
import type { PolicyStore } from '../policies.ts';
import type { StoredPolicy } from '../stored-policies.ts';
import type { Sqlite } from './database.ts';
import type { Enforcement } from './enforcement.ts';
import type { EventLog } from './events.ts';
import type { PolicyRows, VersionRow } from './policy-rows.ts';
import type { Revisions } from './revisions.ts';
import { policies } from './tables.ts';

type Activation = Pick<
  PolicyStore,
  'activate' | 'rollBack' | 'schedule' | 'unschedule' | 'activateDue' | 'deprecate'
>;

/**
 * Which version of a policy decides, and whether one does. `unaudited`: what happens by itself is no call of whoever happens
 * to call then.
 */
export function createPolicyActivation(
  { db, writer, read }: Sqlite,
  unaudited: Pick<Sqlite, 'writer'>,
  rows: PolicyRows,
  revisions: Revisions,
  enforcement: Enforcement,
  eventLog: Pick<EventLog, 'append'>,
): Activation {
  const change = <T>(policyId: string, work: () => T): Promise<T> =>
    enforcement.change(writer, { policyId }, work);
  const found = (id: string): StoredPolicy => rows.find(id) as StoredPolicy;
  const unscheduled = { scheduledVersion: null, scheduledAt: null };

  function makeCurrent(row: number, policy: StoredPolicy, target: VersionRow, now: number): void {
    const isOther = target.version !== policy.version;
    rows.change(row, {
      status: 'ACTIVE',
      currentVersion: target.version,
      name: target.name,
      ...(isOther && { previousVersion: policy.version }),
      ...unscheduled,
      updatedAt: now,
    });
    revisions.raiseBound(row);
  }

  return {
    activate: (id, version, now, { notBy = [], ...terms } = {}) =>
      change(id, () => {
        const changed = rows.findExpected(id, terms);
        if (typeof changed === 'string') return changed;
        const { row, policy } = changed;
        const target = rows.findVersion(row, version ?? policy.version);
        if (!target) return 'no_version';
        if (target.author !== null && notBy.includes(target.author)) return 'own_version';
        rows.accept(row, target, terms);
        makeCurrent(row, policy, target, now);
        return found(id);
      }),

    rollBack: (id, version, now, { notBy = [], ...terms } = {}) =>
      change(id, () => {
        const changed = rows.findExpected(id, terms);
        if (typeof changed === 'string') return changed;
        const { row, policy } = changed;
        if (policy.status !== 'ACTIVE') return 'not_active';
        const wanted = version ?? policy.previousVersion;
        const target = wanted === null ? null : rows.findVersion(row, wanted);
        if (!target) return 'no_version';
        if (target.version >= policy.version) return 'not_earlier';
        if (target.author !== null && notBy.includes(target.author)) return 'own_version';
        rows.accept(row, target, terms);
        makeCurrent(row, policy, target, now);
        return found(id);
      }),

    schedule: (id, version, at, now, { notBy = [], ...terms } = {}) =>
      writer.run(() => {
        const changed = rows.findExpected(id, terms);
        if (typeof changed === 'string') return changed;
        const { row } = changed;
        const target = rows.findVersion(row, version);
        if (!target) return 'no_version';
        if (target.author !== null && notBy.includes(target.author)) return 'own_version';
        rows.accept(row, target, terms);
        rows.change(row, { scheduledVersion: version, scheduledAt: at, updatedAt: now });
        revisions.raiseBound(row);
        return found(id);
      }),

    unschedule: (id, now, terms = {}) =>
      writer.run(() => {
        const changed = rows.findExpected(id, terms);
        if (typeof changed === 'string') return changed;
        if (changed.policy.scheduledAt === null) return 'not_scheduled';
        rows.change(changed.row, { ...unscheduled, updatedAt: now });
        revisions.raiseBound(changed.row);
        return found(id);
      }),

    async activateDue(now, event) {
      const readDue = () =>
        db
          .select({ row: policies.id, id: policies.uid })
          .from(policies)
          .where(lte(policies.scheduledAt, now))
          .orderBy(asc(policies.scheduledAt), asc(policies.id))
          .all();
      const due = await read(readDue);
      if (due.length === 0) return [];
      for (const { id } of due) await enforcement.learn({ policyId: id });
      return unaudited.writer.run(() =>
        readDue().map(({ row, id }) => {
          const policy = found(id);
          const target = rows.findVersion(row, policy.scheduledVersion ?? policy.version);
          if (!target) throw new Error(`policy ${id} is scheduled by a version that it does not have`);
          enforcement.during({ policyId: id }, () =>
            makeCurrent(row, policy, target, policy.scheduledAt ?? now),
          );
          const activated = found(id);
          if (event) eventLog.append(event(activated));
          return activated;
        }),
      );
    },

    deprecate: (id, now, terms = {}) =>
      change(id, () => {
        const changed = rows.findExpected(id, terms);
        if (typeof changed === 'string') return changed;
        const { row, policy } = changed;
        if (policy.status === 'DEPRECATED') return 'already_deprecated';
        rows.change(row, { status: 'DEPRECATED', ...unscheduled, updatedAt: now });
        revisions.raiseBound(row);
        return found(id);
      }),
  };
}
