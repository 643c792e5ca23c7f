import { desc, eq } from 'drizzle-orm';
import { all, type Db, first, run, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import { offsetOf, type Page, type PageRequest } from '../../store/pages.ts';
import { parseList } from '../../store/rows.ts';
import type { ToolListing } from './words.ts';

export interface StoredMcpServer {
  id: string;
  /** Unique; never changes. */
  name: string;
  url: string;
  /** A JSON list of `Name: value`, sealed; null for none. */
  headers: string | null;
  /** Empty means all. */
  integrationIds: string[];
  forwardsAuthorization: boolean;
  toolList: ToolListing;
  holdSeconds: number;
  masks: boolean;
  timeoutSeconds: number;
  createdAt: number;
  updatedAt: number;
}

/** Fields that are absent stay as they are. */
export type McpServerChange = Partial<Omit<StoredMcpServer, 'id' | 'name' | 'createdAt' | 'updatedAt'>>;

/** Remote MCP servers that the proxy stands in front of. */
export interface McpServerStore {
  create(server: Omit<StoredMcpServer, 'updatedAt'>): Promise<StoredMcpServer | 'name_taken' | 'too_many'>;
  find(id: string): Promise<StoredMcpServer | null>;
  findByName(name: string): Promise<StoredMcpServer | null>;
  /** Newest first. */
  list(page: PageRequest): Promise<Page<StoredMcpServer>>;
  change(id: string, change: McpServerChange, now: number): Promise<StoredMcpServer | null>;
  /** Null when there was none. */
  delete(id: string): Promise<StoredMcpServer | null>;
  /** Replaces sealed headers; `seal` must be pure, and returns null to leave them. */
  reseal(seal: (server: StoredMcpServer) => string | null): Promise<void>;
}

const mostServers = 200;

export function createMcpServerStore(sql: Sql): McpServerStore {
  const { mcpServers } = sql.tables;

  function* find(db: Db, id: string): Step<StoredMcpServer | null> {
    const row = yield* first(db.select().from(mcpServers).where(eq(mcpServers.id, id.toLowerCase())));
    return row && toServer(row);
  }

  return {
    create: (server) =>
      sql.change(function* (db) {
        if ((yield* totalOf(db, mcpServers, eq(mcpServers.name, server.name))) > 0) return 'name_taken';
        if ((yield* totalOf(db, mcpServers)) >= mostServers) return 'too_many';
        const created = { ...server, updatedAt: server.createdAt };
        yield* run(db.insert(mcpServers).values({ ...created, ...listColumns(server) }));
        return created;
      }),

    find: (id) => sql.read((db) => find(db, id)),

    findByName: (name) =>
      sql.read(function* (db) {
        const row = yield* first(db.select().from(mcpServers).where(eq(mcpServers.name, name)));
        return row && toServer(row);
      }),

    list: (page) =>
      sql.read(function* (db) {
        const rows = yield* all(
          db
            .select()
            .from(mcpServers)
            .orderBy(desc(mcpServers.createdAt), desc(mcpServers.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return { items: rows.map(toServer), total: yield* totalOf(db, mcpServers) };
      }),

    change: (id, { integrationIds, ...change }, now) =>
      sql.change(function* (db) {
        yield* run(
          db
            .update(mcpServers)
            .set({ ...change, ...(integrationIds && listColumns({ integrationIds })), updatedAt: now })
            .where(eq(mcpServers.id, id.toLowerCase())),
        );
        return yield* find(db, id);
      }),

    delete: (id) =>
      sql.change(function* (db) {
        const last = yield* find(db, id);
        if (last) yield* run(db.delete(mcpServers).where(eq(mcpServers.id, last.id)));
        return last;
      }),

    reseal: (seal) =>
      sql.change(function* (db) {
        for (const row of yield* all(db.select().from(mcpServers))) {
          const headers = seal(toServer(row));
          if (headers !== null)
            yield* run(db.update(mcpServers).set({ headers }).where(eq(mcpServers.id, row.id)));
        }
      }),
  };
}

const listColumns = ({ integrationIds }: { integrationIds: readonly string[] }) => ({
  integrationIds: JSON.stringify(integrationIds),
});

const toServer = <Row extends { integrationIds: string }>({ integrationIds, ...row }: Row) => ({
  ...row,
  integrationIds: parseList<string>(integrationIds),
});
