import type { ComponentChildren } from 'preact';
import type { ReviewStatistics } from '../../features/reviews/schema.ts';
import type { StatsSeries } from '../../features/stats/schema.ts';
import type { StatsDimension, StatsUnit } from '../../features/stats/words.ts';
import type { EnforcementAction } from '../../schemas/decisions.ts';
import { call } from '../data/api.ts';
import { now } from '../data/clock.ts';
import { count, countdown, dateOf, milliseconds, timeOf, utcOf } from '../data/format.ts';
import { nameOfIntegration, nameOfPolicy } from '../data/names.ts';
import { useResource } from '../data/resource.ts';
import { choiceInUrl, setQuery, to } from '../data/route.ts';
import { visibleText } from '../data/visible-text.ts';
import { Numbers, Shape } from '../parts/badges.tsx';
import { Choice } from '../parts/form.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

type Counts = Omit<StatsSeries, 'name' | 'points'>;
type Slot = StatsSeries['points'][number];

/** What a decision is called in the statistics, mildest first. */
const countNames = {
  ALLOW: 'allowed',
  WARN: 'warned',
  APPROVAL_REQUIRED: 'held',
  BLOCK: 'blocked',
} as const satisfies Record<EnforcementAction, keyof Counts>;

const widthMs: Readonly<Record<StatsUnit, number>> = { hour: 3_600_000, day: 86_400_000 };
const slotCounts: Readonly<Record<StatsUnit, number>> = { hour: 24, day: 30 };

/** The hours or days up to now, oldest first, with what all series counted in each. */
function slotsOf(series: readonly StatsSeries[], unit: StatsUnit, now: number): Slot[] {
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
function Chart({ name, unit, slots, height, partsOf, show, columns, children }: ChartProps) {
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

interface CountsByNameProps {
  series: readonly StatsSeries[];
  unit: StatsUnit;
  by: StatsDimension;
}

function CountsByName({ series, unit, by }: CountsByNameProps) {
  const { statistics: text, verdicts } = words.value;
  return (
    <>
      <Table
        headings={[
          text.name,
          text.course,
          text.total,
          verdicts.ALLOW,
          verdicts.WARN,
          verdicts.APPROVAL_REQUIRED,
          verdicts.BLOCK,
          text.mean,
        ]}
      >
        {series.map((one) => (
          <tr key={one.name}>
            <th scope="row">
              <Name name={one.name} by={by} />
            </th>
            <td>
              <Sparkline
                counts={slotsOf([one], unit, now.value).map(({ evaluations }) => evaluations)}
                label={text.courseOf(visibleText(one.name), one.evaluations)}
              />
            </td>
            <td>{count(one.evaluations)}</td>
            <td>{count(one.allowed)}</td>
            <td>{count(one.warned)}</td>
            <td>{count(one.held)}</td>
            <td>{count(one.blocked)}</td>
            <td>{one.latency ? milliseconds(one.latency.meanMs) : '–'}</td>
          </tr>
        ))}
      </Table>
      <p class="quiet">{text.most}</p>
    </>
  );
}

/** What is counted by id has a page, and a name there. */
function Name({ name, by }: { name: string; by: StatsDimension }) {
  const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name);
  if (!isId) return <Visible text={name} />;
  switch (by) {
    case 'integration':
      return (
        <Link href={to('integrations', name)}>
          <Visible text={nameOfIntegration(name) ?? `…${name.slice(-8)}`} />
        </Link>
      );
    case 'policy':
      return (
        <Link href={to('policies', name)}>
          <Visible text={nameOfPolicy(name) ?? `…${name.slice(-8)}`} />
        </Link>
      );
    case 'entity':
      return <Link href={to('entities', name)}>…{name.slice(-8)}</Link>;
    default:
      return <Visible text={name} />;
  }
}

const actions = Object.keys(countNames) as EnforcementAction[];

interface OverTimeProps {
  series: readonly StatsSeries[];
  unit: StatsUnit;
}

/** What was decided in each hour or day, and how long a decision took. */
function OverTime({ series, unit }: OverTimeProps) {
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

const reviewsEveryMs = 15_000;
const durationOf = (ms: number | null): string => (ms === null ? '–' : countdown(ms));

/** How reviews ended, and how long agents waited for them. */
function ReviewNumbers() {
  const { statistics: text } = words.value;
  const resource = useResource(
    'review statistics',
    async ({ signal, background }) =>
      (await call<ReviewStatistics>('/v1/reviews/stats', { signal, background })).data,
    { everyMs: reviewsEveryMs },
  );
  return (
    <section>
      <h2>{text.reviews}</h2>
      <Show resource={resource}>
        {(found) => (
          <Numbers
            of={[
              [text.pending, count(found.pendingCount)],
              [text.approved, count(found.approvedCount)],
              [text.rejected, count(found.rejectedCount)],
              [text.cancelled, count(found.cancelledCount)],
              [text.expired, count(found.expiredCount)],
              [text.unseen, count(found.expiredUnseenCount)],
              [text.p50, durationOf(found.timeToDecisionMs.p50)],
              [text.p90, durationOf(found.timeToDecisionMs.p90)],
            ]}
          />
        )}
      </Show>
    </section>
  );
}

const units: readonly StatsUnit[] = ['hour', 'day'];
const dimensions: readonly StatsDimension[] = ['integration', 'policy', 'rule', 'tool', 'tag', 'entity'];
const everyMs = 10_000;

export function StatisticsPage() {
  const { statistics: text } = words.value;
  const unit = choiceInUrl('unit', units) ?? 'hour';
  const by = choiceInUrl('by', dimensions) ?? 'integration';
  return (
    <>
      <Heading title={text.title}>
        <Choice
          label={text.unit}
          value={unit}
          choices={units.map((one) => [one, text.units[one]])}
          onChoose={(next) => setQuery({ unit: next === 'hour' ? null : next })}
        />
      </Heading>
      <div class="statistics">
        <AllOverTime unit={unit} />
        <section>
          <div class="section-heading">
            <h2>{text.decisions}</h2>
            <Choice
              label={text.by}
              value={by}
              choices={dimensions.map((one) => [one, text.dimensions[one]])}
              onChoose={(next) => setQuery({ by: next === 'integration' ? null : next })}
            />
          </div>
          <ByName unit={unit} by={by} />
        </section>
        <ReviewNumbers />
      </div>
    </>
  );
}

const useSeries = (unit: StatsUnit, by: StatsDimension) =>
  useResource(
    `statistics ${unit} ${by}`,
    async ({ signal, background }) =>
      (await call<StatsSeries[]>('/v1/stats', { query: { unit, by }, signal, background })).data,
    { everyMs },
  );

function AllOverTime({ unit }: { unit: StatsUnit }) {
  const { statistics: text } = words.value;
  // Each evaluation has one integration: theirs together are all of them.
  const resource = useSeries(unit, 'integration');
  return (
    <section>
      <h2>{unit === 'hour' ? text.perHour : text.perDay}</h2>
      <Show resource={resource}>
        {(series) =>
          series.length === 0 ? <Empty title={text.none} /> : <OverTime series={series} unit={unit} />
        }
      </Show>
    </section>
  );
}

function ByName({ unit, by }: { unit: StatsUnit; by: StatsDimension }) {
  const { statistics: text } = words.value;
  const resource = useSeries(unit, by);
  return (
    <Show resource={resource}>
      {(series) =>
        series.length === 0 ? (
          <Empty title={text.noneBy} />
        ) : (
          <CountsByName series={series} unit={unit} by={by} />
        )
      }
    </Show>
  );
}
