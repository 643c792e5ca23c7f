import type { ListedAuditEntry } from '../../features/audit/schema.ts';
import { shortId } from '../data/format.ts';
import { useList } from '../data/resource.ts';
import { choiceInUrl, to } from '../data/route.ts';
import { StatusName, Time, type Tone } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Json } from '../parts/json.tsx';
import { Link } from '../parts/link.tsx';
import { Filter, List } from '../parts/list.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

type Outcome = ListedAuditEntry['outcome'];
const outcomes: readonly Outcome[] = ['SUCCEEDED', 'REFUSED', 'FAILED'];
const tones: Record<Outcome, Tone> = { SUCCEEDED: 'good', REFUSED: 'busy', FAILED: 'bad' };

export function AuditPage() {
  const { audit: text } = words.value;
  const outcome = choiceInUrl('outcome', outcomes);
  const resource = useList<ListedAuditEntry>('/v1/audit', { outcome });
  return (
    <>
      <Heading title={text.title}>
        <Filter
          label={text.outcome}
          name="outcome"
          value={outcome}
          choices={outcomes}
          names={text.outcomes}
        />
      </Heading>
      <p class="quiet">{text.text}</p>
      <List resource={resource} none={text.none}>
        {(entries) => (
          <ol class="audit">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </List>
    </>
  );
}

function Entry({ entry }: { entry: ListedAuditEntry }) {
  const { audit: text } = words.value;
  const { actor, action, resource, resourceId, outcome, message, address, before, after } = entry;
  return (
    <li>
      <p class="audit-line">
        <Time at={entry.at} show="full" />
        <StatusName tone={tones[outcome]}>{text.outcomes[outcome]}</StatusName>
        <strong>
          <Visible text={actor.name} />
        </strong>
        <code>{action}</code>
        <Resource kind={resource} id={resourceId} />
        {address && <span class="quiet">{text.from(address)}</span>}
      </p>
      {message && (
        <p class="quiet">
          <Visible text={message} />
        </p>
      )}
      {(before || after) && (
        <details>
          <summary>{text.details}</summary>
          {before && <Json value={before} label={text.before} />}
          {after && <Json value={after} label={text.after} />}
        </details>
      )}
    </li>
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
  if (kind === null || id === null) return <span />;
  const name = `${kind} …${shortId(id)}`;
  const page = pages.get(kind);
  return page === undefined ? <span>{name}</span> : <Link href={to(page, id)}>{name}</Link>;
}
