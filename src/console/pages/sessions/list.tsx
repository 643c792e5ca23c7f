import type { ListedEvaluationSession, SessionStatus } from '../../../features/sessions/schema.ts';
import { count, shortId } from '../../data/format.ts';
import { nameOfEntity } from '../../data/names.ts';
import { useList } from '../../data/resource.ts';
import { choiceInUrl, query, to } from '../../data/route.ts';
import { Shape, StatusName, Tags } from '../../parts/badges.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import { EntityFilter, Filter, IntegrationFilter, SearchFilter } from '../../parts/list/filters.tsx';
import { ListTable } from '../../parts/list/list.tsx';
import { type Column, Rows } from '../../parts/list/table.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

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
  return (
    <>
      <Heading title={text.title} />
      <ListTable
        title={text.title}
        columns={columnsOf()}
        keyOf={({ id }) => id}
        resource={resource}
        none={text.none}
        hint={text.noneHint}
      >
        <Filter
          label={common.status}
          name="status"
          value={filter.status}
          choices={statuses}
          names={text.statuses}
        />
        <IntegrationFilter />
        <EntityFilter />
        <SearchFilter label={text.search} name="external" />
      </ListTable>
    </>
  );
}

export const sessionTone = (status: SessionStatus) => (status === 'ACTIVE' ? 'good' : 'quiet');

export function SessionTable({ sessions }: { sessions: readonly ListedEvaluationSession[] }) {
  const columns = columnsOf().filter(({ isOptional }) => isOptional !== true);
  return <Rows columns={columns} rows={sessions} keyOf={({ id }) => id} label={words.value.sessions.title} />;
}

const nameOf = ({ id, externalSessionId }: ListedEvaluationSession): string =>
  externalSessionId === id ? `…${shortId(id)}` : externalSessionId;

function columnsOf(): Column<ListedEvaluationSession>[] {
  const { sessions: text, session: single, common } = words.value;
  const { columns } = text;
  return [
    {
      id: 'session',
      heading: columns.session,
      value: nameOf,
      show: (session) => (
        <Link href={to('sessions', session.id)}>
          <Visible text={nameOf(session)} />
        </Link>
      ),
    },
    {
      id: 'status',
      heading: common.status,
      kind: 'mark',
      value: ({ status }) => text.statuses[status],
      show: ({ status }) => <StatusName tone={sessionTone(status)}>{text.statuses[status]}</StatusName>,
    },
    { id: 'started', heading: columns.started, kind: 'time', value: ({ startedAt }) => startedAt },
    {
      id: 'ended',
      heading: single.ended,
      kind: 'time',
      isOptional: true,
      value: ({ endedAt }) => endedAt ?? '',
    },
    {
      id: 'actions',
      heading: columns.actions,
      kind: 'number',
      value: ({ actionCount }) => actionCount,
    },
    {
      id: 'decisions',
      heading: columns.decisions,
      kind: 'mark',
      // The worst come first.
      value: ({ blockCount, reviewCount, warningCount }) =>
        blockCount * 1e8 + reviewCount * 1e4 + warningCount,
      text: ({ blockCount, reviewCount, warningCount }) => text.counts(warningCount, reviewCount, blockCount),
      show: (session) => <Counts session={session} />,
    },
    {
      id: 'entity',
      heading: single.entity,
      value: ({ entityId }) => (entityId === null ? '' : (nameOfEntity(entityId) ?? '')),
      show: ({ entityId }) =>
        entityId && (
          <Link href={to('entities', entityId)}>
            <Visible text={nameOfEntity(entityId) ?? `…${shortId(entityId)}`} />
          </Link>
        ),
    },
    {
      id: 'data',
      heading: columns.tags,
      value: ({ dataTags }) => dataTags.join(' '),
      show: ({ dataTags }) => <Tags tags={dataTags} most={3} />,
    },
    {
      id: 'labels',
      heading: single.labels,
      isOptional: true,
      value: ({ labels }) => labels.join(' '),
      show: ({ labels }) => <Tags tags={labels} most={4} />,
    },
  ];
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
      {warningCount + reviewCount + blockCount === 0 && <span aria-hidden="true">–</span>}
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
