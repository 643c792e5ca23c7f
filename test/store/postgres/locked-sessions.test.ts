import pg from 'pg';
import t, { type Test } from 'tap';
import { lockGivenSessions, lockSessionsUp } from '../../../src/evaluate/postgres/batch-locks.ts';
import { startApp } from '../../helpers/app.ts';
import { createDatabase, untilAwaited } from './open.ts';

// Replicas wait for each other's locks. Here a connection of the test is the other replica: it holds a session's lock while
// the service evaluates.

async function connect(t: Test, address: string): Promise<pg.Client> {
  const client = new pg.Client(address);
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

async function startHeld(t: Test) {
  const address = await createDatabase(t);
  const app = await startApp(t, {}, { database: address });
  const { key } = await app.integration();
  const open = async (body = {}): Promise<string> =>
    (await app.call(key, 'POST', '/v1/evaluation-sessions', body)).body.data.id;
  const evaluate = (sessionId: string) =>
    app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'x' } });
  const holder = await connect(t, address);
  /** Holds the session while `change` is made, until others wait for it; then commits. */
  async function holding<T>(id: string, change: string, wait: () => Promise<T>): Promise<T> {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM session_states WHERE session_id = $1 FOR UPDATE', [id]);
    await holder.query(change, [id]);
    const waiting = wait();
    await untilAwaited(holder);
    await holder.query('COMMIT');
    return waiting;
  }
  return { address, open, evaluate, holding };
}

const ending = `UPDATE evaluation_sessions SET status = 'COMPLETED', ended_at = 1 WHERE id = $1`;

t.test('an evaluation that waits for a session sees that it was ended meanwhile', async (t) => {
  const { open, evaluate, holding } = await startHeld(t);
  const id = await open();
  t.match(await evaluate(id), { status: 200 });
  t.match(await holding(id, ending, () => evaluate(id)), { status: 409 });
});

t.test('an evaluation in a session that another process opened sees its end, too', async (t) => {
  const { open, evaluate, holding } = await startHeld(t);
  const id = await open();
  t.match(await holding(id, ending, () => evaluate(id)), { status: 409 });
});

t.test('an evaluation that waits for a session above its own sees that both were ended', async (t) => {
  const { open, evaluate, holding } = await startHeld(t);
  const parent = await open();
  const child = await open({ parentSessionId: parent });
  t.match(await evaluate(child), { status: 200 });
  const endingBoth = `UPDATE evaluation_sessions SET status = 'COMPLETED', ended_at = 1
    WHERE id = $1 OR parent_uid = $1`;
  t.match(await holding(parent, endingBoth, () => evaluate(child)), { status: 409 });
});

t.test('what an evaluation counts on is what was recorded while it waited', async (t) => {
  const { address, open, evaluate, holding } = await startHeld(t);
  const id = await open();
  await holding(id, 'UPDATE session_states SET action_count = 41 WHERE session_id = $1', () => evaluate(id));
  const client = await connect(t, address);
  const { rows } = await client.query('SELECT action_count FROM session_states WHERE session_id = $1', [id]);
  t.strictSame(rows, [{ action_count: 42 }]);
});

t.test('a statement that locks sessions reads the newest of both their rows', async (t) => {
  const { address, open, holding } = await startHeld(t);
  const waiter = await connect(t, address);
  const change = `WITH counted AS (UPDATE session_states SET action_count = 7 WHERE session_id = $1)
    UPDATE evaluation_sessions SET status = 'COMPLETED', has_children = true WHERE id = $1`;
  const read = async (text: string) => {
    const id = await open();
    const { rows } = await holding(id, change, () => waiter.query(text, [[id]]));
    return rows;
  };
  const newest = { actionCount: 7, status: 'COMPLETED', hasChildren: true };
  t.match(await read(lockGivenSessions), [newest]);
  t.match(await read(lockSessionsUp), [newest]);
  // Of a table that is joined and not locked come rows from before: this is what the statements guard against.
  const unguarded = lockGivenSessions.replace('FOR UPDATE OF t, s', 'FOR UPDATE OF t');
  t.match(await read(unguarded), [{ actionCount: 7, status: 'ACTIVE', hasChildren: false }]);
});
