import { and, eq, isNull } from 'drizzle-orm';
import { first, run, type Sql } from '../../sql/steps.ts';

/** Tool catalogues of integrations, as JSON text. */
export interface ToolCatalogueStore {
  /** `tools` and `updatedAt` are null before a catalogue was stored. Null when there is no such integration. */
  find(integrationId: string): Promise<{ tools: string | null; updatedAt: number | null } | null>;

  /**
   * Replaces the catalogue. 'no_integration': there is none, or it was deleted. 'outdated': the catalogue is not the `expected`
   * text; null expects that none was stored.
   */
  replace(
    integrationId: string,
    tools: string,
    now: number,
    expected?: string | null,
  ): Promise<'replaced' | 'no_integration' | 'outdated'>;
}

export function createToolCatalogueStore(sql: Sql): ToolCatalogueStore {
  const { integrations, toolCatalogues } = sql.tables;
  const { integrationId: owner, tools: stored, updatedAt: storedAt } = toolCatalogues;

  return {
    find: (integrationId) =>
      sql.read((db) =>
        first(
          db
            .select({ tools: stored, updatedAt: storedAt })
            .from(integrations)
            .leftJoin(toolCatalogues, eq(owner, integrations.id))
            .where(eq(integrations.id, integrationId.toLowerCase())),
        ),
      ),

    replace: (integrationId, tools, updatedAt, expected) =>
      sql.change(function* (db) {
        const { id, deletedAt } = integrations;
        const isPresent = and(eq(id, integrationId.toLowerCase()), isNull(deletedAt));
        const integration = yield* first(db.select({ id }).from(integrations).where(isPresent));
        if (!integration) return 'no_integration';
        const before = yield* first(
          db.select({ tools: stored }).from(toolCatalogues).where(eq(owner, integration.id)),
        );
        if (expected !== undefined && expected !== (before?.tools ?? null)) return 'outdated';
        yield* run(
          db
            .insert(toolCatalogues)
            .values({ integrationId: integration.id, tools, updatedAt })
            .onConflictDoUpdate({ target: owner, set: { tools, updatedAt } }),
        );
        yield* sql.raiseRevision(db, integration.id);
        return 'replaced';
      }),
  };
}
