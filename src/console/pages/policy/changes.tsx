import type { PolicyChange, PolicyDiff } from '../../../schemas/policies.ts';
import { call } from '../../data/api.ts';
import { useResource } from '../../data/resource.ts';
import { Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface PolicyChangesProps {
  id: string;
  from: number;
  to: number;
}

/** What one version says differently from another: rules, tests and settings, without layout and comments. */
export function PolicyChanges({ id, from, to }: PolicyChangesProps) {
  const { policies: text } = words.value;
  const path = `/v1/policies/${id}/versions/${from}/diff/${to}`;
  const resource = useResource(path, async ({ signal }) => (await call<PolicyDiff>(path, { signal })).data);
  return (
    <Show resource={resource}>
      {({ changes }) =>
        changes.length === 0 ? (
          <p class="quiet">{text.saySame}</p>
        ) : (
          <Table headings={[text.change, text.part, text.before, text.after]}>
            {changes.map((change) => (
              <Row key={`${change.part} ${change.name}`} change={change} />
            ))}
          </Table>
        )
      }
    </Show>
  );
}

function Row({ change: { part, name, change, before, after } }: { change: PolicyChange }) {
  const { policies: text } = words.value;
  return (
    <tr>
      <th scope="row">{text.changeKinds[change]}</th>
      <td>
        {text.parts[part]} <Visible text={name} />
      </td>
      <td>{before !== undefined && <Value of={before} />}</td>
      <td>{after !== undefined && <Value of={after} />}</td>
    </tr>
  );
}

function Value({ of: value }: { of: unknown }) {
  return (
    <code>
      <Visible text={typeof value === 'string' ? value : JSON.stringify(value)} />
    </code>
  );
}
