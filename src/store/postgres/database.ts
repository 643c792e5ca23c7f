import { setTimeout } from 'node:timers/promises';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { CommitObserver } from '../store.ts';
import { type Address, connectionConfig, isConflict, isLost, prepareNothing, unavailable } from './client.ts';
import { type CommitMark, findMark, markCommit, newMark, wasCommitted } from './commit-marks.ts';
import { openListener } from './listener.ts';

/** The connection that drizzle's queries run on: one transaction. */
export type Db = NodePgDatabase;

/** The database as every part of this backend uses it. */
export interface Postgres {
  /** Runs a read, whose statements all see the same moment. */
  read<T>(query: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs a change in one transaction, and resolves once it is committed. `work` takes its locks in the order of their keys
   * (`locks.ts`), and may run more than once: it is tried again after a conflict and after a lost connection, and never when it
   * was committed.
   */
  change<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Says that what decides, or a key, may have been changed. */
  touch(): void;
  /** Differs from its last value when what decides, or a key, may have changed: by another process, within a second at the latest. */
  changeCount(): number;
  readonly pool: pg.Pool;
  /** See `Store.salt`. */
  readonly salt: string;
  close(): Promise<void>;
}

interface Transaction {
  readonly client: pg.ClientBase;
  /** Rows that its statements wrote. */
  written: number;
  readonly afterCommit: (() => void)[];
}
const transactions = new WeakMap<Db, Transaction>();

function transactionOf(tx: Db): Transaction {
  const found = transactions.get(tx);
  if (!found) throw new Error('this is no transaction of a change');
  return found;
}

/** The connection of the transaction, for statements that are not written with drizzle; the rows that they write are counted. */
export const clientOf = (tx: Db): pg.ClientBase => transactionOf(tx).client;
/** How many rows the change has written so far. */
export const writtenRows = (tx: Db): number => transactionOf(tx).written;
/** Runs `then` when the change is committed; never when it is rolled back. */
export const afterCommit = (tx: Db, then: () => void): void => void transactionOf(tx).afterCommit.push(then);

/** A transaction on this connection, and the database that its queries run on. `committed`: to be called once it is. */
export function startTransaction(client: pg.ClientBase): { tx: Db; committed(): void } {
  const counted = counting(client, () => transaction);
  const transaction: Transaction = { client: counted, written: 0, afterCommit: [] };
  const tx = drizzle(counted, { casing: 'snake_case' });
  transactions.set(tx, transaction);
  return {
    tx,
    committed() {
      for (const then of transaction.afterCommit) then();
    },
  };
}

const writing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Reads and changes that run at once; others wait. */
const mostConnections = 8;
const giveUpAfterMs = 10_000;
const pauseMs = 50;
/** How long another process's change of a key or a policy may stay unseen where it is not compared, when no listener hears of it. */
const forgetEveryMs = 1_000;

export function openPostgres(address: Address, commits?: CommitObserver): Omit<Postgres, 'salt'> {
  const pool = new pg.Pool({ ...connectionConfig(address.url), max: mostConnections });
  // A connection that breaks while nobody uses it: the pool opens another one. While it is used, its queries fail.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    if (!address.prepares) prepareNothing(client);
  });
  let changeCount = 0;
  const listener = openListener(address.direct, () => void changeCount++);
  let forgotAt = performance.now();
  const freeMarks: CommitMark[] = [];

  /** Tries again while the database cannot be reached, and after conflicts. */
  async function persistently<T>(attempt: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + giveUpAfterMs;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(isLost(error) || isConflict(error)) || performance.now() > giveUpAt) throw unavailable(error);
        await setTimeout(Math.random() * pauseMs);
      }
    }
  }

  async function within<T>(begin: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query(begin);
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // Also where the rollback is what fails.
      const isUsable =
        !isLost(error) &&
        (await client.query('ROLLBACK').then(
          () => true,
          () => false,
        ));
      client.release(!isUsable);
      throw error;
    }
  }

  const read: Postgres['read'] = (query) =>
    persistently(() =>
      within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (client) => {
        const result = await query(drizzle(client, { casing: 'snake_case' }));
        await client.query('COMMIT');
        return result;
      }),
    );

  const change: Postgres['change'] = (work) =>
    persistently(() =>
      within('BEGIN', async (client) => {
        const started = performance.now();
        const { tx, committed } = startTransaction(client);
        const result = await work(tx);
        const wrote = await commit(client);
        if (wrote) commits?.committed(1, (performance.now() - started) / 1_000);
        committed();
        return result;
      }),
    );

  /** Commits, and finds out whether it did when the connection is lost meanwhile. False when nothing was written. */
  async function commit(client: pg.PoolClient): Promise<boolean> {
    const mark = freeMarks.pop() ?? newMark();
    const { rows } = await client.query<{ xid: string }>(markCommit(mark));
    const xid = rows[0]?.xid;
    try {
      await client.query('COMMIT');
    } catch (error) {
      if (xid === undefined || !isLost(error) || !(await wasCommitted(pool, xid, findMark(mark))))
        throw error;
    }
    freeMarks.push(mark);
    return xid !== undefined;
  }

  return {
    read,
    change,
    touch() {
      changeCount++;
    },
    changeCount() {
      if (performance.now() - forgotAt > forgetEveryMs) {
        forgotAt = performance.now();
        changeCount++;
      }
      return changeCount;
    },
    pool,
    async close() {
      await listener.close();
      await pool.end();
    },
  };
}

/** The same connection, which counts the rows that are written. */
function counting(client: pg.ClientBase, transaction: () => Transaction): pg.PoolClient {
  const query = async (...args: unknown[]): Promise<pg.QueryResult> => {
    const result = await (client.query as (...args: unknown[]) => Promise<pg.QueryResult>)(...args);
    if (writing.has(result.command)) transaction().written += result.rowCount ?? 0;
    return result;
  };
  return { query } as unknown as pg.PoolClient;
}
