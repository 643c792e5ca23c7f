import type { ToolCatalogue, WaitingToolChange } from '../../../features/tools/schema.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { confirmed } from '../../data/confirmation.ts';
import { Problem } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface ChangedToolsProps {
  /** Of the tools of the integration in the API. */
  path: string;
  waiting: readonly WaitingToolChange[];
  isAllowed: boolean;
  onAccepted: () => void;
}

/** What servers changed of tools, with a button that accepts exactly what is shown. */
export function ChangedTools({ path, waiting, isAllowed, onAccepted }: ChangedToolsProps) {
  const { tools: text } = words.value.integrations;
  const { error, isBusy, run } = useChange();
  async function accept({ name, digest }: WaitingToolChange) {
    const json = { tools: [{ name, digest }] };
    const sent = await confirmed(() => call<ToolCatalogue>(`${path}/accept`, { method: 'POST', json }));
    if (!sent) return;
    announce(text.accepted(name));
    onAccepted();
  }
  return (
    <section class="note">
      <h3>{text.changedTitle}</h3>
      <p>{text.changedText}</p>
      {error && <Problem error={error} />}
      <Table headings={[text.name, text.field, text.before, text.after, '']}>
        {waiting.flatMap((change) =>
          change.fields.map(({ field, before, after }, place) => (
            <tr key={`${change.name} ${field}`}>
              <th scope="row">
                <Visible text={change.name} />
              </th>
              <td>{text.fields[field]}</td>
              <td>
                <Value of={before} />
              </td>
              <td>
                <Value of={after} />
              </td>
              <td>
                {isAllowed && place === 0 && (
                  <button
                    type="button"
                    class="button small"
                    aria-label={text.acceptOne(change.name)}
                    disabled={isBusy}
                    onClick={() => void run(() => accept(change))}
                  >
                    {text.accept}
                  </button>
                )}
              </td>
            </tr>
          )),
        )}
      </Table>
    </section>
  );
}

function Value({ of: value }: { of: unknown }) {
  if (value === null) return null;
  return (
    <code>
      <Visible text={typeof value === 'string' ? value : JSON.stringify(value)} />
    </code>
  );
}
