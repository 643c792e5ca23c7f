import type { ColumnBaseConfig, ColumnDataType } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  type PgColumn,
  type PgTableWithColumns,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Columns } from '../sqlite/columns.ts';

const columns: Record<keyof Columns, unknown> = {
  table: pgTable,
  text,
  key: () => ({ id: uuid().primaryKey() }),
  rowKey: () => ({ id: uuid().primaryKey() }),
  rowId: () => uuid(),
  uuid: () => uuid(),
  integer: () => integer(),
  big: () => bigint({ mode: 'number' }),
  time: () => bigint({ mode: 'number' }),
  serial: () => bigserial({ mode: 'number' }).primaryKey(),
  flag: () => boolean(),
  bit: () => boolean().notNull().default(false),
  index,
  check,
  primaryKey,
};

/** Typed as SQLite's: stores that are written for both databases know one type of table. */
export const postgresColumns = columns as Columns;

type PostgresTable<T extends SQLiteTable> = PgTableWithColumns<{
  name: T['_']['name'];
  schema: undefined;
  dialect: 'pg';
  columns: {
    [Name in Exclude<keyof T['_']['columns'], 'row'>]: PgColumn<
      Pick<T['_']['columns'][Name]['_'], keyof ColumnBaseConfig<ColumnDataType, string>>,
      object,
      { generated: undefined; identity: undefined }
    >;
  };
}>;

/** The type that such a table has for stores that are written for PostgreSQL alone. */
export const asPostgresTable = <T extends SQLiteTable>(table: T): PostgresTable<T> =>
  table as unknown as PostgresTable<T>;
