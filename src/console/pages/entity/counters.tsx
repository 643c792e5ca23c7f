import type { EntityCounter } from '../../../features/entities/schema.ts';
import { count } from '../../data/format.ts';
import { to } from '../../data/route.ts';
import { Link } from '../../parts/link.tsx';
import { Table } from '../../parts/table.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** What policies count of an entity, as it is now. */
export function EntityCounters({ counters }: { counters: readonly EntityCounter[] }) {
  const { counters: text } = words.value.entities;
  return (
    <section>
      <h2>{text.title}</h2>
      {counters.length === 0 ? (
        <p class="quiet">{text.none}</p>
      ) : (
        <Table headings={[text.name, text.value, text.window, text.policy, text.integration]}>
          {counters.map((counter) => (
            <tr key={`${counter.integrationId} ${counter.policyId} ${counter.name}`}>
              <th scope="row">
                <Visible text={counter.name} />
              </th>
              <td>
                <Value of={counter} />
              </td>
              <td>
                <Visible text={counter.window ?? ''} />
              </td>
              <td>
                <Link href={to('policies', counter.policyId)}>
                  <Visible text={counter.policyName} />
                </Link>
              </td>
              <td>
                <Link href={to('integrations', counter.integrationId)}>
                  <Visible text={counter.integrationName} />
                </Link>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** One number, or into how many it is split, or why there is none. */
function Value({ of: { value, keyCount, splitBy, why } }: { of: EntityCounter }) {
  if (value !== null) return count(value);
  if (keyCount === null) return <Visible text={why ?? ''} />;
  return <Visible text={words.value.entities.counters.split(count(keyCount), splitBy ?? '')} />;
}
