import { useState } from 'preact/hooks';
import type { Policy, PolicySummary, PolicyVersion } from '../../../schemas/policies.ts';
import { announce } from '../../data/announcements.ts';
import { type ApiError, apiErrorOf, call } from '../../data/api.ts';
import { may } from '../../data/operator.ts';
import { useList } from '../../data/resource.ts';
import { query, setQuery } from '../../data/route.ts';
import { Pager } from '../../parts/pager.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Time } from '../../parts/times.tsx';
import { words } from '../../strings/index.ts';
import { Compare } from './compare.tsx';

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
          <VersionTable policy={policy} versions={data} onChange={onChange} />
          <Pager pagination={pagination} />
          <Compared policy={policy} versions={data} />
        </>
      )}
    </Show>
  );
}

interface VersionTableProps extends PolicyVersionsProps {
  versions: readonly PolicyVersion[];
}

function VersionTable({ policy, versions, onChange }: VersionTableProps) {
  const { policies: text, common } = words.value;
  const [error, setError] = useState<ApiError | null>(null);

  async function makeCurrent(version: number) {
    setError(null);
    try {
      await call<PolicySummary>(`/v1/policies/${policy.id}/activate`, { method: 'POST', json: { version } });
      announce(text.activated(version));
      onChange();
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }
  return (
    <>
      {error && <Problem error={error} />}
      <div class="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">{text.tabs.versions}</th>
              <th scope="col">{common.created}</th>
              <th scope="col">
                <span class="visually-hidden">{text.activate}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {versions.map(({ version, createdAt, current }) => (
              <tr key={version}>
                <th scope="row">{text.version(version)}</th>
                <td>
                  <Time at={createdAt} />
                </td>
                <td class="buttons">
                  {current ? (
                    <span class="status good">{text.current}</span>
                  ) : (
                    <>
                      <button
                        type="button"
                        class="button small"
                        onClick={() => setQuery({ compare: String(version) })}
                      >
                        {text.compare}
                      </button>
                      {may('policies:write') && (
                        <button type="button" class="button small" onClick={() => makeCurrent(version)}>
                          {text.makeCurrent}
                        </button>
                      )}
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Compared({ policy, versions }: { policy: Policy; versions: readonly PolicyVersion[] }) {
  const { policies: text } = words.value;
  const asked = Number(query.value.get('compare'));
  const other = versions.find(({ version }) => version === asked);
  if (!other || other.document === null || other.version === policy.version) return null;
  return (
    <section>
      <h2>{text.compared(other.version, policy.version)}</h2>
      <Compare left={other.document} right={policy.document} />
    </section>
  );
}
