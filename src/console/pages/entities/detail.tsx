import { useState } from 'preact/hooks';
import type { Entity } from '../../../features/entities/schema.ts';
import { call } from '../../data/api.ts';
import { announce, ask, useChange } from '../../data/change.ts';
import { count } from '../../data/format.ts';
import { may } from '../../data/operator/sign-in.ts';
import { useResource } from '../../data/resource.ts';
import { go, to } from '../../data/route.ts';
import { Numbers, Time } from '../../parts/badges.tsx';
import { Counters } from '../../parts/counters.tsx';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Details, Heading } from '../../parts/frame/heading.tsx';
import { Json } from '../../parts/json.tsx';
import { Link } from '../../parts/link.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { EntityForm } from './list.tsx';

export function EntityPage({ id }: { id: string }) {
  const resource = useResource(
    `entity ${id}`,
    async ({ signal }) => (await call<Entity>(`/v1/entities/${id}`, { signal })).data,
  );
  return (
    <Show resource={resource}>
      {(entity) => (
        <>
          <Heading title={entity.name}>
            <span class="quiet">{words.value.entities.kinds[entity.kind]}</span>
            {may('entities:write') && <Actions entity={entity} reload={resource.reload} />}
          </Heading>
          <Facts entity={entity} />
        </>
      )}
    </Show>
  );
}

function Actions({ entity, reload }: { entity: Entity; reload: () => void }) {
  const { entities: text } = words.value;
  const [editing, setEditing] = useState(false);
  const { error, isBusy, run } = useChange();
  async function forget() {
    if (!(await ask(text.forgetQuestion, text.forget))) return;
    await call(`/v1/entities/${entity.id}`, { method: 'DELETE' });
    announce(text.forgotten);
    go(to('entities'));
  }
  const end = () => {
    setEditing(false);
    reload();
  };
  return (
    <>
      <button type="button" class="button" onClick={() => setEditing(true)}>
        {text.edit}
      </button>
      <button type="button" class="button danger" disabled={isBusy} onClick={() => void run(forget)}>
        {text.forget}
      </button>
      {error && <Problem error={error} />}
      {editing && (
        <Dialog title={text.edit} onClose={() => setEditing(false)}>
          <EntityForm entity={entity} onEnd={end} onCancel={() => setEditing(false)} />
        </Dialog>
      )}
    </>
  );
}

function Facts({ entity }: { entity: Entity }) {
  const { entities: text, violations, common } = words.value;
  const { id, owner, createdAt, sessionCount, violationCounts, metadata, counters } = entity;
  const asked = new URLSearchParams({ entity: id });
  return (
    <>
      <Numbers
        of={[
          [text.sessions, count(sessionCount)],
          ...(['NEW', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED'] as const).map(
            (status) =>
              [`${text.violations}: ${violations.statuses[status]}`, count(violationCounts[status])] as const,
          ),
        ]}
      />
      <Details
        of={[
          [text.id, <code key="">{id}</code>],
          [text.owner, owner && <Visible text={owner} />],
          [common.created, <Time key="" at={createdAt} show="full" />],
        ]}
      />
      <p class="links">
        <Link href={`${to('sessions')}?${asked}`}>{text.openSessions}</Link>
        <Link href={`${to('violations')}?${asked}`}>{text.openViolations}</Link>
      </p>
      <Counters
        counters={counters}
        none={text.noCounters}
        whose={[
          words.value.counters.integration,
          ({ integrationId, integrationName }) => (
            <Link href={to('integrations', integrationId)}>
              <Visible text={integrationName} />
            </Link>
          ),
        ]}
      />
      {Object.keys(metadata).length > 0 && <Json value={metadata} label={text.metadata} />}
    </>
  );
}
