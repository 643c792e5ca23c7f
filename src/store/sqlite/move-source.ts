import { hash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { MovedRow, MoveSource } from '../move.ts';
import { assertCurrent, openOurs } from './maintenance/state.ts';
import { findMove } from './moved.ts';
import { evaluationColumns, movedTables, positionOf } from './moved-tables.ts';

const rowsAtOnce = 1_000;

/** The file, while it may be in use. */
export function openMoveSource(file: string, migrations: string): MoveSource {
  const client = openOurs(file, migrations);
  try {
    assertCurrent(file, migrations);
    const old = client.prepare('SELECT uid FROM evaluations WHERE chain_seq IS NULL LIMIT 1').pluck().get();
    if (old !== undefined)
      throw new AppError(
        'invalid',
        `the evaluation ${old} is from before the record was kept, and cannot be moved`,
      );
  } catch (error) {
    client.close();
    throw error;
  }
  client.function('sha256', { deterministic: true }, (text: unknown) => hash('sha256', String(text)));
  const evaluationsWhere = (where: string) =>
    client.prepare<unknown[], MovedRow>(
      `SELECT ${evaluationColumns} FROM evaluations WHERE ${where} ORDER BY evaluations.id LIMIT ?`,
    );
  const after = evaluationsWhere('evaluations.id > ?');
  const erased = evaluationsWhere(
    'evaluations.id > ? AND evaluations.id <= ? AND content_digests IS NOT NULL',
  );
  const rowOf = (position: number): number => position / positionOf(1);

  return {
    movedTo: () => findMove(client),
    tables: movedTables.map(({ table }) => table),
    *rows(table) {
      const { select = '' } = movedTables.find((one) => one.table === table) ?? {};
      let some: MovedRow[] = [];
      for (const row of client.prepare<[], MovedRow>(select).iterate()) {
        some.push(row);
        if (some.length < rowsAtOnce) continue;
        yield some;
        some = [];
      }
      if (some.length > 0) yield some;
    },
    evaluations: (position, limit) => after.all(rowOf(position), limit),
    erasedEvaluations: (from, upTo, limit) => erased.all(rowOf(from), rowOf(upTo), limit),
    erasedUpTo: () =>
      positionOf(
        client
          .prepare<[], number>('SELECT coalesce(max(evaluation_id), 0) FROM content_retention')
          .pluck()
          .get() ?? 0,
      ),
    hold: () => void client.exec('BEGIN IMMEDIATE'),
    release: () => {
      if (client.inTransaction) client.exec('ROLLBACK');
    },
    markMoved(address, at) {
      client.exec('CREATE TABLE moved (address TEXT NOT NULL, at INTEGER NOT NULL) STRICT');
      client.prepare('INSERT INTO moved VALUES (?, ?)').run(address, at);
      // Whoever has the file open now is refused, too.
      for (const table of tablesOf(client))
        for (const change of ['INSERT', 'UPDATE', 'DELETE'])
          client.exec(`CREATE TRIGGER moved_${table}_${change.toLowerCase()} BEFORE ${change} ON ${table}
            BEGIN SELECT RAISE(ABORT, 'the database was moved'); END`);
      client.exec('COMMIT');
    },
    close: () => client.close(),
  };
}

const tablesOf = (client: ReturnType<typeof openOurs>): string[] =>
  client
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
