import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { parseSettings } from '../../features/integrations/store.ts';
import type { PolicyMode } from '../../schemas/decisions.ts';
import {
  type EnforcementWatch,
  type ModeOf,
  type UnprotectedIntegration,
  withoutReading,
} from '../enforcement.ts';
import type { Db } from './database.ts';
import type { EventLog } from './events.ts';
import { findVersion } from './policy-rows.ts';
import { bindings, housePolicies, integrations, policies } from './tables.ts';

/** The integrations that a change of what decides may leave without an enforced policy. */
export type Concerned = { integrationId: string } | { policyId: string };

/** Tells of integrations for which no policy is enforced any more. */
export interface Enforcement {
  watch(watch: EnforcementWatch): void;
  /** Runs inside a change of what operators manage, and writes its events. */
  during<T>(tx: Db, concerned: Concerned, change: () => Promise<T>): Promise<T>;
}

export function createEnforcement(eventLog: Pick<EventLog, 'append'>): Enforcement {
  let watch: EnforcementWatch | null = null;
  return {
    watch(given) {
      watch = given;
    },

    async during(tx, concerned, change) {
      if (!watch) return change();
      const { modeOf, event } = watch;
      const ids = await idsOf(tx, concerned);
      const { modeOf: unreadMode, unread } = withoutReading(watch);
      await enforcedAmong(tx, ids, unreadMode);
      if (unread.size > 0) await watch.learn([...unread]);
      const before = await enforcedAmong(tx, ids, modeOf);
      const result = await change();
      const after = await enforcedAmong(tx, [...before], modeOf);
      const lost = [...before].filter((id) => !after.has(id));
      await eventLog.append(tx, (await integrationsIn(tx, lost)).map(event));
      return result;
    },
  };
}

/** The integrations, not deleted, for which no policy is enforced, in the order of their creation. */
export async function findUnprotected(db: Db, modeOf: ModeOf): Promise<UnprotectedIntegration[]> {
  const all = await db
    .select({ id: integrations.id })
    .from(integrations)
    .where(isNull(integrations.deletedAt));
  const ids = all.map(({ id }) => id);
  const enforced = await enforcedAmong(db, ids, modeOf);
  return integrationsIn(
    db,
    ids.filter((id) => !enforced.has(id)),
  );
}

async function idsOf(tx: Db, concerned: Concerned): Promise<string[]> {
  const living = isNull(integrations.deletedAt);
  const ids = tx.select({ id: integrations.id }).from(integrations);
  const found = await ids.where(and(living, await whichOf(tx, concerned)));
  return found.map(({ id }) => id);
}

async function whichOf(tx: Db, concerned: Concerned) {
  if ('integrationId' in concerned) return eq(integrations.id, concerned.integrationId);
  const { policyId } = concerned;
  const house = await tx.select().from(housePolicies).where(eq(housePolicies.policyId, policyId));
  if (house.length > 0) return undefined;
  const bound = tx
    .select({ id: bindings.integrationId })
    .from(bindings)
    .where(eq(bindings.policyId, policyId));
  return inArray(integrations.id, bound);
}

/** Which of them have an ACTIVE policy in mode ENFORCE, of their own or of the house. */
async function enforcedAmong(db: Db, ids: readonly string[], modeOf: ModeOf): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const columns = { id: policies.id, version: policies.currentVersion };
  const isActive = eq(policies.status, 'ACTIVE');
  const modes = new Map<string, PolicyMode>();
  async function isEnforced({ id, version, mode }: { id: string; version: number; mode: PolicyMode | null }) {
    const known = mode ?? modes.get(id) ?? modeOf((await findVersion(db, id, version))?.document ?? '');
    if (mode === null) modes.set(id, known);
    return known === 'ENFORCE';
  }
  const house = await db
    .select({ ...columns, mode: housePolicies.mode })
    .from(housePolicies)
    .innerJoin(policies, and(eq(policies.id, housePolicies.policyId), isActive));
  for (const policy of house) if (await isEnforced(policy)) return new Set(ids);
  const own = await db
    .select({ ...columns, mode: bindings.mode, integrationId: bindings.integrationId })
    .from(bindings)
    .innerJoin(policies, and(eq(policies.id, bindings.policyId), isActive))
    .where(inArray(bindings.integrationId, [...ids]));
  const enforced = new Set<string>();
  for (const policy of own) if (await isEnforced(policy)) enforced.add(policy.integrationId);
  return enforced;
}

async function integrationsIn(db: Db, ids: readonly string[]): Promise<UnprotectedIntegration[]> {
  if (ids.length === 0) return [];
  const { id, name, settings } = integrations;
  const rows = await db
    .select({ id, name, settings })
    .from(integrations)
    .where(inArray(id, [...ids]))
    .orderBy(asc(integrations.createdAt), asc(id));
  return rows.map((row) => ({
    ...row,
    settings: parseSettings(row.settings),
  }));
}
