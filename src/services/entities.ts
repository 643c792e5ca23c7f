import { AppError } from '../errors.ts';
import { parseForWriting } from '../json/parse.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { ChangeEntity, Entity, ListedEntity, RegisterEntity } from '../schemas/entities.ts';
import type { JsonObject } from '../schemas/values.ts';
import type { EntityFigures, EntityStore, PageRequest, Store, StoredEntity } from '../store/store.ts';
import type { EntityCounters } from './entity-counters.ts';
import { found } from './found.ts';
import { entryBytes, fitEntry } from './list-entries.ts';
import { type ResponsePage, responsePage } from './pages.ts';
import { checkMetadata } from './session-metadata.ts';
import { isoTime } from './times.ts';

/** Who or what agents work for: a registered entity says more than its `entityId`. */
export interface Entities {
  register(request: RegisterEntity): Promise<Entity>;
  read(id: string): Promise<Entity>;
  list(page: PageRequest, filter: Parameters<EntityStore['list']>[1]): Promise<ResponsePage<ListedEntity>>;
  change(id: string, request: ChangeEntity): Promise<Entity>;
  /** Its sessions and their record stay. */
  delete(id: string): Promise<Entity>;
}

export function createEntities(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  counters: EntityCounters;
}): Entities {
  const { store, now, newId, counters } = deps;

  async function whole(id: string, entity: (StoredEntity & EntityFigures) | null): Promise<Entity> {
    const { sessionCount, violationCounts, ...rest } = found(entity, 'governed entity', id);
    return { ...shown(rest), sessionCount, violationCounts, counters: await counters(rest.id) };
  }

  return {
    async register({ id = newId(), name, kind, owner = null, metadata = {} }) {
      const entity = {
        id: id.toLowerCase(),
        name,
        kind,
        owner,
        metadata: textOf(metadata),
        createdAt: now(),
      };
      if ((await store.entities.register(entity)) === 'registered')
        throw new AppError('conflict', 'an entity with this id is registered already', { path: '/id' });
      return whole(entity.id, await store.entities.find(entity.id));
    },

    read: async (id) => whole(id, await store.entities.find(id)),

    list: async (page, filter) =>
      responsePage(await store.entities.list(page, filter), page, (entity) =>
        fitEntry(shown(entity), { metadata: {} }, entryBytes(page.size)),
      ),

    async change(id, { metadata, ...request }) {
      const change = { ...request, ...(metadata && { metadata: textOf(metadata) }) };
      return whole(id, await store.entities.change(id, change, now()));
    },

    delete: async (id) => whole(id, await store.entities.delete(id)),
  };
}

function textOf(metadata: JsonObject): string {
  const text = stringifyJson(metadata);
  checkMetadata(text);
  return text;
}

const shown = ({ id, name, kind, owner, metadata, createdAt, updatedAt }: StoredEntity) => ({
  id,
  name,
  kind,
  owner,
  metadata: parseForWriting(metadata) as JsonObject,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});
