import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Column, getTableColumns, getTableName, is, Table } from 'drizzle-orm';
import * as ofPostgres from '../../src/store/postgres/tables.ts';
import * as ofSqlite from '../../src/store/sqlite/tables.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/record-coverage.md'), 'utf8');

/** `table.column` of one list of docs/record-coverage.md. */
function listed(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => `${table}.${column}`),
  );
}
export const covered = listed('Covered');
export const derived = listed('Derived');
export const notCovered = listed('Not covered');

const columnName = (column: Column): string =>
  column.keyAsName ? column.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : column.name;

/** `table.column` of all tables of both databases. */
export const columns: readonly string[] = [
  ...new Set(
    [ofSqlite, ofPostgres].flatMap((tables) =>
      (Object.values(tables) as unknown[]).flatMap((table) =>
        is(table, Table)
          ? Object.values(getTableColumns(table)).map(
              (column) => `${getTableName(table)}.${columnName(column)}`,
            )
          : [],
      ),
    ),
  ),
];
