import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CounterReading } from '../../schemas/counter-cells.ts';
import { count, lengthOf, percent } from '../data/format.ts';
import { to } from '../data/route.ts';
import { words } from '../strings/index.ts';
import { StatusName } from './badges.tsx';
import { Link } from './link.tsx';
import { Table } from './list/table.tsx';
import { Visible } from './visible.tsx';

interface CountersProps<C extends CounterReading> {
  counters: readonly C[];
  /** The meaning of an empty list. */
  none: string;
  /** So many are shown at first, those nearest to a limit; all of them when absent. */
  most?: number;
  /** The column that says whose actions are counted. */
  whose: readonly [heading: string, show: (counter: C) => ComponentChildren];
}

/** The counters of policies in force, as they are now, each with the limits that rules set. */
export function Counters<C extends CounterReading>(props: CountersProps<C>) {
  const { counters, none, most = counters.length } = props;
  const [heading, show] = props.whose;
  const { counters: text, bindings, common } = words.value;
  const [isWhole, setWhole] = useState(false);
  const ordered = [...counters].sort((one, other) => usageOf(other) - usageOf(one));
  return (
    <section class="counters" aria-label={text.title}>
      <div class="section-heading">
        <h2>{text.title}</h2>
        {most < counters.length && (
          <button
            type="button"
            class="button small"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? common.less : `${common.more} (${counters.length})`}
          </button>
        )}
      </div>
      {counters.length === 0 ? (
        <p class="quiet">{none}</p>
      ) : (
        <Table headings={[text.name, text.value, text.limits, text.window, heading, text.policy]}>
          {(isWhole ? ordered : ordered.slice(0, most)).map((counter, place) => (
            <tr key={`${place} ${counter.name}`}>
              <th scope="row">
                <Visible text={counter.name} />
              </th>
              <td>
                <Value of={counter} />
              </td>
              <td>
                <Limits of={counter} />
              </td>
              <td>
                <Visible text={windowText(counter.window)} />
              </td>
              <td>{show(counter)}</td>
              <td>
                <Link href={to('policies', counter.policyId)}>
                  <Visible text={counter.policyName} />
                </Link>{' '}
                {counter.mode === 'MONITOR' && <StatusName tone="quiet">{bindings.modes.MONITOR}</StatusName>}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** How far a counter looks back: a length of time, a unit of the calendar, or everything. */
function windowText(window: string | null): string {
  const { everything, calendar } = words.value.counters;
  if (window === null) return everything;
  return calendar[window as keyof typeof calendar] ?? lengthOf(window);
}

/** How much of its nearest limit a counter has used up; less than nothing without a number or limit. */
const usageOf = ({ value, limits }: CounterReading): number =>
  value === null ? -1 : Math.max(-1, ...limits.map((limit) => value / Math.max(limit.value, 1e-9)));

/** One number, or into how many it is split, or why there is none. */
function Value({ of: { value, keyCount, splitBy, why } }: { of: CounterReading }) {
  const { counters: text } = words.value;
  if (value !== null) return count(value);
  if (keyCount !== null) return <Visible text={text.split(count(keyCount), splitBy ?? '')} />;
  return (
    <span class="quiet" title={why ?? ''}>
      {text.notCounted}
    </span>
  );
}

/** How much of each limit is used up. A counter that is split by a value has a number for each: no bar shows them. */
function Limits({ of: { value, limits } }: { of: CounterReading }) {
  const { counters: text, verdicts } = words.value;
  if (limits.length === 0) return <span class="quiet">{text.noLimit}</span>;
  return (
    <ul class="limits">
      {limits.map(({ ruleId, effect, comparison, value: most }) => {
        const does = effect === null ? text.reports : verdicts[effect];
        const isReached = value !== null && (comparison === '>' ? value > most : value >= most);
        return (
          <li key={`${ruleId} ${comparison} ${most}`}>
            <span>
              {text.limit[comparison](count(most), does)}{' '}
              <span class="quiet">
                <Visible text={ruleId} />
              </span>
            </span>
            {value !== null && most > 0 && (
              <span class="limit-use">
                <progress
                  max={most}
                  value={Math.min(value, most)}
                  class={isReached ? 'reached' : ''}
                  aria-label={text.used(percent(value / most))}
                />
                <span class="quiet">{isReached ? text.reached : text.used(percent(value / most))}</span>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
