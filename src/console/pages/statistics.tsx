import type { ReviewStatistics } from '../../features/reviews/schema.ts';
import type { StatsSeries } from '../../features/stats/schema.ts';
import type { StatsDimension } from '../../features/stats/words.ts';
import type { EnforcementAction } from '../../schemas/decisions.ts';
import { call } from '../data/api.ts';
import { count, countdown, milliseconds } from '../data/format.ts';
import { nameOfEntity, nameOfIntegration, nameOfPolicy } from '../data/names.ts';
import { useResource } from '../data/resource.ts';
import { choiceInUrl, setQuery, to } from '../data/route.ts';
import {
  countedActions,
  countNames,
  evaluationsHref,
  filterOfName,
  readStats,
  type StatsRange,
  slotsOf,
  statsRangeInUrl,
} from '../data/statistics.ts';
import { visibleText } from '../data/visible-text.ts';
import { Numbers } from '../parts/badges.tsx';
import { Chart, DecisionsChart, PeriodChoice, Sparkline } from '../parts/chart.tsx';
import { Choice } from '../parts/form/field.tsx';
import { Heading } from '../parts/frame/heading.tsx';
import { Link } from '../parts/link.tsx';
import { ListTable } from '../parts/list/list.tsx';
import type { Column } from '../parts/list/table.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

interface CountsByNameProps {
  range: StatsRange;
  by: StatsDimension;
}

function columnsOf(range: StatsRange, by: StatsDimension): Column<StatsSeries>[] {
  const { statistics: text, chart, verdicts } = words.value;
  return [
    {
      id: 'name',
      heading: text.name,
      value: ({ name }) => name,
      show: ({ name }) => <Name name={name} by={by} />,
    },
    {
      id: 'course',
      heading: text.course,
      value: ({ evaluations }) => evaluations,
      show: (one) => (
        <Sparkline
          counts={slotsOf([one], range).map(({ evaluations }) => evaluations)}
          label={text.courseOf(visibleText(one.name), one.evaluations)}
        />
      ),
    },
    {
      id: 'total',
      heading: chart.total,
      kind: 'number',
      value: ({ evaluations }) => evaluations,
      show: ({ name, evaluations }) => <Counted value={evaluations} range={range} by={by} name={name} />,
    },
    ...countedActions.map(
      (action): Column<StatsSeries> => ({
        id: countNames[action],
        heading: verdicts[action],
        kind: 'number',
        value: (one) => one[countNames[action]],
        show: (one) => (
          <Counted value={one[countNames[action]]} range={range} by={by} name={one.name} decision={action} />
        ),
      }),
    ),
    {
      id: 'mean',
      heading: chart.mean,
      kind: 'number',
      value: ({ latency }) => latency?.meanMs ?? 0,
      show: ({ latency }) => (latency ? milliseconds(latency.meanMs) : '–'),
    },
  ];
}

interface CountedProps extends CountsByNameProps {
  value: number;
  name: string;
  decision?: EnforcementAction;
}

/** A number that leads to the evaluations that it counts. */
function Counted({ value, range, by, name, decision }: CountedProps) {
  const filter = filterOfName(by, name);
  if (filter === null || value === 0) return count(value);
  return (
    <Link href={evaluationsHref(range, { ...filter, ...(decision && { decision }) })}>{count(value)}</Link>
  );
}

/** A name; one that is counted by id leads to its page. */
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
      return (
        <Link href={to('entities', name)}>
          <Visible text={nameOfEntity(name) ?? `…${name.slice(-8)}`} />
        </Link>
      );
    default:
      return <Visible text={name} />;
  }
}

/** The decisions in each hour or day, and how long a decision took. */
function OverTime({ series, range }: { series: readonly StatsSeries[]; range: StatsRange }) {
  const { statistics: text, chart } = words.value;
  const slots = slotsOf(series, range);
  const shownMs = (ms: number | undefined) => (ms === undefined ? '–' : milliseconds(ms));
  return (
    <>
      <DecisionsChart range={range} slots={slots} />
      <h2>{text.latency}</h2>
      <p class="quiet">{text.latencyText}</p>
      <Chart
        axis={chart.mean}
        name={text.latency}
        unit={range.unit}
        slots={slots}
        height={110}
        partsOf={({ latency }) => [['latency', latency?.meanMs ?? 0]]}
        show={milliseconds}
        columns={[
          [chart.mean, ({ latency }) => shownMs(latency?.meanMs)],
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

const dimensions: readonly StatsDimension[] = ['integration', 'policy', 'rule', 'tool', 'tag', 'entity'];
const everyMs = 10_000;

export function StatisticsPage() {
  const { statistics: text } = words.value;
  const range = statsRangeInUrl();
  const by = choiceInUrl('by', dimensions) ?? 'integration';
  return (
    <>
      <Heading title={text.title}>
        <PeriodChoice range={range} />
      </Heading>
      <div class="statistics">
        <AllOverTime range={range} />
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
          <ByName range={range} by={by} />
        </section>
        <ReviewNumbers />
      </div>
    </>
  );
}

const useSeries = (range: StatsRange, by: StatsDimension) =>
  useResource(
    `statistics ${JSON.stringify(range)} ${by}`,
    async (options) => {
      const data = await readStats(by, range, options);
      return { data, pagination: { total: data.length, page: 1, size: data.length } };
    },
    { everyMs },
  );

function AllOverTime({ range }: { range: StatsRange }) {
  const { statistics: text, chart } = words.value;
  const resource = useSeries(range, 'integration');
  return (
    <section>
      <h2>{range.unit === 'hour' ? chart.perHour : chart.perDay}</h2>
      <Show resource={resource}>
        {({ data }) =>
          data.length === 0 ? <Empty title={text.none} /> : <OverTime series={data} range={range} />
        }
      </Show>
    </section>
  );
}

function ByName({ range, by }: CountsByNameProps) {
  const { statistics: text } = words.value;
  return (
    <ListTable
      title={text.decisions}
      columns={columnsOf(range, by)}
      keyOf={({ name }) => name}
      resource={useSeries(range, by)}
      none={() => text.noneBy}
      pager={() => <span class="quiet">{text.most}</span>}
    />
  );
}
