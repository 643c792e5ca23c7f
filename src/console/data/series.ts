import type { StatsSeries } from '../../features/stats/schema.ts';
import type { StatsUnit } from '../../features/stats/words.ts';
import type { EnforcementAction } from '../../schemas/decisions.ts';

type Counts = Omit<StatsSeries, 'name' | 'points'>;
export type Slot = StatsSeries['points'][number];

/** What a decision is called in the statistics, mildest first. */
export const countNames = {
  ALLOW: 'allowed',
  WARN: 'warned',
  APPROVAL_REQUIRED: 'held',
  BLOCK: 'blocked',
} as const satisfies Record<EnforcementAction, keyof Counts>;

const widthMs: Readonly<Record<StatsUnit, number>> = { hour: 3_600_000, day: 86_400_000 };
const slotCounts: Readonly<Record<StatsUnit, number>> = { hour: 24, day: 30 };

/** The hours or days up to now, oldest first, with what all series counted in each. */
export function slotsOf(series: readonly StatsSeries[], unit: StatsUnit, now: number): Slot[] {
  const width = widthMs[unit];
  const last = Math.floor(now / width);
  const slots = Array.from({ length: slotCounts[unit] }, (_, place): Slot => {
    const at = new Date((last - slotCounts[unit] + 1 + place) * width).toISOString();
    return { at, evaluations: 0, allowed: 0, warned: 0, held: 0, blocked: 0, latency: null };
  });
  for (const point of series.flatMap(({ points }) => points)) {
    const slot = slots[Math.floor(Date.parse(point.at) / width) - last + slots.length - 1];
    if (!slot) continue;
    slot.latency = both(slot, point);
    for (const name of ['evaluations', 'allowed', 'warned', 'held', 'blocked'] as const) {
      slot[name] += point[name];
    }
  }
  return slots;
}

/** Before the counts of one are added to those of the other. */
function both(one: Slot, other: Slot): Slot['latency'] {
  if (!one.latency || !other.latency) return one.latency ?? other.latency;
  const totalMs = one.latency.meanMs * one.evaluations + other.latency.meanMs * other.evaluations;
  return {
    meanMs: totalMs / (one.evaluations + other.evaluations),
    maxMs: Math.max(one.latency.maxMs, other.latency.maxMs),
  };
}
