import { AppError } from '../../errors.ts';
import { createSweeper, type Sweeper } from '../../services/sweeper.ts';
import { isoTime, parseTime } from '../../services/times.ts';
import type { StatsCounts, StatsPoint, Store } from '../../store/store.ts';
import type { StatsSeries } from './schema.ts';
import { type StatsDimension, type StatsUnit, statsUnitMs } from './words.ts';

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
  const byName = Map.groupBy(points, ({ name }) => name);
  const series = [...byName].map(([name, ofName]) => ({
    name,
    ...shown(ofName.reduce(sum)),
    points: ofName.map((point) => ({ at: isoTime(point.slot * width), ...shown(point) })),
  }));
  return series.sort((one, other) => other.evaluations - one.evaluations);
}

const sum = (one: StatsPoint, other: StatsPoint): StatsPoint => ({
  ...one,
  allowed: one.allowed + other.allowed,
  warned: one.warned + other.warned,
  held: one.held + other.held,
  blocked: one.blocked + other.blocked,
  timed: one.timed + other.timed,
  tookUs: one.tookUs + other.tookUs,
  slowestUs: Math.max(one.slowestUs, other.slowestUs),
});

const shown = ({ allowed, warned, held, blocked, timed, tookUs, slowestUs }: StatsCounts) => ({
  evaluations: allowed + warned + held + blocked,
  allowed,
  warned,
  held,
  blocked,
  latency: timed === 0 ? null : { meanMs: millisecondsOf(tookUs / timed), maxMs: millisecondsOf(slowestUs) },
});

const millisecondsOf = (us: number): number => Math.round(us) / 1_000;
