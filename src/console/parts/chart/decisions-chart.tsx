import { count } from '../../data/format.ts';
import { setQuery } from '../../data/route.ts';
import {
  countedActions,
  countNames,
  evaluationsHref,
  type Slot,
  type StatsRange,
  statsPeriods,
} from '../../data/statistics.ts';
import { words } from '../../strings/index.ts';
import { Shape } from '../badges.tsx';
import { Choice } from '../form/field.tsx';
import { Link } from '../link.tsx';
import { Chart, type ChartColumn } from './chart.tsx';

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
