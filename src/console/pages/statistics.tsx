import type { StatsSeries } from '../../schemas/stats.ts';
import type { StatsDimension, StatsUnit } from '../../schemas/stats-words.ts';
import { call } from '../data/api.ts';
import { useResource } from '../data/resource.ts';
import { choiceInUrl, setQuery } from '../data/route.ts';
import { Choice } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { words } from '../strings/index.ts';
import { CountsByName } from './statistics/by-name.tsx';
import { OverTime } from './statistics/over-time.tsx';
import { ReviewNumbers } from './statistics/reviews.tsx';

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
