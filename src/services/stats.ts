import { AppError } from '../errors.ts';
import type { StatsSeries } from '../schemas/stats.ts';
import { type StatsDimension, type StatsUnit, statsUnitMs } from '../schemas/stats-words.ts';
import type { StatsCounts, StatsPoint, Store } from '../store/store.ts';
import { createSweeper, type Sweeper } from './sweeper.ts';
import { isoTime, parseTime } from './times.ts';

export interface Stats {
  /** Keeps the statistics up with what is recorded. */
  counting: Sweeper;
  /** The names with most evaluations, most first. */
  read(query: {
    by: StatsDimension;
    unit: StatsUnit;
    from?: string;
    to?: string;
    integrationId?: string;
  }): Promise<StatsSeries[]>;
}

/** Slots of a period when none is asked for, and at most. */
const usualSlots: Readonly<Record<StatsUnit, number>> = { hour: 24, day: 30 };
const mostSlots: Readonly<Record<StatsUnit, number>> = { hour: 744, day: 366 };
const mostNames = 20;
const everyMs = 5_000;

export function createStats(deps: {
  store: Store;
  now: () => number;
  onError: (error: unknown) => void;
}): Stats {
  const { store, now, onError } = deps;
  const counting = createSweeper({
    async run() {
      while (await store.stats.count());
    },
    everyMs,
    onError,
  });

  return {
    counting,
    async read({ by: dimension, unit, from, to, integrationId = null }) {
      const width = statsUnitMs[unit];
      const end = Math.floor((to === undefined ? now() : parseTime(to, '/to') - 1) / width) + 1;
      const start =
        from === undefined ? end - usualSlots[unit] : Math.floor(parseTime(from, '/from') / width);
      if (end - start > mostSlots[unit]) {
        throw new AppError('invalid', `must be at most ${mostSlots[unit]} ${unit}s before \`to\``, {
          path: '/from',
        });
      }
      await counting.sweep();
      const query = {
        dimension,
        unit,
        from: start,
        to: end,
        integrationId: integrationId?.toLowerCase() ?? null,
      };
      return seriesOf(await store.stats.read(query, mostNames), width);
    },
  };
}

function seriesOf(points: readonly StatsPoint[], width: number): StatsSeries[] {
  const series = new Map<string, StatsSeries>();
  for (const { name, slot, ...counts } of points) {
    const one = series.get(name) ?? { name, ...withTotal(none), points: [] };
    series.set(name, one);
    const counted = withTotal(counts);
    one.evaluations += counted.evaluations;
    one.allowed += counts.allowed;
    one.warned += counts.warned;
    one.held += counts.held;
    one.blocked += counts.blocked;
    one.points.push({ at: isoTime(slot * width), ...counted });
  }
  return [...series.values()].sort((one, other) => other.evaluations - one.evaluations);
}

const none: StatsCounts = { allowed: 0, warned: 0, held: 0, blocked: 0 };
const withTotal = ({ allowed, warned, held, blocked }: StatsCounts) => ({
  evaluations: allowed + warned + held + blocked,
  allowed,
  warned,
  held,
  blocked,
});
