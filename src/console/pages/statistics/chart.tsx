import type { ComponentChildren } from 'preact';
import type { StatsUnit } from '../../../schemas/stats-words.ts';
import { dateOf, timeOf, utcOf } from '../../data/format.ts';
import type { Slot } from '../../data/series.ts';
import { words } from '../../strings/index.ts';

const isNarrow = matchMedia('(width < 640px)').matches;
const width = isNarrow ? 340 : 960;
/** Below the bars, for the hours or days. */
const footer = 22;
/** Below the top line, so that its number has room. */
const top = 18;

/** Of the table. */
export type Column = readonly [heading: string, of: (slot: Slot) => string];

interface ChartProps {
  name: string;
  unit: StatsUnit;
  slots: readonly Slot[];
  height: number;
  /** What a bar is made of, from below: a class and a value of each part. */
  partsOf: (slot: Slot) => readonly (readonly [tone: string, value: number])[];
  show: (value: number) => string;
  columns: readonly Column[];
  /** Above the bars. */
  children?: ComponentChildren;
}

/** A bar for each hour or day, and the same as a table. */
export function Chart({ name, unit, slots, height, partsOf, show, columns, children }: ChartProps) {
  const { statistics: text } = words.value;
  const totals = slots.map((slot) => partsOf(slot).reduce((sum, [, value]) => sum + value, 0));
  const most = Math.max(...totals) || 1;
  const step = width / slots.length;
  // Names of every bar would overlap.
  const every = Math.ceil(slots.length / (isNarrow ? 4 : 8));
  return (
    <figure class="chart">
      {children}
      <svg viewBox={`0 0 ${width} ${height + footer}`} role="img" aria-label={name}>
        <text class="axis" x="0" y="12">
          {show(most)}
        </text>
        <line class="axis" x1="0" x2={width} y1={height} y2={height} />
        {slots.map((slot, place) => (
          <g key={slot.at}>
            <title>{`${labelOf(slot, unit)}: ${show(totals[place] ?? 0)}`}</title>
            <Bar
              parts={partsOf(slot)}
              scale={(height - top) / most}
              x={place * step + 2}
              bottom={height}
              width={step - 4}
            />
            {place % every === 0 && (
              <text
                class="axis"
                x={place === 0 ? 0 : place * step + step / 2}
                y={height + 16}
                text-anchor={place === 0 ? 'start' : 'middle'}
              >
                {labelOf(slot, unit)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <details>
        <summary>{text.asTable}</summary>
        <SlotTable slots={slots} unit={unit} columns={columns} />
      </details>
    </figure>
  );
}

const labelOf = ({ at }: Slot, unit: StatsUnit): string =>
  unit === 'hour' ? timeOf(at).slice(0, 5) : dateOf(at);

interface BarProps {
  parts: ReturnType<ChartProps['partsOf']>;
  scale: number;
  x: number;
  bottom: number;
  width: number;
}

function Bar({ parts, scale, x, bottom, width }: BarProps) {
  let y = bottom;
  return parts.map(([tone, value]) => {
    const tall = value * scale;
    y -= tall;
    return tall > 0 && <rect key={tone} class={`bar ${tone}`} x={x} y={y} width={width} height={tall} />;
  });
}

function SlotTable({ slots, unit, columns }: Pick<ChartProps, 'slots' | 'unit' | 'columns'>) {
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">{words.value.statistics.when}</th>
            {columns.map(([heading]) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {slots.map((slot) => (
            <tr key={slot.at}>
              <th scope="row">
                <time dateTime={slot.at} title={utcOf(slot.at)}>
                  {labelOf(slot, unit)}
                </time>
              </th>
              {columns.map(([heading, of]) => (
                <td key={heading}>{of(slot)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
