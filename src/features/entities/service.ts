import { AppError } from '../../errors.ts';
import type { DecidingPoliciesSource } from '../../evaluate/in-force.ts';
import { checkMetadata } from '../../evaluate/session-choice.ts';
import { parseForWriting } from '../../json/parse.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { JsonObject } from '../../schemas/values.ts';
import { counterReadings } from '../../services/counter-readings.ts';
import { entryBytes, fitEntry, type ResponsePage, responsePage } from '../../services/list-entries.ts';
import { found } from '../../services/refusals.ts';
import { isoTime } from '../../services/times.ts';
import type {
  EntityCells,
  EntityFigures,
  EntityStore,
  PageRequest,
  Store,
  StoredEntity,
} from '../../store/store.ts';
import type { ChangeEntity, Entity, EntityCounter, ListedEntity, RegisterEntity } from './schema.ts';

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
  deciding: Pick<DecidingPoliciesSource, 'find'>;
}): Entities {
  const { store, now, newId } = deps;
  const counters = createEntityCounters(deps);

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

/** The counters `over: entity` of the policies in force, as they are now. */
type EntityCounters = (entityId: string) => Promise<EntityCounter[]>;

function createEntityCounters(deps: {
  store: Store;
  now: () => number;
  deciding: Pick<DecidingPoliciesSource, 'find'>;
}): EntityCounters {
  const { store, now, deciding } = deps;

  async function ofIntegration(cells: EntityCells, at: number): Promise<EntityCounter[]> {
    const inForce = await deciding.find(cells.integrationId);
    if (!inForce) return [];
    const { id: integrationId, name: integrationName } = inForce.integration;
    return counterReadings(inForce, 'entity', cells, at).map((reading) => ({
      integrationId,
      integrationName,
      ...reading,
    }));
  }

  return async (entityId) => {
    const at = now();
    const found = await store.counters.ofEntity(entityId);
    return (await Promise.all(found.map((cells) => ofIntegration(cells, at)))).flat();
  };
}
