import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StatsUnit } from '../../features/stats/words.ts';
import { count, dateOf, dayAndTimeOf, timeOf, utcOf } from '../data/format.ts';
import { go, query, setQuery } from '../data/route.ts';
import {
  countedActions,
  countNames,
  evaluationsHref,
  type Slot,
  type StatsRange,
  statsPeriods,
  timeOfMs,
  unitMs,
} from '../data/statistics.ts';
import { words } from '../strings/index.ts';
import { Shape } from './badges.tsx';
import { Choice } from './form/field.tsx';
import { Link } from './link.tsx';

/** In the units of the drawing. `left` of the bars are the values of the grid. */
const wide = { width: 960, left: 56, labels: 7 };
const narrow = { width: 340, left: 44, labels: 3 };
const isNarrow = matchMedia('(width < 640px)');
const size = signal(isNarrow.matches ? narrow : wide);
isNarrow.addEventListener('change', () => {
  size.value = isNarrow.matches ? narrow : wide;
});
/** Below the bars, for the hours or days. */
const footer = 22;
/** Above the highest line of the grid, for half of its number and the name of the axis. */
const top = 26;

/** A column of the table: a heading, and the text of each slot. */
export type ChartColumn = readonly [heading: string, of: (slot: Slot) => string];

interface ChartProps {
  name: string;
  /** The name of the value axis: the unit of the bars. */
  axis: string;
  unit: StatsUnit;
  slots: readonly Slot[];
  height: number;
  /** The parts of a bar, from below: a class and a value of each part. */
  partsOf: (slot: Slot) => readonly (readonly [tone: string, value: number])[];
  show: (value: number) => string;
  columns: readonly ChartColumn[];
  /** Above the bars. */
  children?: ComponentChildren;
}

const steps = [1, 2, 5, 10];
const mostLines = 4;

/** Round values from 0 to the first that is not below the greatest one. */
function gridOf(greatest: number): number[] {
  const least = greatest / mostLines || 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (steps.find((one) => one * power >= least) ?? 10) * power;
  return Array.from({ length: Math.max(1, Math.ceil(greatest / step)) + 1 }, (_, line) => line * step);
}

/**
 * A bar for each hour or day: the pointer shows its values, a press opens its evaluations, and drawing over several zooms to
 * them. The table below has the same for the keyboard.
 */
