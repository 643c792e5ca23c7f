import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type * as tables from '../store/sqlite/tables.ts';

/**
 * Tables that evaluations read and write, which each database declares for itself. Their key is `id`: an integer on SQLite, where the
 * UUID is `uid`, and the UUID on PostgreSQL. A store that is written for both databases passes keys on without looking at them.
 */
export type HotTables = Pick<
  typeof tables,
  | 'callbacks'
  | 'events'
  | 'evaluationSessions'
  | 'evaluations'
  | 'grants'
  | 'reviewApprovals'
  | 'reviewComments'
  | 'reviewContents'
  | 'reviewHandling'
  | 'reviews'
  | 'stats'
  | 'violations'
  | 'webhookDeliveries'
>;

interface Keyed {
  uid: AnySQLiteColumn;
  id?: AnySQLiteColumn;
}

/** The column with the UUID. */
export const uidOf = <Table extends Keyed>(table: Table): Table['uid'] =>
  table.uid ?? (table.id as Table['uid']);

/** The UUID of a new row, as a value to insert. */
export const withUid = (table: Keyed, id: string): { uid: string } =>
  (table.uid === undefined ? { id } : { uid: id }) as { uid: string };

/** The column of `integrations` that hot tables refer to. */
export const keyOf = <Column>(integrations: { row: Column; id: AnySQLiteColumn }): Column =>
  integrations.row ?? (integrations.id as Column);
