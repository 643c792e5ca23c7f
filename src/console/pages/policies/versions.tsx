import { useEffect, useRef } from 'preact/hooks';
import type {
  Policy,
  PolicyChange,
  PolicyDiff,
  PolicySummary,
  PolicyVersion,
} from '../../../features/policies/schema.ts';
import { call } from '../../data/api.ts';
import { announce, useChange } from '../../data/change.ts';
import { may } from '../../data/operator/sign-in.ts';
import { lineOfRule } from '../../data/policies/policies.ts';
import { useList, useResource } from '../../data/resource.ts';
import { query, setQuery } from '../../data/route.ts';
import { Time } from '../../parts/badges.tsx';
import { Select } from '../../parts/form/form.tsx';
import { Pager } from '../../parts/list/list.tsx';
import { Table } from '../../parts/list/table.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface PolicyChangesProps {
  id: string;
  from: number;
  to: number;
}

/** The differences of one version from another: rules, tests and settings, without layout and comments. */
function PolicyChanges({ id, from, to }: PolicyChangesProps) {
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

/** Two documents side by side, in a shadow root as the editor is. */
function Compare({ left, right }: { left: string; right: string }) {
  const host = useRef<HTMLDivElement>(null);
  const label = words.value.policies.editor;
  useEffect(() => {
    let close: (() => void) | null = null;
    let isGone = false;
    void import('./editor/merge.ts').then(({ openMerge }) => {
      if (isGone || !host.current) return;
      const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
      close = openMerge({ root, left, right, label });
    });
    return () => {
      isGone = true;
      close?.();
    };
  }, [left, right]);
  return <div class="editor compare" ref={host} />;
}

interface PolicyVersionsProps {
  policy: Policy;
  onChange: () => void;
}

/** Documents may be 256 kB each: few of them in one response. */
const pageSize = 10;

export function PolicyVersions({ policy, onChange }: PolicyVersionsProps) {
  const resource = useList<PolicyVersion>(`/v1/policies/${policy.id}/versions`, {}, { size: pageSize });
  return (
    <Show resource={resource}>
      {({ data, pagination }) => (
        <>
          <ShownVersion policyId={policy.id} />
          <VersionTable policy={policy} versions={data} onChange={onChange} />
          <Pager pagination={pagination} />
          <Compared policy={policy} versions={data} />
        </>
      )}
    </Show>
  );
}

/** The version that the address names, at the rule that it names. */
function ShownVersion({ policyId }: { policyId: string }) {
  const { policies: text, common } = words.value;
  const asked = query.value.get('show');
  const rule = query.value.get('rule') ?? '';
  const path = `/v1/policies/${policyId}/versions/${asked}`;
  const resource = useResource(path, async ({ signal }) =>
    asked === null ? null : (await call<PolicyVersion>(path, { signal })).data,
  );
  if (asked === null) return null;
  return (
    <Show resource={resource}>
      {(version) =>
        version?.document && (
          <section class="source">
            <div class="section-heading">
              <h2>{text.version(version.version)}</h2>
              <button type="button" class="button small" onClick={() => setQuery({ show: null, rule: null })}>
                {common.close}
              </button>
            </div>
            <Source document={version.document} rule={rule} />
          </section>
        )
      }
    </Show>
  );
}

/** The lines of a document, with that of the rule in sight. */
function Source({ document, rule }: { document: string; rule: string }) {
  const lines = useRef<HTMLOListElement>(null);
  const at = lineOfRule(document, rule);
  useEffect(() => {
    lines.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
  }, [document, at]);
  return (
    <ol class="source-lines" ref={lines}>
      {document.split('\n').map((line, place) => (
        <li key={place} aria-current={place === at ? 'true' : undefined}>
          <Visible text={line} />
        </li>
      ))}
    </ol>
  );
}

interface VersionTableProps extends PolicyVersionsProps {
  versions: readonly PolicyVersion[];
}

function VersionTable({ policy, versions, onChange }: VersionTableProps) {
  const { policies: text, common } = words.value;
  const { error, isBusy, run } = useChange();
  const isActive = policy.status === 'ACTIVE';

  async function makeCurrent(version: number) {
    // Going back is a change of its own: the record says that it was one.
    const verb = isActive && version < policy.version ? 'rollback' : 'activate';
    await call<PolicySummary>(`/v1/policies/${policy.id}/${verb}`, { method: 'POST', json: { version } });
    announce(text.activated(version));
    onChange();
  }
  return (
    <>
      {error && <Problem error={error} />}
      <Table headings={[text.tabs.versions, common.created, text.author, text.note]}>
        {versions.map(({ version, createdAt, current, author, note }) => (
          <tr key={version}>
            <th scope="row">
              {text.version(version)} {current && <span class="status good">{text.current}</span>}
            </th>
            <td>
              <Time at={createdAt} />
            </td>
            <td>
              <Visible text={author?.name ?? '–'} />
            </td>
            <td>
              <Visible text={note ?? '–'} />
              <span class="buttons">
                {!current && (
                  <button
                    type="button"
                    class="button small"
                    onClick={() => setQuery({ compare: String(version), with: null })}
                  >
                    {text.compare}
                  </button>
                )}
                {!current && may('policies:write') && (
                  <button
                    type="button"
                    class="button small"
                    disabled={isBusy}
                    onClick={() => void run(() => makeCurrent(version))}
                  >
                    {isActive && version < policy.version ? text.rollBack : text.makeCurrent}
                  </button>
                )}
              </span>
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

/** Two versions, by what they say differently and by their lines. */
function Compared({ policy, versions }: { policy: Policy; versions: readonly PolicyVersion[] }) {
  const { policies: text } = words.value;
  const find = (asked: number) => versions.find(({ version }) => version === asked);
  const left = find(Number(query.value.get('compare')));
  const right = find(Number(query.value.get('with') ?? policy.version));
  if (!left) return null;
  const choices = versions.map(({ version }) => [String(version), text.version(version)] as const);
  return (
    <section>
      <div class="section-heading">
        <h2>{text.compared(left.version, right?.version ?? policy.version)}</h2>
        <Select
          label={text.compareLeft}
          value={String(left.version)}
          choices={choices}
          onChoose={(next) => setQuery({ compare: next })}
        />
        <Select
          label={text.compareRight}
          value={String(right?.version ?? policy.version)}
          choices={choices}
          onChoose={(next) => setQuery({ with: next })}
        />
      </div>
      {right && <PolicyChanges id={policy.id} from={left.version} to={right.version} />}
      {right?.document != null && left.document !== null && (
        <Compare left={left.document} right={right.document} />
      )}
    </section>
  );
}
