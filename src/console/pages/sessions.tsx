import type { ListedEvaluationSession, SessionStatus } from '../../features/sessions/schema.ts';
import { count, shortId } from '../data/format.ts';
import { useList } from '../data/resource.ts';
import { choiceInUrl, query, to } from '../data/route.ts';
import { Shape, StatusName, Tags, Time } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Filter, List, SearchFilter } from '../parts/list.tsx';
import { Table } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

const statuses: readonly SessionStatus[] = ['ACTIVE', 'COMPLETED', 'TERMINATED', 'EXPIRED'];
/** Also by the clock: a session that expires has no event. */
const everyMs = 15_000;

export function SessionsPage() {
  const { sessions: text, common } = words.value;
  const filter = {
    status: choiceInUrl('status', statuses),
    externalSessionId: query.value.get('external') ?? undefined,
    integrationId: query.value.get('integration') ?? undefined,
    entityId: query.value.get('entity') ?? undefined,
    parentSessionId: query.value.get('parent') ?? undefined,
  };
  const resource = useList<ListedEvaluationSession>('/v1/evaluation-sessions', filter, {
    everyMs,
    on: ['sessions', 'evaluations'],
  });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <Heading title={text.title}>
        <Filter
          label={common.status}
          name="status"
          value={filter.status}
          choices={statuses}
          names={text.statuses}
        />
        <SearchFilter label={text.search} name="external" />
      </Heading>
      <List resource={resource} none={isFiltered ? text.noneFound : text.none}>
        {(sessions) => <SessionTable sessions={sessions} />}
      </List>
    </>
  );
}

export const sessionTone = (status: SessionStatus) => (status === 'ACTIVE' ? 'good' : 'quiet');

export function SessionTable({ sessions }: { sessions: readonly ListedEvaluationSession[] }) {
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
