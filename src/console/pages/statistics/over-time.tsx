import type { EnforcementAction } from '../../../schemas/decisions.ts';
import type { StatsSeries } from '../../../schemas/stats.ts';
import type { StatsUnit } from '../../../schemas/stats-words.ts';
import { now } from '../../data/clock.ts';
import { count, milliseconds } from '../../data/format.ts';
import { countNames, slotsOf } from '../../data/series.ts';
import { Shape } from '../../parts/badges.tsx';
import { words } from '../../strings/index.ts';
import { Chart, type Column } from './chart.tsx';

const actions = Object.keys(countNames) as EnforcementAction[];

interface OverTimeProps {
  series: readonly StatsSeries[];
  unit: StatsUnit;
}

/** What was decided in each hour or day, and how long a decision took. */
export function OverTime({ series, unit }: OverTimeProps) {
  const { statistics: text, verdicts } = words.value;
  const slots = slotsOf(series, unit, now.value);
  const shownMs = (ms: number | undefined) => (ms === undefined ? '–' : milliseconds(ms));
  return (
    <>
      <Chart
        name={unit === 'hour' ? text.perHour : text.perDay}
        unit={unit}
        slots={slots}
        height={220}
        partsOf={(slot) => actions.map((action) => [action, slot[countNames[action]]])}
        show={count}
        columns={[
          ...actions.map((action): Column => [verdicts[action], (slot) => count(slot[countNames[action]])]),
          [text.total, (slot) => count(slot.evaluations)],
        ]}
      >
        <ul class="legend">
          {actions.map((action) => (
            <li key={action} class={action}>
              <Shape action={action} /> {verdicts[action]}
            </li>
          ))}
        </ul>
      </Chart>
      <h2>{text.latency}</h2>
      <p class="quiet">{text.latencyText}</p>
      <Chart
        name={text.latency}
        unit={unit}
        slots={slots}
        height={110}
        partsOf={({ latency }) => [['latency', latency?.meanMs ?? 0]]}
        show={milliseconds}
        columns={[
          [text.mean, ({ latency }) => shownMs(latency?.meanMs)],
          [text.slowest, ({ latency }) => shownMs(latency?.maxMs)],
        ]}
      />
    </>
  );
}