export function Chart(props: ChartProps) {
  const { name, axis, unit, slots, height, partsOf, show, columns, children } = props;
  const { chart: text } = words.value;
  const { width, left, labels } = size.value;
  const totals = slots.map((slot) => partsOf(slot).reduce((sum, [, value]) => sum + value, 0));
  const grid = gridOf(Math.max(...totals));
  const scale = (height - top) / (grid.at(-1) ?? 1);
  const step = (width - left) / slots.length;
  const { svg, pointed, drawn } = usePointer(slots, unit);
  // Names of every bar would overlap.
  const every = Math.ceil(slots.length / labels);
  const isLong = slots.length > 48;
  const shown = pointed === null ? undefined : slots[pointed];
  return (
    <figure class="chart">
      <div class="chart-head">
        {children}
        <p class="chart-value">
          {shown ? (
            <>
              <strong>{spanText(shown, unit)}</strong>{' '}
              {columns.map(([heading, of]) => `${heading} ${of(shown)}`).join(' · ')}
            </>
          ) : (
            <span class="quiet">{text.hint}</span>
          )}
        </p>
        <WholePeriod />
      </div>
      <svg ref={svg} viewBox={`0 0 ${width} ${height + footer}`} role="img" aria-label={name}>
        <text class="axis" x={0} y={11}>
          {axis}
        </text>
        {grid.map((value) => (
          <g key={value} class="axis">
            <line x1={left} x2={width} y1={height - value * scale} y2={height - value * scale} />
            <text x={left - 8} y={height - value * scale + 4} text-anchor="end">
              {show(value)}
            </text>
          </g>
        ))}
        {drawn && (
          <rect
            class="drawn"
            x={left + drawn[0] * step}
            y={top}
            width={(drawn[1] - drawn[0] + 1) * step}
            height={height - top}
          />
        )}
        {slots.map((slot, place) => (
          <g key={slot.at} class={place === pointed ? 'pointed' : undefined}>
            <Bar
              parts={partsOf(slot)}
              scale={scale}
              x={left + place * step + step * 0.12}
              bottom={height}
              width={step * 0.76}
            />
            {place % every === 0 && (
              <text class="axis" x={left + place * step + step / 2} y={height + 16} text-anchor="middle">
                {labelOf(slot, unit, isLong)}
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

/** Back from the hours that were zoomed to. */
function WholePeriod() {
  if (!query.value.has('from')) return null;
  return (
    <button type="button" class="button small" onClick={() => setQuery({ from: null, to: null })}>
      {words.value.chart.whole}
    </button>
  );
}

/** Where the pointer is, and over what it was drawn since it was pressed. */
function usePointer(slots: readonly Slot[], unit: StatsUnit) {
  const svg = useRef<SVGSVGElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const [pressed, setPressed] = useState<number | null>(null);
  const latest = useRef({ slots, pressed });
  latest.current = { slots, pressed };
  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const placeOf = (event: PointerEvent): number => {
      const box = element.getBoundingClientRect();
      const { width, left } = size.value;
      const x = ((event.clientX - box.left) / box.width) * width - left;
      const count = latest.current.slots.length;
      return Math.min(count - 1, Math.max(0, Math.floor((x / (width - left)) * count)));
    };
    const move = (event: PointerEvent) => setPointed(placeOf(event));
    const leave = () => {
      setPointed(null);
      setPressed(null);
    };
    const press = (event: PointerEvent) => {
      if (event.button === 0) setPressed(placeOf(event));
    };
    const release = (event: PointerEvent) => {
      const { pressed: start, slots: all } = latest.current;
      setPressed(null);
      if (start === null) return;
      const [first, last] = [start, placeOf(event)].sort((one, other) => one - other);
      const range = {
        from: Date.parse(all[first ?? 0]?.at ?? ''),
        to: Date.parse(all[last ?? 0]?.at ?? '') + unitMs[unit],
      };
      if (first === last) go(evaluationsHref(range));
      else setQuery({ from: timeOfMs(range.from), to: timeOfMs(range.to) });
    };
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('pointerdown', press);
    element.addEventListener('pointerup', release);
    return () => {
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('pointerdown', press);
      element.removeEventListener('pointerup', release);
    };
  }, [unit]);
  const drawn =
    pressed === null || pointed === null || pressed === pointed
      ? null
      : ([Math.min(pressed, pointed), Math.max(pressed, pointed)] as const);
  return { svg, pointed, drawn };
}

function labelOf({ at }: Slot, unit: StatsUnit, isLong: boolean): string {
  if (unit === 'day') return dateOf(at);
  return isLong ? dayAndTimeOf(at) : timeOf(at).slice(0, 5);
}

function spanText({ at }: Slot, unit: StatsUnit): string {
  if (unit === 'day') return `${dateOf(at)}:`;
  return `${dayAndTimeOf(at)}–${timeOf(timeOfMs(Date.parse(at) + unitMs.hour)).slice(0, 5)}:`;
}

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
            <th scope="col">{words.value.chart.when}</th>
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
                <Link href={hrefOf(slot, unit)}>
                  <time dateTime={slot.at} title={utcOf(slot.at)}>
                    {labelOf(slot, unit, true)}
                  </time>
                </Link>
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

function hrefOf({ at }: Slot, unit: StatsUnit): string {
  const from = Date.parse(at);
  return evaluationsHref({ from, to: from + unitMs[unit] });
}

/** The decisions in each hour or day. The names above lead to the evaluations of one decision. */
export function DecisionsChart({ range, slots }: { range: StatsRange; slots: readonly Slot[] }) {
  const { chart: text, verdicts } = words.value;
  return (
    <Chart
      axis={words.value.nav.evaluations}
      name={range.unit === 'hour' ? text.perHour : text.perDay}
      unit={range.unit}
      slots={slots}
      height={200}
      partsOf={(slot) => countedActions.map((action) => [action, slot[countNames[action]]])}
      show={count}
      columns={[
        ...countedActions.map(
          (action): ChartColumn => [verdicts[action], (slot) => count(slot[countNames[action]])],
        ),
        [text.total, (slot) => count(slot.evaluations)],
      ]}
    >
      <ul class="legend">
        {countedActions.map((action) => (
          <li key={action}>
            <Link href={evaluationsHref(range, { decision: action })}>
              <Shape action={action} /> {verdicts[action]}
            </Link>
          </li>
        ))}
      </ul>
    </Chart>
  );
}

/** The period that numbers and charts are of. */
export function PeriodChoice({ range }: { range: StatsRange }) {
  const { chart: text } = words.value;
  return (
    <Choice
      label={text.period}
      value={range.period ?? 'none'}
      choices={statsPeriods.map((one) => [one, text.periods[one]])}
      onChoose={(next) => setQuery({ period: next === 'day' ? null : next, from: null, to: null })}
    />
  );
}

interface SparklineProps {
  counts: readonly number[];
  label: string;
}

const sparkline = { width: 120, height: 28 };

/** Counts over time, as bars: few decisions a minute are no line. */
export function Sparkline({ counts, label }: SparklineProps) {
  const most = Math.max(1, ...counts);
  const { width, height } = sparkline;
  const step = width / counts.length;
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {counts.map((value, place) => {
        const tall = value === 0 ? 1 : Math.max(3, (value / most) * height);
        return (
          <rect
            key={place}
            x={place * step + step * 0.1}
            y={height - tall}
            width={step * 0.8}
            height={tall}
            opacity={value === 0 ? 0.35 : 1}
          />
        );
      })}
    </svg>
  );
}
