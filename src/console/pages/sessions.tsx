import type { ListedEvaluationSession, SessionStatus } from '../../schemas/evaluation-sessions.ts';
import { call } from '../data/api.ts';
import { count, shortId } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import { query, setQuery, to } from '../data/route.ts';
import { Shape, StatusName, Tags } from '../parts/badges.tsx';
import { Choice, Field } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Pager, pageInUrl } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/times.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

const statuses: readonly SessionStatus[] = ['ACTIVE', 'COMPLETED', 'TERMINATED', 'EXPIRED'];
const everyMs = 3_000;

export function SessionsPage() {
  const { sessions: text, common } = words.value;
  const page = pageInUrl();
  const asked = query.value.get('status') as SessionStatus | null;
  const status = asked && statuses.includes(asked) ? asked : undefined;
  const externalSessionId = query.value.get('external') ?? undefined;
  const integrationId = query.value.get('integration') ?? undefined;
  const filter = { page, status, externalSessionId, integrationId };
  const resource = useResource(
    `sessions ${JSON.stringify(filter)}`,
    ({ signal, background }) =>
      call<ListedEvaluationSession[]>('/v1/evaluation-sessions', { query: filter, signal, background }),
    { everyMs },
  );
  const isFiltered = status !== undefined || externalSessionId !== undefined || integrationId !== undefined;
  return (
    <>
      <Heading title={text.title}>
        <Choice
          label={common.status}
          value={status ?? 'ALL'}
          choices={[['ALL', common.all], ...statuses.map((one) => [one, text.statuses[one]] as const)]}
          onChoose={(next) => setQuery({ status: next === 'ALL' ? null : next, page: null })}
        />
        <Field label={text.search}>
          {(ids) => (
            <input
              {...ids}
              type="search"
              value={externalSessionId ?? ''}
              maxLength={255}
              onChange={(event) => setQuery({ external: event.currentTarget.value, page: null })}
            />
          )}
        </Field>
      </Heading>
      <Show resource={resource}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title={isFiltered ? text.noneFound : text.none} />
          ) : (
            <>
              <SessionTable sessions={data} />
              <Pager pagination={pagination} />
            </>
          )
        }
      </Show>
    </>
  );
}

export const sessionTone = (status: SessionStatus) => (status === 'ACTIVE' ? 'good' : 'quiet');

function SessionTable({ sessions }: { sessions: readonly ListedEvaluationSession[] }) {
  const { sessions: text, common } = words.value;
  return (
    <Table
      headings={[
        text.columns.session,
        common.status,
        text.columns.started,
        text.columns.actions,
        text.columns.tags,
      ]}
    >
      {sessions.map((session) => (
        <SessionRow key={session.id} session={session} />
      ))}
    </Table>
  );
}

function SessionRow({ session }: { session: ListedEvaluationSession }) {
  const { sessions: text } = words.value;
  const { id, externalSessionId, status, startedAt, actionCount } = session;
  return (
    <tr>
      <th scope="row">
        <Link href={to('sessions', id)}>
          <Visible text={externalSessionId === id ? `…${shortId(id)}` : externalSessionId} />
        </Link>
      </th>
      <td>
        <StatusName tone={sessionTone(status)}>{text.statuses[status]}</StatusName>
      </td>
      <td>
        <Time at={startedAt} />
      </td>
      <td>
        {count(actionCount)} <Counts session={session} />
      </td>
      <td>
        <Tags tags={session.dataTags} />
      </td>
    </tr>
  );
}

/** Warnings, holds and blocks as numbers in their colours, and in words for those who hear them. */
function Counts({
  session,
}: {
  session: Pick<ListedEvaluationSession, 'warningCount' | 'reviewCount' | 'blockCount'>;
}) {
  const { warningCount, reviewCount, blockCount } = session;
  const counts = [
    ['WARN', warningCount],
    ['APPROVAL_REQUIRED', reviewCount],
    ['BLOCK', blockCount],
  ] as const;
  return (
    <span class="counts">
      <span class="visually-hidden">
        {words.value.sessions.counts(warningCount, reviewCount, blockCount)}
      </span>
      {counts.map(([action, value]) => value > 0 && <CountOf key={action} action={action} value={value} />)}
    </span>
  );
}

function CountOf({ action, value }: { action: 'WARN' | 'APPROVAL_REQUIRED' | 'BLOCK'; value: number }) {
  return (
    <span class={`count-of ${action}`} aria-hidden="true" title={words.value.verdicts[action]}>
      <Shape action={action} /> {count(value)}
    </span>
  );
}
