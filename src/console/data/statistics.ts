import type { StatsSeries } from '../../features/stats/schema.ts';
import type { StatsDimension, StatsUnit } from '../../features/stats/words.ts';
import type { EnforcementAction } from '../../schemas/decisions.ts';
import { call } from './api.ts';
import { now } from './clock.ts';
import { choiceInUrl, query, to } from './route.ts';

export type Counts = Omit<StatsSeries, 'name' | 'points'>;
export type Slot = StatsSeries['points'][number];

/** The names of decisions in the statistics, mildest first. */
export const countNames = {
  ALLOW: 'allowed',
  WARN: 'warned',
  APPROVAL_REQUIRED: 'held',
  BLOCK: 'blocked',
} as const satisfies Record<EnforcementAction, keyof Counts>;
export const countedActions = Object.keys(countNames) as EnforcementAction[];

const hourMs = 3_600_000;
export const unitMs: Readonly<Record<StatsUnit, number>> = { hour: hourMs, day: 24 * hourMs };
/** A longer time has a bar for each day. */
const mostHoursMs = 8 * unitMs.day;

export const statsPeriods = ['day', 'week', 'month'] as const;
export type StatsPeriod = (typeof statsPeriods)[number];
const periodsMs: Readonly<Record<StatsPeriod, number>> = {
  day: unitMs.day,
  week: 7 * unitMs.day,
  month: 30 * unitMs.day,
};

/** Whole hours or days, in milliseconds since 1970. */
export interface StatsRange {
  from: number;
  to: number;
  unit: StatsUnit;
  /** Null: two times that the address names. */
  period: StatsPeriod | null;
}

/** The period in the address: one up to now, or the times that a person zoomed to. */
export function statsRangeInUrl(): StatsRange {
  const asked = [Date.parse(query.value.get('from') ?? ''), Date.parse(query.value.get('to') ?? '')] as const;
  const isZoomed = asked[0] < asked[1];
  const period = choiceInUrl('period', statsPeriods) ?? 'day';
  const span = isZoomed ? asked[1] - asked[0] : periodsMs[period];
  const unit: StatsUnit = span <= mostHoursMs ? 'hour' : 'day';
  const width = unitMs[unit];
  if (isZoomed) {
    const [from, end] = asked;
    return { from: Math.floor(from / width) * width, to: Math.ceil(end / width) * width, unit, period: null };
  }
  // To the end of this hour or day, which is still counted.
  const end = (Math.floor(now.value / width) + 1) * width;
  return { from: end - span, to: end, unit, period };
}

export const timeOfMs = (ms: number): string => new Date(ms).toISOString();

export async function readStats(
  by: StatsDimension,
  { from, to: end, unit }: Pick<StatsRange, 'from' | 'to' | 'unit'>,
  options: { signal?: AbortSignal; background?: boolean },
): Promise<StatsSeries[]> {
  const asked = { by, unit, from: timeOfMs(from), to: timeOfMs(end) };
  return (await call<StatsSeries[]>('/v1/stats', { query: asked, ...options })).data;
}

/** The statistics name so many, those with the most evaluations. */
const mostNamed = 20;

/** How many evaluations one had; undefined when others had so many more that it is not named. */
export type CountOf = (name: string) => number | undefined;

/** So many hours or days, this one included. */
export function lastSlots(slots: number, unit: StatsUnit): Pick<StatsRange, 'from' | 'to' | 'unit'> {
  const end = (Math.floor(now.peek() / unitMs[unit]) + 1) * unitMs[unit];
  return { from: end - slots * unitMs[unit], to: end, unit };
}

export function countsOf(series: readonly StatsSeries[]): CountOf {
  const counts = new Map(series.map(({ name, evaluations }) => [name, evaluations]));
  return (name) => counts.get(name) ?? (counts.size < mostNamed ? 0 : undefined);
}

/** Each evaluation has one integration: theirs together are all of them. */
export function totalsOf(series: readonly Counts[]): Counts {
  const total: Counts = { evaluations: 0, allowed: 0, warned: 0, held: 0, blocked: 0, latency: null };
  for (const one of series) add(total, one);
  return total;
}

function add(total: Counts, one: Counts): void {
  total.latency = bothLatencies(total, one);
  for (const name of ['evaluations', 'allowed', 'warned', 'held', 'blocked'] as const)
    total[name] += one[name];
}

/** Before the counts of one are added to those of the other. */
function bothLatencies(one: Counts, other: Counts): Counts['latency'] {
  if (!one.latency || !other.latency) return one.latency ?? other.latency;
  const totalMs = one.latency.meanMs * one.evaluations + other.latency.meanMs * other.evaluations;
  return {
    meanMs: totalMs / (one.evaluations + other.evaluations),
    maxMs: Math.max(one.latency.maxMs, other.latency.maxMs),
  };
}

/** The hours or days of the range, oldest first, with what all series counted in each. */
export function slotsOf(series: readonly StatsSeries[], { from, to: end, unit }: StatsRange): Slot[] {
  const width = unitMs[unit];
  const slots = Array.from(
    { length: Math.round((end - from) / width) },
    (_, place): Slot => ({
      at: timeOfMs(from + place * width),
      ...totalsOf([]),
    }),
  );
  for (const point of series.flatMap(({ points }) => points)) {
    const slot = slots[Math.floor((Date.parse(point.at) - from) / width)];
    if (slot) add(slot, point);
  }
  return slots;
}

/** The page of the evaluations behind a number. */
export const evaluationsHref = (
  { from, to: end }: Pick<StatsRange, 'from' | 'to'>,
  more: Readonly<Record<string, string>> = {},
): string => {
  const parameters = new URLSearchParams({ from: timeOfMs(from), to: timeOfMs(end), ...more });
  return `${to('evaluations')}?${parameters}`;
};

/** The parameter of the search for evaluations that finds those of a name. */
export function filterOfName(by: StatsDimension, name: string): Readonly<Record<string, string>> | null {
  switch (by) {
    case 'policy':
      return null;
    // It is counted as policy/rule.
    case 'rule':
      return { rule: name.slice(name.lastIndexOf('/') + 1) };
    default:
      return { [by]: name };
  }
}
