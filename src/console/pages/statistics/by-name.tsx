import type { StatsSeries } from '../../../schemas/stats.ts';
import type { StatsDimension, StatsUnit } from '../../../schemas/stats-words.ts';
import { now } from '../../data/clock.ts';
import { count, milliseconds } from '../../data/format.ts';
import { nameOfIntegration, nameOfPolicy } from '../../data/names.ts';
import { to } from '../../data/route.ts';
import { slotsOf } from '../../data/series.ts';
import { visibleText } from '../../data/visible-text.ts';
import { Link } from '../../parts/link.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Table } from '../../parts/table.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface CountsByNameProps {
  series: readonly StatsSeries[];
  unit: StatsUnit;
  by: StatsDimension;
}

export function CountsByName({ series, unit, by }: CountsByNameProps) {
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
