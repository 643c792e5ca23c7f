import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type * as tables from '../store/sqlite/tables.ts';

/**
 * Tables that evaluations read and write, which each database declares for itself. Their key is `id`: an integer on SQLite, where the
 * UUID is `uid`, and the UUID on PostgreSQL. A store that is written for both databases passes keys on without looking at them.
 */
export type HotTables = Pick<
  typeof tables,
  | 'auditEntries'
  | 'callbacks'
  | 'counterScopes'
  | 'counterSets'
  | 'events'
  | 'evaluationSessions'
  | 'evaluations'
  | 'grants'
  | 'reviewApprovals'
  | 'reviewComments'
  | 'reviewContents'
  | 'reviewHandling'
  | 'reviews'
  | 'sessionStates'
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

/** The column with the number of a row, in the order in which rows are written. */
export const positionOf = <Column>(table: { id: Column; position?: Column }): Column =>
  table.position ?? table.id;
