import { AppError } from '../../../errors.ts';
import { type MovedRow, type MoveTarget, type TableCopy, TableDigest } from '../../move.ts';
import { beginUntimed, createClient, untimed } from '../client.ts';
import { migrateDatabase } from '../migrate.ts';

/** The key of the lock that a move holds as long as it is connected. */
const moveLock = 4_710_002;
const rowsAtOnce = 1_000;
/** Entries that are recorded from now on come after the copied ones. */
const goOnCounting = `SELECT setval('record_positions', greatest(1, (SELECT max(position) FROM (
    SELECT position FROM evaluations UNION ALL SELECT position FROM record_entries
    UNION ALL SELECT position FROM audit_entries UNION ALL SELECT position FROM session_changes) AS positions))),
  setval(pg_get_serial_sequence('events', 'place'), greatest(1, (SELECT sequence FROM event_log)))`;

/** The address of a PostgreSQL database that is empty, or to which an earlier move was not finished. */
export async function openMoveTarget(address: string, migrations: string): Promise<MoveTarget> {
  await migrateDatabase(address, migrations);
  // A table is copied in one transaction, which takes as long as it takes.
  const client = createClient(address, untimed);
  await client.connect();

  async function one<T>(text: string, values: unknown[] = []): Promise<T | null> {
    const { rows } = await client.query<{ value: T }>(text, values);
    return rows[0]?.value ?? null;
  }
  async function within<T>(work: () => Promise<T>): Promise<T> {
    await client.query(`${beginUntimed}; SET LOCAL idle_in_transaction_session_timeout = 0`);
    try {
      const result = await work();
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
  async function add(table: string, rows: readonly MovedRow[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {}).map((name) => client.escapeIdentifier(name));
    await client.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`,
      [JSON.stringify(rows)],
    );
  }
  async function digest(table: string, columns: readonly string[], where = 'true'): Promise<TableDigest> {
    const found = new TableDigest();
    const names = columns.map((name) => client.escapeIdentifier(name));
    await client.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${names} FROM ${table} WHERE ${where}`);
    for (;;) {
      const { rows } = await client.query<MovedRow>(`FETCH ${rowsAtOnce} FROM copied`);
      for (const row of rows) found.add(asGiven(row), columns);
      if (rows.length < rowsAtOnce) break;
    }
    await client.query('CLOSE copied');
    return found;
  }
  const copying: TableCopy = {
    add,
    digest: async (table, columns) =>
      columns.length === 0 ? countOnly(await count(table)) : digest(table, columns),
    async replaceEvaluations(rows) {
      const positions = rows.map(({ position }) => position);
      await client.query('DELETE FROM evaluations WHERE position = ANY($1::bigint[])', [positions]);
      await add('evaluations', rows);
    },
  };
  const count = async (table: string): Promise<number> =>
    (await one<number>(`SELECT count(*) AS value FROM ${table}`)) ?? 0;

  return {
    async begin() {
      if (!(await one<boolean>('SELECT pg_try_advisory_lock($1) AS value', [moveLock])))
        throw new AppError('conflict', 'another move to this database is going on');
      if (await one<string>("SELECT to_regclass('unfinished_move')::text AS value")) return;
      if (
        await one<boolean>(
          'SELECT EXISTS (SELECT 1 FROM operators UNION ALL SELECT 1 FROM integrations) AS value',
        )
      )
        throw new AppError(
          'conflict',
          'the PostgreSQL database has data of its own: move to an empty one, or start the service with this one if an earlier move filled it',
        );
      await client.query('CREATE TABLE unfinished_move (erased bigint)');
    },
    lastEvaluation: async () =>
      one<string>('SELECT id AS value FROM evaluations ORDER BY position DESC LIMIT 1'),
    async erasedAtFirst(place) {
      const first = await one<number>('SELECT erased AS value FROM unfinished_move');
      if (first !== null) return first;
      await client.query('INSERT INTO unfinished_move VALUES ($1)', [place]);
      return place;
    },
    addEvaluations: (rows) =>
      within(async () => {
        await add('evaluations', rows);
        const columns = Object.keys(rows[0] ?? {});
        const given = new TableDigest();
        for (const row of rows) given.add(row, columns);
        const [first, last] = [rows[0]?.position, rows.at(-1)?.position];
        const there = await digest('evaluations', columns, `position BETWEEN ${first} AND ${last}`);
        if (!given.equals(there))
          throw new AppError('conflict', 'what was copied of the evaluations differs from what is there');
      }),
    replaceTables: (tables, copy) =>
      within(async () => {
        // A move may have been killed after this; rows that are permanent cannot be deleted one by one.
        await client.query(`TRUNCATE ${tables.join()}`);
        await copy(copying);
        await client.query(goOnCounting);
      }),
    async finish() {
      await client.query('DROP TABLE IF EXISTS unfinished_move');
    },
    close: () => client.end(),
  };

  function countOnly(rows: number): TableDigest {
    const found = new TableDigest();
    found.count = rows;
    return found;
  }
  function asGiven(row: MovedRow): MovedRow {
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, givenOf(value)]));
  }
}

/** Bytes are given as hexadecimal text. */
const givenOf = (value: unknown): string | number | null =>
  Buffer.isBuffer(value)
    ? `\\x${value.toString('hex').toUpperCase()}`
    : typeof value === 'boolean'
      ? Number(value)
      : (value as string | number | null);
