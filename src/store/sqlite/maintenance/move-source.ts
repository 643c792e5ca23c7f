import { hash } from 'node:crypto';
import { sightingsText } from '../../../evaluate/sightings.ts';
import { SeenIdentifiers } from '../../../evaluate/sqlite/seen-identifiers.ts';
import type { MovedRow, MoveSource } from '../../move.ts';
import type { Client } from '../client.ts';
import { findMove } from '../file/existing.ts';
import { evaluationColumns, movedTables } from './move-tables.ts';
import { assertCurrent, openOurs } from './state.ts';

const rowsAtOnce = 1_000;

/** The file, while it may be in use. */
export function openMoveSource(file: string, migrations: string): MoveSource {
  const client = openOurs(file, migrations);
  try {
    assertCurrent(file, migrations);
  } catch (error) {
    client.close();
    throw error;
  }
  client.function('sha256', { deterministic: true }, (text: unknown) => hash('sha256', String(text)));
  client.function('base64url', { deterministic: true }, (bytes: unknown) =>
    (bytes as Buffer).toString('base64url'),
  );
  client.function('position', { deterministic: false }, (row: unknown) => positions.of(Number(row)));
  let positions = readPositions(client);
  const evaluationsWhere = (where: string) =>
    `SELECT ${evaluationColumns} FROM evaluations WHERE ${where} ORDER BY evaluations.id`;
  const after = client.prepare<[string | null, number], MovedRow>(
    `${evaluationsWhere('evaluations.id > coalesce((SELECT id FROM evaluations WHERE uid = ?), 0)')} LIMIT ?`,
  );
  const erased = evaluationsWhere(
    'evaluations.id > ? AND evaluations.id <= ? AND content_digests IS NOT NULL',
  );

  return {
    movedTo: () => findMove(client),
    tables: movedTables.map(({ table }) => table),
    rows(table) {
      if (table === 'sightings') return inChunks(eachSighting(client));
      const { select = '' } = movedTables.find((one) => one.table === table) ?? {};
      return inChunks(client.prepare<unknown[], MovedRow>(select).iterate());
    },
    evaluations(id, limit) {
      positions = readPositions(client);
      return after.all(id, limit);
    },
    erasedEvaluations: (from, upTo) =>
      inChunks(client.prepare<unknown[], MovedRow>(erased).iterate(from, upTo)),
    erasedUpTo: () =>
      client
        .prepare<[], number>('SELECT coalesce(max(evaluation_id), 0) FROM content_retention')
        .pluck()
        .get() ?? 0,
    hold() {
      client.exec('BEGIN IMMEDIATE');
      positions = readPositions(client);
    },
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

/** Each digest of each session, with its newest sightings. */
function* eachSighting(client: Client): Generator<MovedRow> {
  const sessions = client.prepare<[number], { row: number; id: string; open: Buffer | null }>(
    `SELECT t.session_id AS row, s.uid AS id, t.sightings AS open FROM session_states t
     JOIN evaluation_sessions s ON s.id = t.session_id
     WHERE t.has_sightings = 1 AND t.session_id > ? ORDER BY t.session_id LIMIT ${rowsAtOnce}`,
  );
  const blocksOf = client
    .prepare<[number], Buffer>('SELECT data FROM sightings WHERE session_id = ? ORDER BY block')
    .pluck();
  for (let after = 0, some = sessions.all(after); some.length > 0; some = sessions.all(after))
    for (const { row, id, open } of some) {
      after = row;
      for (const { digest, sightings } of new SeenIdentifiers(blocksOf.all(row), open).all())
        yield { session_id: id, digest, data: sightingsText(sightings) };
    }
}

const tablesOf = (client: Client): string[] =>
  client
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();

function* inChunks(rows: Iterable<MovedRow>): Generator<MovedRow[]> {
  let some: MovedRow[] = [];
  for (const row of rows) {
    some.push(row);
    if (some.length < rowsAtOnce) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** Evaluations, entries of the record and changes of sessions are numbered together, without gaps but those between evaluations. */
class Positions {
  /** In their order: the rows of evaluations after which something else has its place, once for each. */
  readonly #after: readonly number[];

  constructor(after: readonly number[]) {
    this.#after = after;
  }
  /** The position of a row. Rows with a later place have no part in it: it stays the same while more is recorded. */
  of(row: number): number {
    let [low, high] = [0, this.#after.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#after[middle] as number) < row) low = middle + 1;
      else high = middle;
    }
    return row + low;
  }
}

const readPositions = (client: Client): Positions =>
  new Positions(
    client
      .prepare<[], number>(
        `SELECT after_evaluation_id AS row FROM record_entries
         UNION ALL SELECT after_evaluation_id FROM session_changes ORDER BY row`,
      )
      .pluck()
      .all(),
  );
