import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { EnforcementAction, Violation } from '../../schemas/decisions.ts';
import { hourMs } from '../../schemas/durations.ts';
import { keyOf } from '../../sql/hot-tables.ts';
import { all, type Sql } from '../../sql/steps.ts';
import type { StatsDimension, StatsUnit } from './words.ts';

/** The part of an evaluation that statistics read. */
export interface CountedEvaluation {
  integrationId: string;
  entityId: string | null;
  tool: string;
  enforcementAction: EnforcementAction;
  violations: readonly Pick<Violation, 'policyName' | 'ruleId'>[];
  dataTags: readonly string[];
  createdAt: number;
  /** Null when it was not measured. */
  tookUs: number | null;
}

export interface StatsCounts {
  allowed: number;
  warned: number;
  held: number;
  blocked: number;
  /** The evaluations whose time was measured: how many they are, and their microseconds, together and at most. */
  timed: number;
  tookUs: number;
  slowestUs: number;
}

export interface StatsRow extends StatsCounts {
  dimension: StatsDimension;
  unit: StatsUnit;
  /** Hours or days since 1970. */
  slot: number;
  integrationId: string;
  name: string;
}

export interface StatsPoint extends StatsCounts {
  name: string;
  slot: number;
}

export interface StatsQuery {
  dimension: StatsDimension;
  unit: StatsUnit;
  /** From this slot on, and before that one. */
  from: number;
  to: number;
  /** Null for all. */
  integrationId: string | null;
}

export interface StatsStore {
  /**
   * Counts some of the evaluations that are not counted yet, each once: `countEvaluations` (below) says what. False when none is
   * left.
   */
  count(): Promise<boolean>;
  /** The sums over integrations, of the names with most evaluations in the period: at most `names` of them. */
  read(query: StatsQuery, names: number): Promise<StatsPoint[]>;
}

/** Names of one hour and dimension that are told apart in one step; further ones count together, so that nobody fills the disk. */
const mostNames = 200;
const otherNames = '(other)';
const dayMs = 24 * hourMs;
const noCounts = { allowed: 0, warned: 0, held: 0, blocked: 0, timed: 0, tookUs: 0, slowestUs: 0 };
const counts: Readonly<Record<EnforcementAction, keyof StatsCounts>> = {
  ALLOW: 'allowed',
  WARN: 'warned',
  APPROVAL_REQUIRED: 'held',
  BLOCK: 'blocked',
};

/** The evaluations of an integration in one hour, counted by dimension and name. */
interface Hour {
  readonly integrationId: string;
  readonly slot: number;
  readonly names: Readonly<Record<StatsDimension, Map<string, StatsCounts>>>;
}

/** The rows that a step adds to the statistics. Pure, for every backend. */
export function countEvaluations(evaluations: readonly CountedEvaluation[]): StatsRow[] {
  const hours = new Map<string, Hour>();
  let hour: Hour | null = null;
  for (const evaluation of evaluations) {
    const { integrationId, tool, entityId, violations } = evaluation;
    const slot = Math.floor(evaluation.createdAt / hourMs);
    // Most evaluations are of the hour of the one before.
    if (hour?.slot !== slot || hour.integrationId !== integrationId)
      hour = hourOf(hours, integrationId, slot);
    const { names } = hour;
    add(names.integration, integrationId, evaluation);
    if (tool !== '') add(names.tool, tool, evaluation);
    if (entityId !== null) add(names.entity, entityId, evaluation);
    for (const tag of evaluation.dataTags) add(names.tag, tag, evaluation);
    if (violations.length === 0) continue;
    const policies = new Set(violations.map(({ policyName }) => policyName));
    for (const policy of policies) add(names.policy, policy, evaluation);
    const rules = new Set(violations.map(({ policyName, ruleId }) => `${policyName}/${ruleId}`));
    for (const rule of rules) add(names.rule, rule, evaluation);
  }
  return rowsOf(hours.values());
}

function hourOf(hours: Map<string, Hour>, integrationId: string, slot: number): Hour {
  const key = `${integrationId} ${slot}`;
  const known = hours.get(key);
  if (known) return known;
  const names = {
    integration: new Map(),
    policy: new Map(),
    rule: new Map(),
    tool: new Map(),
    tag: new Map(),
    entity: new Map(),
  };
  const hour = { integrationId, slot, names };
  hours.set(key, hour);
  return hour;
}

