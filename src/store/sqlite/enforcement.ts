import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { parseSettings } from '../../features/integrations/store.ts';
import type { PolicyMode } from '../../schemas/decisions.ts';
import {
  type EnforcementWatch,
  type ModeOf,
  type UnprotectedIntegration,
  withoutReading,
} from '../enforcement.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import { bindings, housePolicies, integrations, policies, policyVersions } from './tables.ts';

/** The integrations that a change of what decides may leave without an enforced policy. */
export type Concerned = { integrationId: string } | { policyId: string };

/** Tells of integrations for which no policy is enforced any more. */
export interface Enforcement {
  watch(watch: EnforcementWatch): void;
  /** One change, with its events. */
  change<T>(writer: Sqlite['writer'], concerned: Concerned, work: () => T): Promise<T>;
  /** Has the documents read that a change looks at, which keeps everybody waiting when it reads them itself. */
  learn(concerned: Concerned): Promise<void>;
  /** Runs inside a change, and writes its events. */
  during<T>(concerned: Concerned, change: () => T): T;
}

/** Which rows of integrations have an ACTIVE policy in mode ENFORCE, of their own or of the house. */
type EnforcedAmong = (rows: readonly number[]) => Set<number>;

export function createEnforcement(
  { db, read }: Pick<Sqlite, 'db' | 'read'>,
  eventLog: Pick<EventLog, 'append'>,
): Enforcement {
  let watch: EnforcementWatch | null = null;
  const enforcedAmong = createEnforcedAmong(db, (document) => watch?.modeOf(document) ?? 'ENFORCE');

  function rowsOf(concerned: Concerned): number[] {
    const rows = db.select({ row: integrations.row }).from(integrations);
    const living = isNull(integrations.deletedAt);
    if ('integrationId' in concerned)
      return numbers(
        rows.where(and(living, eq(integrations.id, concerned.integrationId.toLowerCase()))).all(),
      );
    const policy = eq(policies.uid, concerned.policyId.toLowerCase());
    const house = db
      .select({ row: policies.id })
      .from(housePolicies)
      .innerJoin(policies, and(eq(policies.id, housePolicies.policyId), policy))
      .get();
    if (house) return numbers(rows.where(living).all());
    const bound = db
      .select({ row: bindings.integrationId })
      .from(bindings)
      .innerJoin(policies, and(eq(policies.id, bindings.policyId), policy));
    return numbers(rows.where(and(living, inArray(integrations.row, bound))).all());
  }

  function during<T>(concerned: Concerned, change: () => T): T {
    if (!watch) return change();
    const before = enforcedAmong(rowsOf(concerned));
    const result = change();
    const after = enforcedAmong([...before]);
    const lost = [...before].filter((row) => !after.has(row));
    for (const integration of integrationsIn(db, lost)) eventLog.append(watch.event(integration));
    return result;
  }

  async function learn(concerned: Concerned): Promise<void> {
    if (!watch) return;
    const { modeOf, unread } = withoutReading(watch);
    await read(() => createEnforcedAmong(db, modeOf)(rowsOf(concerned)));
    if (unread.size > 0) await watch.learn([...unread]);
  }

  return {
    watch(given) {
      watch = given;
    },
    async change(writer, concerned, work) {
      await learn(concerned);
      return writer.run(() => during(concerned, work));
    },
    learn,
    during,
  };
}

/** The integrations, not deleted, for which no policy is enforced, in the order of their creation. */
export function findUnprotected(db: Sqlite['db'], modeOf: ModeOf): UnprotectedIntegration[] {
  const rows = numbers(
    db.select({ row: integrations.row }).from(integrations).where(isNull(integrations.deletedAt)).all(),
  );
  const enforced = createEnforcedAmong(db, modeOf)(rows);
  return integrationsIn(
    db,
    rows.filter((row) => !enforced.has(row)),
  );
}

const numbers = (found: readonly { row: number }[]): number[] => found.map(({ row }) => row);
/** One parameter for any number of rows. */
const among = (rows: readonly number[]) => sql`(SELECT value FROM json_each(${JSON.stringify(rows)}))`;

function createEnforcedAmong(db: Sqlite['db'], modeOf: ModeOf): EnforcedAmong {
  const columns = { policy: policies.id, version: policies.currentVersion };
  const isActive = eq(policies.status, 'ACTIVE');

  function modeInDocument(policy: number, version: number): PolicyMode {
    const found = db
      .select({ document: policyVersions.document })
      .from(policyVersions)
      .where(and(eq(policyVersions.policyId, policy), eq(policyVersions.version, version)))
      .get();
    return modeOf(found?.document ?? '');
  }

  return (rows) => {
    if (rows.length === 0) return new Set();
    const modes = new Map<number, PolicyMode>();
    const isEnforced = ({
      policy,
      version,
      mode,
    }: {
      policy: number;
      version: number;
      mode: PolicyMode | null;
    }) => {
      if (mode !== null) return mode === 'ENFORCE';
      const known = modes.get(policy) ?? modeInDocument(policy, version);
      modes.set(policy, known);
      return known === 'ENFORCE';
    };
    const house = db
      .select({ ...columns, mode: housePolicies.mode })
      .from(housePolicies)
      .innerJoin(policies, and(eq(policies.id, housePolicies.policyId), isActive))
      .all();
    if (house.some(isEnforced)) return new Set(rows);
    return new Set(
      db
        .select({ ...columns, mode: bindings.mode, row: bindings.integrationId })
        .from(bindings)
        .innerJoin(policies, and(eq(policies.id, bindings.policyId), isActive))
        .where(sql`${bindings.integrationId} IN ${among(rows)}`)
        .all()
        .filter(isEnforced)
        .map(({ row }) => row),
    );
  };
}

const integrationsIn = (db: Sqlite['db'], rows: readonly number[]): UnprotectedIntegration[] =>
  db
    .select({ id: integrations.id, name: integrations.name, settings: integrations.settings })
    .from(integrations)
    .where(sql`${integrations.row} IN ${among(rows)}`)
    .orderBy(integrations.row)
    .all()
    .map(({ settings, ...integration }) => ({
      ...integration,
      settings: parseSettings(settings),
    }));
