import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  isNull,
  lt,
  or,
  type Placeholder,
  type SQL,
  sql as text,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Awaitable } from '../../awaitable.ts';
import { all, type Db, first, run, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import type { Tables } from '../../sql/tables.ts';
import { offsetOf, type Page, type PageRequest } from '../../store/pages.ts';
import { isAsExpected, parseList } from '../../store/rows.ts';
import { defaultIntegrationSettings, type IntegrationSettings } from './schema.ts';
import type { IntegrationKind, KeyScope } from './words.ts';

export interface StoredIntegration {
  id: string;
  name: string;
  kind: IntegrationKind;
  description: string | null;
  settings: IntegrationSettings;
  /** The prefix of the newest key that is not revoked; null when all are. */
  keyPrefix: string | null;
  keyExpiresAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** Null while it is in use. */
  deletedAt: number | null;
}

export interface NewIntegration {
  id: string;
  name: string;
  kind: IntegrationKind;
  description: string | null;
  settings: IntegrationSettings;
  webhookSecret: string;
  createdAt: number;
}

export interface NewKey {
  id: string;
  name: string;
  keyHash: string;
  /** The first characters of the key, to recognise it by. */
  keyPrefix: string;
  /** Its last four characters. */
  lastFour: string;
  scopes: readonly KeyScope[];
  expiresAt: number | null;
  /** The id of the operator who makes it, and so has seen it. */
  issuedBy: string | null;
}

export interface IntegrationChange {
  name?: string;
  description?: string | null;
  /** The settings that change; the others stay. */
  settings?: Partial<IntegrationSettings>;
}

export interface IntegrationStore {
  create(integration: NewIntegration, key: NewKey): Promise<StoredIntegration>;

  /** Finds a deleted one as well, because records refer to it. */
  find(id: string): Promise<StoredIntegration | null>;

  /** Newest first, without the deleted ones. */
  list(page: PageRequest, filter?: { name?: string }): Promise<Page<StoredIntegration>>;

  /**
   * Null when there is none, or it was deleted. Fields that are absent stay as they are. 'outdated': a field or a setting is not
   * as `expected` says.
   */
  change(
    id: string,
    change: IntegrationChange,
    now: number,
    expected?: IntegrationChange,
  ): Promise<StoredIntegration | 'outdated' | null>;

  /**
   * Revokes every key and puts this one in their place, in one step: with the name and scopes of the newest one, or those
   * that it has itself when there is none. Null when there is no such integration.
   */
  replaceKey(id: string, key: NewKey, now: number): Promise<StoredIntegration | null>;

  /** False when there is no such integration. */
  replaceWebhookSecret(id: string, secret: string, now: number): Promise<boolean>;

  /** Replaces the webhook secrets for which `seal`, which must be pure, makes another text. */
  resealWebhookSecrets(seal: (id: string, secret: string) => string | null): Promise<void>;

  /** Revokes its keys and leaves the integration out of lists; its sessions, evaluations and reviews stay. Null when there was none. */
  delete(id: string, now: number): Promise<StoredIntegration | null>;
}

export interface StoredIntegrationKey {
  id: string;
  integrationId: string;
  name: string;
  lastFour: string | null;
  scopes: readonly KeyScope[];
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

export interface FoundIntegrationKey {
  key: StoredIntegrationKey;
  integration: StoredIntegration;
  /** The revision of the integration's deciding resources, read with the key: every change of its keys raises it. */
  revision: number;
}

/** A key is live until it is revoked or expires. */
export interface IntegrationKeyStore {
  /** 'too_many': the integration has `most` live keys. */
  create(
    integrationId: string,
    key: NewKey,
    now: number,
    most: number,
  ): Promise<StoredIntegrationKey | 'no_integration' | 'too_many'>;

  /** Newest first, revoked ones among them. Null when there is no such integration. */
  list(integrationId: string, page: PageRequest): Promise<Page<StoredIntegrationKey> | null>;

  /**
   * Adds a key with the name and scopes of a live one, which expires at `until` unless it does earlier, in one step.
   * 'not_live': it was revoked, or has expired.
   */
  rotate(
    integrationId: string,
    id: string,
    key: Omit<NewKey, 'name' | 'scopes'>,
    terms: { now: number; until: number; most: number },
  ): Promise<
    | { created: StoredIntegrationKey; replaces: StoredIntegrationKey }
    | 'no_integration'
    | 'no_key'
    | 'not_live'
    | 'too_many'
  >;

  revoke(
    integrationId: string,
    id: string,
    now: number,
  ): Promise<StoredIntegrationKey | 'no_key' | 'already_revoked'>;

  /** The live key with this hash, and its integration; null when it is unknown, revoked, or expired at `now`. */
  find(keyHash: string, now: number): Awaitable<FoundIntegrationKey | null>;

  /** Never moves the time of the last use back. */
  recordUse(id: string, now: number): Promise<void>;
}

type IntegrationTables = Pick<Tables, 'integrations' | 'integrationKeys'>;

/** Columns of an integration with its newest key that is not revoked; `newestKey` is the condition of the join. */
export function integrationWithKey({ integrations, integrationKeys }: IntegrationTables) {
  const { name, kind, description, settings, createdAt, updatedAt, deletedAt } = integrations;
  return {
    columns: {
      id: integrations.id,
      name,
      kind,
      description,
      settings,
      keyPrefix: integrationKeys.keyPrefix,
      keyExpiresAt: integrationKeys.expiresAt,
      createdAt,
      updatedAt,
      deletedAt,
    },
    newestKey: text`${integrationKeys.integrationId} = ${integrations.id} AND ${integrationKeys.id} = (
      SELECT k.id FROM integration_keys AS k WHERE k.integration_id = ${integrations.id} AND k.revoked_at IS NULL
      ORDER BY k.created_at DESC, k.id DESC LIMIT 1)`,
  };
}

/** Settings of their JSON text. Those that a later version added take their defaults. */
export const parseSettings = (settings: string): IntegrationSettings => ({
  ...defaultIntegrationSettings,
  ...JSON.parse(settings),
});

export const toStoredIntegration = (
  row: Omit<StoredIntegration, 'settings'> & { settings: string },
): StoredIntegration => ({ ...row, settings: parseSettings(row.settings) });

export function createIntegrationStore(sql: Sql): IntegrationStore {
  const { integrations, integrationKeys } = sql.tables;
  const { columns, newestKey } = integrationWithKey(sql.tables);
  const isIt = (id: string): SQL => eq(integrations.id, id.toLowerCase());
  const present = isNull(integrations.deletedAt);

  const select = (db: Db) => db.select(columns).from(integrations).leftJoin(integrationKeys, newestKey);

  function* find(db: Db, id: string): Step<StoredIntegration | null> {
    const row = yield* first(select(db).where(isIt(id)));
    return row && toStoredIntegration(row);
  }

  function* findPresent(db: Db, id: string): Step<StoredIntegration | null> {
    const found = yield* find(db, id);
    return found?.deletedAt === null ? found : null;
  }

  const update = (db: Db, id: string, set: Partial<typeof integrations.$inferInsert>): Step<void> =>
    run(db.update(integrations).set(set).where(isIt(id)));

  function* revokeKeys(db: Db, integrationId: string, revokedAt: number): Step<void> {
    const live = and(eq(integrationKeys.integrationId, integrationId), isNull(integrationKeys.revokedAt));
    yield* run(db.update(integrationKeys).set({ revokedAt }).where(live));
  }

  /** The key, with the name and scopes of the newest key that is not revoked when there is one. */
  function* likeNewest(db: Db, integrationId: string, key: NewKey): Step<NewKey> {
    const { name, scopes, createdAt, id, revokedAt } = integrationKeys;
    const newest = yield* first(
      db
        .select({ name, scopes })
        .from(integrationKeys)
        .where(and(eq(integrationKeys.integrationId, integrationId), isNull(revokedAt)))
        .orderBy(desc(createdAt), desc(id))
        .limit(1),
    );
    return newest ? { ...key, name: newest.name, scopes: parseList<KeyScope>(newest.scopes) } : key;
  }

  return {
    create: ({ settings, ...integration }, key) =>
      sql.change(function* (db) {
        const { id, createdAt } = integration;
        const row = { ...integration, settings: JSON.stringify(settings), updatedAt: createdAt };
        yield* run(db.insert(integrations).values(row));
        yield* insertKey(sql, db, id, key, createdAt);
        return (yield* find(db, id)) as StoredIntegration;
      }),

    find: (id) => sql.read((db) => find(db, id)),

    list: (page, { name } = {}) =>
      sql.read(function* (db) {
        const where = and(present, name === undefined ? undefined : eq(integrations.name, name));
        const rows = yield* all(
          select(db)
            .where(where)
            .orderBy(desc(integrations.createdAt), desc(integrations.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return { items: rows.map(toStoredIntegration), total: yield* totalOf(db, integrations, where) };
      }),

    change: (id, { settings, ...plain }, now, { settings: expected, ...fields } = {}) =>
      sql.change(function* (db) {
        const found = yield* findPresent(db, id);
        if (!found) return null;
        if (!isAsExpected(found, fields) || !isAsExpected(found.settings, expected)) return 'outdated';
        yield* update(db, id, {
          ...plain,
          ...(settings && { settings: JSON.stringify({ ...found.settings, ...settings }) }),
          updatedAt: now,
        });
        yield* sql.raiseRevision(db, found.id);
        return yield* find(db, id);
      }),

    replaceKey: (id, key, now) =>
      sql.change(function* (db) {
        const found = yield* findPresent(db, id);
        if (!found) return null;
        const replacing = yield* likeNewest(db, found.id, key);
        yield* revokeKeys(db, found.id, now);
        yield* insertKey(sql, db, found.id, replacing, now);
        yield* sql.raiseRevision(db, found.id);
        return yield* find(db, id);
      }),

    replaceWebhookSecret: (id, webhookSecret, now) =>
      sql.change(function* (db) {
        const found = yield* findPresent(db, id);
        if (!found) return false;
        yield* update(db, id, { webhookSecret, updatedAt: now });
        yield* sql.raiseRevision(db, found.id);
        return true;
      }),

    resealWebhookSecrets: (seal) =>
      sql.change(function* (db) {
        const { id, webhookSecret } = integrations;
        for (const stored of yield* all(db.select({ id, webhookSecret }).from(integrations))) {
          const sealed = seal(stored.id, stored.webhookSecret);
          if (sealed !== null) yield* update(db, stored.id, { webhookSecret: sealed });
        }
      }),

    delete: (id, now) =>
      sql.change(function* (db) {
        const last = yield* findPresent(db, id);
        if (!last) return null;
        yield* revokeKeys(db, last.id, now);
        yield* update(db, id, { deletedAt: now, updatedAt: now });
        yield* sql.raiseRevision(db, last.id);
        return { ...last, keyPrefix: null, keyExpiresAt: null, updatedAt: now, deletedAt: now };
      }),
  };
}

function insertKey(
  { tables }: Sql,
  db: Db,
  integrationId: string,
  { scopes, ...key }: NewKey,
  createdAt: number,
): Step<void> {
  const row = { ...key, scopes: JSON.stringify(scopes), integrationId, createdAt };
  return run(db.insert(tables.integrationKeys).values(row));
}

function keyColumns(keys: Tables['integrationKeys']) {
  const { keyHash: _, keyPrefix: __, issuedBy: ___, ...columns } = getTableColumns(keys);
  return columns;
}

type KeyRow = Omit<StoredIntegrationKey, 'scopes'> & { scopes: string };
const toIntegrationKey = (row: KeyRow): StoredIntegrationKey => ({
  ...row,
  scopes: parseList<KeyScope>(row.scopes),
});

const isLive = ({ revokedAt, expiresAt }: StoredIntegrationKey, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** The key with a hash and its integration, unless that was deleted. SQLite prepares the statement once: each unknown key runs it. */
export function keyByHash(db: Db, tables: IntegrationTables, keyHash: string | Placeholder) {
  const { integrations, integrationKeys } = tables;
  const { columns, newestKey } = integrationWithKey(tables);
  const used = alias(integrationKeys, 'used_key');
  return db
    .select({
      key: keyColumns(used as unknown as typeof integrationKeys),
      integration: columns,
      revision: integrations.revision,
    })
    .from(used)
    .innerJoin(integrations, and(eq(integrations.id, used.integrationId), isNull(integrations.deletedAt)))
    .leftJoin(integrationKeys, newestKey)
    .where(eq(used.keyHash, keyHash));
}
export type RowOfKey = Awaited<ReturnType<typeof keyByHash>>[number];

/**
 * `ordinary` runs without the urgency of what operators do: the use of a key is not worth the reserve of the disk. `lookUp` finds
 * the row of `keyByHash`.
 */
export function createIntegrationKeyStore(
  sql: Sql,
  ordinary: Sql,
  lookUp: (keyHash: string) => Promise<RowOfKey | null>,
): IntegrationKeyStore {
  const { integrations, integrationKeys } = sql.tables;
  const columns = keyColumns(integrationKeys);

  /** The id of the integration as it is stored; null when there is none. */
  function* ownerOf(db: Db, integrationId: string, where?: SQL): Step<string | null> {
    const { id } = integrations;
    const isIt = and(eq(id, integrationId.toLowerCase()), where);
    return (yield* first(db.select({ id }).from(integrations).where(isIt)))?.id ?? null;
  }
  const presentOwnerOf = (db: Db, integrationId: string): Step<string | null> =>
    ownerOf(db, integrationId, isNull(integrations.deletedAt));

  function* find(db: Db, owner: string, id: string): Step<StoredIntegrationKey | null> {
    const isIt = and(eq(integrationKeys.integrationId, owner), eq(integrationKeys.id, id.toLowerCase()));
    const row = yield* first(db.select(columns).from(integrationKeys).where(isIt));
    return row && toIntegrationKey(row);
  }

  function liveCount(db: Db, owner: string, now: number): Step<number> {
    const { integrationId, revokedAt, expiresAt } = integrationKeys;
    const isLive = and(isNull(revokedAt), or(isNull(expiresAt), gt(expiresAt, now)));
    return totalOf(db, integrationKeys, and(eq(integrationId, owner), isLive));
  }

  return {
    create: (integrationId, key, now, most) =>
      sql.change(function* (db) {
        const owner = yield* presentOwnerOf(db, integrationId);
        if (owner === null) return 'no_integration';
        if ((yield* liveCount(db, owner, now)) >= most) return 'too_many';
        yield* insertKey(sql, db, owner, key, now);
        yield* sql.raiseRevision(db, owner);
        return (yield* find(db, owner, key.id)) as StoredIntegrationKey;
      }),

    list: (integrationId, page) =>
      sql.read(function* (db) {
        const owner = yield* ownerOf(db, integrationId);
        if (owner === null) return null;
        const where = eq(integrationKeys.integrationId, owner);
        const rows = yield* all(
          db
            .select(columns)
            .from(integrationKeys)
            .where(where)
            .orderBy(desc(integrationKeys.createdAt), desc(integrationKeys.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return { items: rows.map(toIntegrationKey), total: yield* totalOf(db, integrationKeys, where) };
      }),

    rotate: (integrationId, id, key, { now, until, most }) =>
      sql.change(function* (db) {
        const owner = yield* presentOwnerOf(db, integrationId);
        if (owner === null) return 'no_integration';
        const old = yield* find(db, owner, id);
        if (!old) return 'no_key';
        if (!isLive(old, now)) return 'not_live';
        const expiresAt = Math.min(old.expiresAt ?? until, until);
        if ((yield* liveCount(db, owner, now)) + (expiresAt > now ? 1 : 0) > most) return 'too_many';
        yield* run(db.update(integrationKeys).set({ expiresAt }).where(eq(integrationKeys.id, old.id)));
        yield* insertKey(sql, db, owner, { ...key, name: old.name, scopes: old.scopes }, now);
        yield* sql.raiseRevision(db, owner);
        return {
          created: (yield* find(db, owner, key.id)) as StoredIntegrationKey,
          replaces: { ...old, expiresAt },
        };
      }),

    revoke: (integrationId, id, now) =>
      sql.change(function* (db) {
        const owner = yield* presentOwnerOf(db, integrationId);
        const old = owner === null ? null : yield* find(db, owner, id);
        if (owner === null || !old) return 'no_key';
        if (old.revokedAt !== null) return 'already_revoked';
        yield* run(db.update(integrationKeys).set({ revokedAt: now }).where(eq(integrationKeys.id, old.id)));
        yield* sql.raiseRevision(db, owner);
        return { ...old, revokedAt: now };
      }),

    async find(keyHash, now) {
      const row = await lookUp(keyHash);
      if (!row?.key) return null;
      const key = toIntegrationKey(row.key);
      if (!isLive(key, now)) return null;
      return { key, integration: toStoredIntegration(row.integration), revision: row.revision };
    },

    recordUse: (id, now) =>
      ordinary.change(function* (db) {
        const { lastUsedAt } = integrationKeys;
        const earlier = or(isNull(lastUsedAt), lt(lastUsedAt, now));
        const isIt = and(eq(integrationKeys.id, id.toLowerCase()), earlier);
        yield* run(db.update(integrationKeys).set({ lastUsedAt: now }).where(isIt));
      }),
  };
}