function add(
  names: Map<string, StatsCounts>,
  given: string,
  { enforcementAction, tookUs }: CountedEvaluation,
): void {
  let of = names.get(given);
  if (!of) {
    const name = names.size < mostNames ? given : otherNames;
    of = names.get(name) ?? { ...noCounts };
    names.set(name, of);
  }
  of[counts[enforcementAction]]++;
  if (tookUs === null) return;
  of.timed++;
  of.tookUs += tookUs;
  if (tookUs > of.slowestUs) of.slowestUs = tookUs;
}

/** The rows of hours, and those of their days. */
function rowsOf(hours: Iterable<Hour>): StatsRow[] {
  const rows: StatsRow[] = [];
  const days = new Map<string, StatsRow>();
  for (const { integrationId, slot, names } of hours) {
    for (const [dimension, counted] of Object.entries(names) as [StatsDimension, Hour['names']['tag']][]) {
      for (const [name, ofHour] of counted) {
        const of = { dimension, integrationId, name };
        rows.push({ ...of, unit: 'hour', slot, ...ofHour });
        const ofDay = Math.floor((slot * hourMs) / dayMs);
        const key = `${dimension} ${ofDay} ${integrationId} ${name}`;
        const day = days.get(key) ?? { ...of, unit: 'day', slot: ofDay, ...noCounts };
        days.set(key, day);
        addCounts(day, ofHour);
      }
    }
  }
  return [...rows, ...days.values()];
}

function addCounts(to: StatsCounts, counts: StatsCounts): void {
  to.allowed += counts.allowed;
  to.warned += counts.warned;
  to.held += counts.held;
  to.blocked += counts.blocked;
  to.timed += counts.timed;
  to.tookUs += counts.tookUs;
  to.slowestUs = Math.max(to.slowestUs, counts.slowestUs);
}

/** Slots that are read in one step. */
const slotsAtOnce: Readonly<Record<StatsUnit, number>> = { hour: 6, day: 1 };

/** Each database counts in its own way. */
export function createStatsStore(database: Sql, { count }: Pick<StatsStore, 'count'>): StatsStore {
  const { stats } = database.hot;
  const { integrations } = database.tables;
  const sumOf = (column: AnySQLiteColumn): SQL<number> => sql`sum(${column})`.mapWith(Number);
  return {
    count,
    async read({ from, to, ...query }, names) {
      const points: StatsPoint[] = [];
      // Thousands of names may be in each of hundreds of hours: other requests go on between them.
      const width = slotsAtOnce[query.unit];
      for (let first = from; first < to; first += width) {
        if (first > from) await new Promise((resolve) => setImmediate(resolve));
        const found = await readSlots({ ...query, from: first, to: Math.min(to, first + width) });
        for (const point of found) points.push(point);
      }
      return pointsOfMost(points, names);
    },
  };

  function readSlots({ dimension, unit, from, to, integrationId }: StatsQuery): Promise<StatsPoint[]> {
    return database.read(function* (db) {
      const owner = db.select({ key: keyOf(integrations) }).from(integrations);
      return yield* all(
        db
          .select({
            name: stats.name,
            slot: stats.slot,
            allowed: sumOf(stats.allowed),
            warned: sumOf(stats.warned),
            held: sumOf(stats.held),
            blocked: sumOf(stats.blocked),
            timed: sumOf(stats.timed),
            tookUs: sumOf(stats.tookUs),
            slowestUs: sql<number>`max(${stats.slowestUs})`.mapWith(Number),
          })
          .from(stats)
          .where(
            and(
              eq(stats.dimension, dimension),
              eq(stats.unit, unit),
              gte(stats.slot, from),
              lt(stats.slot, to),
              integrationId === null
                ? undefined
                : eq(stats.integrationId, owner.where(eq(integrations.id, integrationId.toLowerCase()))),
            ),
          )
          .groupBy(stats.name, stats.slot)
          .orderBy(asc(stats.slot), asc(stats.name)),
      );
    });
  }
}

/** The points of the names with most evaluations in the period. */
function pointsOfMost(points: readonly StatsPoint[], names: number): StatsPoint[] {
  const totals = new Map<string, number>();
  for (const { name, allowed, warned, held, blocked } of points) {
    totals.set(name, (totals.get(name) ?? 0) + allowed + warned + held + blocked);
  }
  const most = [...totals].sort(([, one], [, other]) => other - one).slice(0, names);
  const kept = new Set(most.map(([name]) => name));
  return points.filter(({ name }) => kept.has(name));
}
