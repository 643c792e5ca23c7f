import type { EnforcementAction } from '../../../schemas/decisions.ts';
import type { StatsSeries } from '../../../schemas/stats.ts';
import type { StatsUnit } from '../../../schemas/stats-words.ts';
import { now } from '../../data/clock.ts';
import { count, dateOf, timeOf, utcOf } from '../../data/format.ts';
import { countNames, type Slot, slotsOf } from '../../data/series.ts';
import { Shape } from '../../parts/badges.tsx';
import { words } from '../../strings/index.ts';

const actions = Object.keys(countNames) as EnforcementAction[];
const isNarrow = matchMedia('(width < 640px)').matches;
const width = isNarrow ? 340 : 960;
const height = 220;
/** Below the bars, for the hours or days. */
const footer = 22;

interface CountsOverTimeProps {
  series: readonly StatsSeries[];
  unit: StatsUnit;
}

/** Bars of what was decided in each hour or day, and the same as a table. */
export function CountsOverTime({ series, unit }: CountsOverTimeProps) {
  const { statistics: text, verdicts } = words.value;
  const slots = slotsOf(series, unit, now.value);
  const name = unit === 'hour' ? text.perHour : text.perDay;
  const labelOf = ({ at }: Slot) => (unit === 'hour' ? timeOf(at).slice(0, 5) : dateOf(at));
  return (
    <figure class="chart">
      <ul class="legend">
        {actions.map((action) => (
          <li key={action} class={action}>
            <Shape action={action} /> {verdicts[action]}
          </li>
        ))}
      </ul>
      <Bars slots={slots} labelOf={labelOf} name={name} />
      <details>
        <summary>{text.asTable}</summary>
        <SlotTable slots={slots} labelOf={labelOf} />
      </details>
    </figure>
  );
}

interface BarsProps {
  slots: readonly Slot[];
  labelOf: (slot: Slot) => string;
  name: string;
}

function Bars({ slots, labelOf, name }: BarsProps) {
  const most = Math.max(1, ...slots.map(({ evaluations }) => evaluations));
  const step = width / slots.length;
  // Names of every bar would overlap.
  const every = Math.ceil(slots.length / (isNarrow ? 4 : 8));
  return (
    <svg viewBox={`0 0 ${width} ${height + footer}`} role="img" aria-label={name}>
      <text class="axis" x="0" y="12">
        {count(most)}
      </text>
      <line class="axis" x1="0" x2={width} y1={height} y2={height} />
      {slots.map((slot, place) => (
        <g key={slot.at}>
          <title>{`${labelOf(slot)}: ${count(slot.evaluations)}`}</title>
          <Bar slot={slot} x={place * step + 2} width={step - 4} most={most} />
          {place % every === 0 && (
            <text
              class="axis"
              x={place === 0 ? 0 : place * step + step / 2}
              y={height + 16}
              text-anchor={place === 0 ? 'start' : 'middle'}
            >
              {labelOf(slot)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

/** Below the top line, so that its number has room. */
const top = 18;

function Bar({ slot, x, width, most }: { slot: Slot; x: number; width: number; most: number }) {
  let y = height;
  return actions.map((action) => {
    const tall = (slot[countNames[action]] / most) * (height - top);
    y -= tall;
    return tall > 0 && <rect key={action} class={`bar ${action}`} x={x} y={y} width={width} height={tall} />;
  });
}

function SlotTable({ slots, labelOf }: { slots: readonly Slot[]; labelOf: (slot: Slot) => string }) {
  const { statistics: text, verdicts } = words.value;
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">{text.when}</th>
            {actions.map((action) => (
              <th key={action} scope="col">
                {verdicts[action]}
              </th>
            ))}
            <th scope="col">{text.total}</th>
          </tr>
        </thead>
        <tbody>
          {slots.map((slot) => (
            <tr key={slot.at}>
              <th scope="row">
                <time dateTime={slot.at} title={utcOf(slot.at)}>
                  {labelOf(slot)}
                </time>
              </th>
              {actions.map((action) => (
                <td key={action}>{count(slot[countNames[action]])}</td>
              ))}
              <td>{count(slot.evaluations)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
