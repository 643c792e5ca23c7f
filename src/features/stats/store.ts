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

/** The counts of a name in one hour: of the hour, and of its day. */
type Counted = readonly [ofHour: StatsRow, ofDay: StatsRow];

/** The rows that a step adds to the statistics. Pure, for every backend. */
export function countEvaluations(evaluations: readonly CountedEvaluation[]): StatsRow[] {
  const rows = new Map<string, StatsRow>();
  /** By integration and hour, then by dimension and name. */
  const places = new Map<string, Map<StatsDimension, Map<string, Counted>>>();

  function rowOf(
    dimension: StatsDimension,
    unit: StatsUnit,
    slot: number,
    integrationId: string,
    name: string,
  ) {
    const key = `${dimension} ${unit} ${slot} ${integrationId} ${name}`;
    const row = rows.get(key) ?? { dimension, unit, slot, integrationId, name, ...noCounts };
    rows.set(key, row);
    return row;
  }

  function countedOf(
    { integrationId, createdAt }: CountedEvaluation,
    names: Map<string, Counted>,
    dimension: StatsDimension,
    given: string,
  ): Counted {
    const name = dimension !== 'integration' && names.size >= mostNames ? otherNames : given;
    const known = names.get(name);
    if (known) return known;
    const of = [integrationId, name] as const;
    const counted: Counted = [
      rowOf(dimension, 'hour', Math.floor(createdAt / hourMs), ...of),
      rowOf(dimension, 'day', Math.floor(createdAt / dayMs), ...of),
    ];
    names.set(name, counted);
    return counted;
  }

  function add(evaluation: CountedEvaluation, dimension: StatsDimension, name: string): void {
    const place = `${evaluation.integrationId} ${Math.floor(evaluation.createdAt / hourMs)}`;
    const dimensions = places.get(place) ?? new Map<StatsDimension, Map<string, Counted>>();
    places.set(place, dimensions);
    const names = dimensions.get(dimension) ?? new Map<string, Counted>();
    dimensions.set(dimension, names);
    const { enforcementAction, tookUs } = evaluation;
    for (const row of names.get(name) ?? countedOf(evaluation, names, dimension, name)) {
      row[counts[enforcementAction]]++;
      if (tookUs === null) continue;
      row.timed++;
      row.tookUs += tookUs;
      row.slowestUs = Math.max(row.slowestUs, tookUs);
    }
  }

  for (const evaluation of evaluations) {
    add(evaluation, 'integration', evaluation.integrationId);
    if (evaluation.tool !== '') add(evaluation, 'tool', evaluation.tool);
    if (evaluation.entityId !== null) add(evaluation, 'entity', evaluation.entityId);
    for (const tag of evaluation.dataTags) add(evaluation, 'tag', tag);
    if (evaluation.violations.length === 0) continue;
    const policies = new Set(evaluation.violations.map(({ policyName }) => policyName));
    for (const policy of policies) add(evaluation, 'policy', policy);
    const rules = new Set(evaluation.violations.map(({ policyName, ruleId }) => `${policyName}/${ruleId}`));
    for (const rule of rules) add(evaluation, 'rule', rule);
  }
  return [...rows.values()];
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
