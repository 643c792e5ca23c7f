import type { SharedList } from '../../features/lists/schema.ts';
import { announce } from '../data/announcements.ts';
import { call } from '../data/api.ts';
import { useChange } from '../data/change.ts';
import { count } from '../data/format.ts';
import { may } from '../data/operator.ts';
import { ask } from '../data/question.ts';
import { useResource } from '../data/resource.ts';
import { go, to } from '../data/route.ts';
import { Details } from '../parts/details.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Time } from '../parts/times.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';
import { ListChanges } from './list/changes.tsx';
import { ListEntries } from './list/entries.tsx';

export function ListPage({ id }: { id: string }) {
  const resource = useResource(
    `list ${id}`,
    async ({ signal }) => (await call<SharedList>(`/v1/lists/${id}`, { signal })).data,
  );
  return (
    <Show resource={resource}>
      {(list) => (
        <>
          <Title list={list} />
          <ListEntries list={list} onChange={resource.reload} />
          <ListChanges key={list.version} id={id} />
        </>
      )}
    </Show>
  );
}

function Title({ list }: { list: SharedList }) {
  const { lists: text, common } = words.value;
  const { error, isBusy, run } = useChange();
  async function remove() {
    if (!(await ask(text.deleteQuestion))) return;
    await call(`/v1/lists/${list.id}`, { method: 'DELETE' });
    announce(text.deleted);
    go(to('lists'));
  }
  return (
    <>
      <Heading title={list.name}>
        <span class="quiet">{text.kinds[list.kind]}</span>
        {may('lists:write') && (
          <button type="button" class="button danger" disabled={isBusy} onClick={() => void run(remove)}>
            {common.delete}
          </button>
        )}
      </Heading>
      {error && <Problem error={error} />}
      <Details
        of={[
          [text.readAs, <code key="">lists.{list.name}</code>],
          [text.entries, count(list.entryCount)],
          [text.changed, <Time key="" at={list.updatedAt} show="full" />],
          [text.description, list.description && <Visible text={list.description} />],
        ]}
      />
    </>
  );
}
