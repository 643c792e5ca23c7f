import { useState } from 'preact/hooks';
import type { ListedAuditEntry } from '../../features/audit/schema.ts';
import { shortId } from '../data/format.ts';
import { useList } from '../data/resource.ts';
import { choiceInUrl, query, rangeInUrl, setQuery, to } from '../data/route.ts';
import { StatusName, Time, type Tone } from '../parts/badges.tsx';
import { Dialog } from '../parts/form/dialog.tsx';
import { Details, Heading } from '../parts/frame/heading.tsx';
import { Json } from '../parts/json.tsx';
import { Link } from '../parts/link.tsx';
import { Filter, NamedFilter, PeriodFilter, SearchFilter } from '../parts/list/filters.tsx';
import { ListTable } from '../parts/list/list.tsx';
import type { Column } from '../parts/list/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

type Outcome = ListedAuditEntry['outcome'];
const outcomes: readonly Outcome[] = ['SUCCEEDED', 'REFUSED', 'FAILED'];
const tones: Record<Outcome, Tone> = { SUCCEEDED: 'good', REFUSED: 'busy', FAILED: 'bad' };

const pageSize = 100;

export function AuditPage() {
  const { audit: text } = words.value;
  const outcome = choiceInUrl('outcome', outcomes);
  const withReads = query.value.get('reads') === 'yes';
  const [opened, setOpened] = useState<ListedAuditEntry | null>(null);
  const textOf = (name: string) => query.value.get(name) ?? undefined;
  const resource = useList<ListedAuditEntry>(
    '/v1/audit',
    {
      outcome,
      actorId: textOf('actor'),
      action: textOf('action'),
      resource: textOf('resource'),
      resourceId: textOf('resourceId'),
      ...(!withReads && { reads: 'false' }),
      ...rangeInUrl(),
    },
    { size: pageSize },
  );
  const known = resource.state.is === 'ready' ? resource.state.data.data : [];
  const offered = (of: (entry: ListedAuditEntry) => string | null) =>
    [...new Set(known.map(of).filter((one) => one !== null))].sort();
  return (
    <>
      <Heading title={text.title} />
      <p class="quiet">{text.text}</p>
      <ListTable
        title={text.title}
        columns={columnsOf(setOpened)}
        keyOf={({ id }) => id}
        resource={resource}
        none={text.none}
      >
        <Filter
          label={text.outcome}
          name="outcome"
          value={outcome}
          choices={outcomes}
          names={text.outcomes}
        />
        <PeriodFilter />
        <NamedFilter label={text.actor} name="actor" path="/v1/operators" />
        <SearchFilter label={text.action} name="action" offers={offered(({ action }) => action)} />
        <SearchFilter label={text.resource} name="resource" offers={offered(({ resource: kind }) => kind)} />
        <SearchFilter label={text.resourceId} name="resourceId" />
        <label class="check">
          <input
            type="checkbox"
            checked={withReads}
            onChange={() => setQuery({ reads: withReads ? null : 'yes', page: null })}
          />{' '}
          {text.reads}
        </label>
      </ListTable>
      {opened && <Entry entry={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function columnsOf(open: (entry: ListedAuditEntry) => void): Column<ListedAuditEntry>[] {
  const { audit: text } = words.value;
  return [
    {
      id: 'action',
      heading: text.action,
      value: ({ action }) => action,
      show: (entry) => (
        <button type="button" class="link" onClick={() => open(entry)}>
          <code>{entry.action}</code>
        </button>
      ),
    },
    {
      id: 'outcome',
      heading: text.outcome,
      kind: 'mark',
      value: ({ outcome }) => text.outcomes[outcome],
      show: ({ outcome }) => <StatusName tone={tones[outcome]}>{text.outcomes[outcome]}</StatusName>,
    },
    { id: 'actor', heading: text.actor, value: ({ actor }) => actor.name },
    {
      id: 'resource',
      heading: text.resource,
      value: ({ resource, resourceId }) => `${resource ?? ''} ${resourceId ?? ''}`,
      show: ({ resource, resourceId }) => <Resource kind={resource} id={resourceId} />,
    },
    {
      id: 'message',
      heading: text.message,
      value: ({ message }) => message ?? '',
      show: ({ message }) =>
        message && (
          <span class="clamped">
            <Visible text={message} />
          </span>
        ),
    },
    { id: 'address', heading: text.address, isOptional: true, value: ({ address }) => address ?? '' },
    { id: 'at', heading: text.at, kind: 'time', value: ({ at }) => at },
  ];
}

function Entry({ entry, onClose }: { entry: ListedAuditEntry; onClose: () => void }) {
  const { audit: text, common } = words.value;
  const { actor, action, resource, resourceId, outcome, message, address, before, after } = entry;
  return (
    <Dialog title={action} onClose={onClose}>
      <Details
        of={[
          [text.at, <Time key="" at={entry.at} show="full" />],
          [text.outcome, text.outcomes[outcome]],
          [text.actor, <Visible key="" text={actor.name} />],
          [text.resource, resource && <Resource key="" kind={resource} id={resourceId} />],
          [text.message, message && <Visible key="" text={message} />],
          [text.address, address],
        ]}
      />
      {before && <Json value={before} label={text.before} />}
      {after && <Json value={after} label={text.after} />}
      <div class="buttons">
        <button type="button" class="button" onClick={onClose}>
          {common.close}
        </button>
      </div>
    </Dialog>
  );
}

/** The pages of the kinds of resources that have one. */
const pages = new Map([
  ...['operators', 'integrations', 'policies', 'lists', 'entities', 'webhooks', 'evaluations'].map(
    (kind) => [kind, kind] as const,
  ),
  ['evaluation-sessions', 'sessions'],
]);

function Resource({ kind, id }: { kind: string | null; id: string | null }) {
  if (kind === null || id === null) return <span>–</span>;
  const name = `${kind} …${shortId(id)}`;
  const page = pages.get(kind);
  return page === undefined ? <span>{name}</span> : <Link href={to(page, id)}>{name}</Link>;
}
