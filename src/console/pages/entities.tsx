import { useState } from 'preact/hooks';
import type { Entity, EntityKind, ListedEntity } from '../../features/entities/schema.ts';
import { entityKinds } from '../../features/entities/words.ts';
import { call, mostListed } from '../data/api.ts';
import { announce, ask, useChange } from '../data/change.ts';
import { count } from '../data/format.ts';
import { may } from '../data/operator/sign-in.ts';
import { useList, useResource } from '../data/resource.ts';
import { choiceInUrl, go, query, to } from '../data/route.ts';
import { Numbers, Time } from '../parts/badges.tsx';
import { Counters } from '../parts/counters.tsx';
import { Dialog } from '../parts/form/dialog.tsx';
import { FieldsForm } from '../parts/form/fields-form.tsx';
import { Details, Heading } from '../parts/frame/heading.tsx';
import { Json } from '../parts/json.tsx';
import { Link } from '../parts/link.tsx';
import { Filter, SearchFilter } from '../parts/list/filters.tsx';
import { ManagedList } from '../parts/list/list.tsx';
import { type Column, idColumn, nameColumn } from '../parts/list/table.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

interface EntityFormProps {
  /** Null for a new one. */
  entity: Entity | null;
  onEnd: (entity: Entity) => void;
  onCancel: () => void;
}

function EntityForm({ entity, onEnd, onCancel }: EntityFormProps) {
  const { entities: text, common } = words.value;
  return (
    <FieldsForm
      submitLabel={entity ? common.save : text.create}
      onCancel={onCancel}
      initial={{
        name: entity?.name ?? '',
        kind: entity?.kind ?? entityKinds[0],
        owner: entity?.owner ?? '',
        id: '',
      }}
      fields={() => [
        { name: 'name', label: common.name, maxLength: 200, required: true },
        { name: 'kind', label: text.kind, choices: entityKinds.map((one) => [one, text.kinds[one]]) },
        { name: 'owner', label: text.owner, maxLength: 200 },
        !entity && { name: 'id', label: text.id, hint: text.idHint, maxLength: 36 },
      ]}
      onSubmit={async ({ name, kind, owner, id }) => {
        const json = {
          ...(!entity && id.trim() && { id: id.trim() }),
          name: name.trim(),
          kind,
          owner: owner.trim() || null,
        };
        const { data } = entity
          ? await call<Entity>(`/v1/entities/${entity.id}`, { method: 'PATCH', json })
          : await call<Entity>('/v1/entities', { method: 'POST', json });
        announce(entity ? text.changed(data.name) : text.created(data.name));
        onEnd(data);
      }}
    />
  );
}

export function EntitiesPage() {
  const { entities: text } = words.value;
  const kind: EntityKind | undefined = choiceInUrl('kind', entityKinds);
  const owner = query.value.get('owner') ?? undefined;
  const resource = useList<ListedEntity>('/v1/entities', { kind, owner }, { size: mostListed });
  return (
    <ManagedList
      title={text.title}
      permission="entities:write"
      createLabel={text.create}
      create={(close) => (
        <Dialog title={text.create} onClose={close}>
          <EntityForm entity={null} onEnd={({ id }) => go(to('entities', id))} onCancel={close} />
        </Dialog>
      )}
      columns={columnsOf()}
      resource={resource}
      none={text.none}
      hint={text.noneHint}
    >
      <Filter label={text.kind} name="kind" value={kind} choices={entityKinds} names={text.kinds} folded />
      <SearchFilter label={text.owner} name="owner" />
    </ManagedList>
  );
}

function columnsOf(): Column<ListedEntity>[] {
  const { entities: text, common } = words.value;
  return [
    nameColumn('entities'),
    { id: 'kind', heading: text.kind, kind: 'mark', value: ({ kind }) => text.kinds[kind] },
    { id: 'owner', heading: text.owner, value: ({ owner }) => owner ?? '' },
    idColumn(),
    { id: 'created', heading: common.created, kind: 'time', value: ({ createdAt }) => createdAt },
  ];
}

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
