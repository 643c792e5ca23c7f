import { useState } from 'preact/hooks';
import type {
  CatalogueTool,
  ImportedTools,
  OnChange,
  ReadToolCatalogue,
  ToolCatalogue,
  ToolEffect,
  UndescribedTool,
  WaitingToolChange,
} from '../../../features/tools/schema.ts';
import { onChangeModes, toolEffects } from '../../../features/tools/words.ts';
import { ApiError, call } from '../../data/api.ts';
import { announce, useChange } from '../../data/change.ts';
import { confirmed, may } from '../../data/operator/sign-in.ts';
import { useResource } from '../../data/resource.ts';
import { Dialog } from '../../parts/form/dialog.tsx';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import { Table } from '../../parts/list/table.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface ChangedToolsProps {
  /** The path of the integration's tools in the API. */
  path: string;
  waiting: readonly WaitingToolChange[];
  isAllowed: boolean;
  onAccepted: () => void;
}

/** The changes that servers made to tools, with a button that accepts exactly what is shown. */
function ChangedTools({ path, waiting, isAllowed, onAccepted }: ChangedToolsProps) {
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

/** Adds tools: what an MCP server lists, or the whole response that contains it, a list of another API, or OpenAPI. */
function ImportTools({ path, onEnd }: { path: string; onEnd: () => void }) {
  const { tools: text } = words.value.integrations;
  const [refused, setRefused] = useState<ImportedTools['refused']>([]);

  async function send({ json, server }: { json: string; server: string }) {
    const listed = resultOf(json);
    const named = server.trim() === '' ? listed : { ...(listed as object), server: server.trim() };
    const found = await confirmed(() =>
      call<ImportedTools>(`${path}/import`, { method: 'POST', json: named }),
    );
    if (!found) return false;
    const { tools, refused } = found.data;
    announce(text.imported(tools.length));
    if (refused.length === 0) onEnd();
    else setRefused(refused);
    return true;
  }
  if (refused.length > 0) {
    return (
      <Dialog title={text.import} onClose={onEnd}>
        <p>{text.refused}</p>
        <ul>
          {refused.map(({ index, name, reason }) => (
            <li key={index}>
              <Visible text={`${name ?? index + 1}: ${reason}`} />
            </li>
          ))}
        </ul>
      </Dialog>
    );
  }
  return (
    <Dialog title={text.import} onClose={onEnd}>
      <FieldsForm
        submitLabel={text.import}
        onCancel={onEnd}
        initial={{ json: '', server: '' }}
        fields={() => [
          { name: 'server', at: '/server', label: text.server, hint: text.serverHint },
          { name: 'json', at: '', label: text.json, hint: text.importText, rows: 10, required: true },
        ]}
        onSubmit={send}
      />
    </Dialog>
  );
}

function resultOf(text: string): unknown {
  const { notJson } = words.value.integrations.tools;
  try {
    const value = JSON.parse(text);
    if (Array.isArray(value)) return { tools: value };
    return value?.paths ? { openapi: value } : (value?.result ?? value);
  } catch {
    throw new ApiError(400, [{ code: 'invalid', message: notJson }]);
  }
}

/** The tools of an integration, as rules read them. */
export function ToolCatalogueSection({ integrationId }: { integrationId: string }) {
  const { tools: text } = words.value.integrations;
  const [importing, setImporting] = useState(false);
  const { error, isBusy, run } = useChange();
  const path = `/v1/integrations/${integrationId}/tools`;
  const resource = useResource(
    path,
    async ({ signal }) => (await call<ReadToolCatalogue>(path, { signal })).data,
  );
  async function propose(tools: readonly UndescribedTool[]) {
    const sent = await confirmed(() =>
      call<ImportedTools>(`${path}/import`, { method: 'POST', json: { tools } }),
    );
    if (!sent) return;
    // A tool that a server adds is held, and one that is called already is not until the operator asks for it.
    const names = new Set(tools.map(({ name }) => name));
    const added = sent.data.waiting.filter(({ name, change }) => change === 'ADDED' && names.has(name));
    const json = { tools: added.map(({ name, digest }) => ({ name, digest })) };
    if (added.length > 0)
      await confirmed(() => call<ToolCatalogue>(`${path}/accept`, { method: 'POST', json }));
    announce(text.imported(sent.data.tools.length));
    resource.reload();
  }
  async function put(catalogue: { tools: readonly CatalogueTool[]; onChange?: OnChange }) {
    if (!(await confirmed(() => call<ToolCatalogue>(path, { method: 'PUT', json: catalogue })))) return;
    announce(text.saved);
    resource.reload();
  }
  const isAllowed = may('bindings:write');
  return (
    <section>
      <div class="section-heading">
        <h2>{text.title}</h2>
        {isAllowed && (
          <button type="button" class="button small" onClick={() => setImporting(true)}>
            {text.import}
          </button>
        )}
      </div>
      <p class="quiet">{text.text}</p>
      {error && <Problem error={error} />}
      <Show resource={resource}>
        {({ tools, waiting, seen, undescribed, warnings, onChange }) => (
          <>
            {warnings.length > 0 && (
              <section class="note">
                <h3>{text.warningsTitle}</h3>
                <ul>
                  {warnings.map(({ name, kind, part, excerpt }) => (
                    <li key={`${name} ${part} ${kind}`}>
                      <Visible text={`${name}, ${text.fields[part]}: ${text.warningKinds[kind]}`} />{' '}
                      <code>
                        <Visible text={excerpt} />
                      </code>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {waiting.length > 0 && (
              <ChangedTools
                path={path}
                waiting={waiting}
                isAllowed={isAllowed}
                onAccepted={resource.reload}
              />
            )}
            {seen.length > 0 && (
              <SeenTools
                tools={seen}
                isBusy={isBusy}
                onAdd={isAllowed ? (tool) => void run(() => put({ tools: [...tools, tool] })) : null}
              />
            )}
            {undescribed.length > 0 && (
              <p class="note">
                <Visible
                  text={text.called(undescribed.length, undescribed.map(({ name }) => name).join(', '))}
                />{' '}
                {isAllowed && (
                  <button
                    type="button"
                    class="button small"
                    disabled={isBusy}
                    onClick={() => void run(() => propose(undescribed))}
                  >
                    {text.propose}
                  </button>
                )}
              </p>
            )}
            {tools.length === 0 ? (
              <p class="quiet">{text.none}</p>
            ) : (
              <>
                <Proposals
                  tools={tools}
                  isBusy={isBusy}
                  onConfirm={isAllowed ? () => void run(() => put({ tools: tools.map(asConfirmed) })) : null}
                />
                <ToolTable
                  tools={tools}
                  isBusy={isBusy}
                  onPut={isAllowed ? (next) => void run(() => put({ tools: next })) : null}
                />
                <label class="field">
                  {text.onChange}
                  <select
                    value={onChange}
                    disabled={isBusy || !isAllowed}
                    onChange={(event) => {
                      const chosen = event.currentTarget.value as OnChange;
                      void run(() => put({ tools, onChange: chosen }));
                    }}
                  >
                    {onChangeModes.map((mode) => (
                      <option key={mode} value={mode}>
                        {text.onChangeModes[mode]}
                      </option>
                    ))}
                  </select>
                </label>
              </>
            )}
          </>
        )}
      </Show>
      {importing && (
        <ImportTools
          path={path}
          onEnd={() => {
            setImporting(false);
            resource.reload();
          }}
        />
      )}
    </section>
  );
}

interface SeenToolsProps {
  tools: readonly CatalogueTool[];
  isBusy: boolean;
  /** Null when the viewer may not. */
  onAdd: ((tool: CatalogueTool) => void) | null;
}

/** The tools that servers list to the MCP proxy, and that no operator described. */
function SeenTools({ tools, isBusy, onAdd }: SeenToolsProps) {
  const { tools: text } = words.value.integrations;
  return (
    <details>
      <summary>{text.seen(tools.length)}</summary>
      <Table headings={[text.name, text.about, '']}>
        {tools.map((tool) => (
          <tr key={tool.name}>
            <th scope="row">
              <Visible text={tool.name} />
            </th>
            <td>
              <Visible text={tool.description ?? ''} />
            </td>
            <td>
              {onAdd && (
                <button
                  type="button"
                  class="button small"
                  aria-label={text.addOne(tool.name)}
                  disabled={isBusy}
                  onClick={() => onAdd(tool)}
                >
                  {text.add}
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

/** As an operator says it, and no longer as it was proposed. */
const asConfirmed = ({ proposed: _, ...tool }: CatalogueTool): CatalogueTool => tool;

/** Whether rules about what leaves take it as not described: it may send or change something, and nothing says where or what. */
const isUndescribed = ({ effect, destinations, identifiers }: CatalogueTool): boolean =>
  effect !== 'READ' && destinations === undefined && identifiers === undefined;

interface ProposalsProps {
  tools: readonly CatalogueTool[];
  isBusy: boolean;
  onConfirm: (() => void) | null;
}

/** How many tools nobody has looked at yet. */
function Proposals({ tools, isBusy, onConfirm }: ProposalsProps) {
  const { tools: text } = words.value.integrations;
  const proposed = tools.filter((tool) => tool.proposed).length;
  const undescribed = tools.filter(isUndescribed).length;
  if (proposed + undescribed === 0) return null;
  return (
    <p class="note">
      {[proposed > 0 && text.proposals(proposed), undescribed > 0 && text.undescribed(undescribed)]
        .filter(Boolean)
        .join(' ')}{' '}
      {proposed > 0 && onConfirm && (
        <button type="button" class="button small" disabled={isBusy} onClick={onConfirm}>
          {text.confirmAll}
        </button>
      )}
    </p>
  );
}

interface ToolTableProps {
  tools: readonly CatalogueTool[];
  isBusy: boolean;
  /** Null when the viewer may not. */
  onPut: ((tools: readonly CatalogueTool[]) => void) | null;
}

function ToolTable({ tools, isBusy, onPut }: ToolTableProps) {
  const { tools: text } = words.value.integrations;
  const change = (name: string, effect: ToolEffect) =>
    onPut?.(tools.map((tool) => (tool.name === name ? { ...asConfirmed(tool), effect } : tool)));
  return (
    <Table headings={[text.name, text.effect, text.about, text.details]}>
      {tools.map((tool) => (
        <tr key={tool.name}>
          <th scope="row">
            <Visible text={[tool.name, ...(tool.aliases ?? [])].join(', ')} />
          </th>
          <td>
            {onPut ? (
              <select
                aria-label={text.effectOf(tool.name)}
                value={tool.effect}
                disabled={isBusy}
                onChange={(event) => change(tool.name, event.currentTarget.value as ToolEffect)}
              >
                {toolEffects.map((effect) => (
                  <option key={effect} value={effect}>
                    {text.effects[effect]}
                  </option>
                ))}
              </select>
            ) : (
              text.effects[tool.effect]
            )}
          </td>
          <td>
            <Visible text={tool.description ?? ''} />
          </td>
          <td>
            <Visible text={argumentsOf(tool)} />{' '}
            {tool.proposed && (
              <details>
                <summary>{text.proposal}</summary>
                <Visible
                  text={tool.proposed
                    .map(({ field, reason }) => `${text.fields[field]}: ${reason}`)
                    .join('; ')}
                />
              </details>
            )}
            {tool.proposed && onPut && (
              <button
                type="button"
                class="button small"
                aria-label={text.confirmOne(tool.name)}
                disabled={isBusy}
                onClick={() => onPut(tools.map((one) => (one === tool ? asConfirmed(one) : one)))}
              >
                {text.confirm}
              </button>
            )}
            {onPut && (
              <button
                type="button"
                class="button small"
                aria-label={text.removeOne(tool.name)}
                disabled={isBusy}
                onClick={() => onPut(tools.filter(({ name }) => name !== tool.name))}
              >
                {text.remove}
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function argumentsOf(tool: CatalogueTool): string {
  const { destinations, identifiers, untrustedResults, untrustedFields, directory, inputSchema } = tool;
  const { tools: text } = words.value.integrations;
  return [
    destinations?.length && `${text.destinations} ${destinations.join(', ')}`,
    identifiers?.length && `${text.identifiers} ${identifiers.join(', ')}`,
    untrustedResults && (untrustedFields ? text.untrustedFields(untrustedFields.join(', ')) : text.untrusted),
    directory && text.directory,
    inputSchema && text.schema,
  ]
    .filter(Boolean)
    .join('; ');
}
