import pg from 'pg';
import t from 'tap';
import { ask } from './pair.ts';
import { startThree } from './three.ts';

/** As in src/store/postgres/client.ts; and what a busy machine takes to notice. */
const timeoutMs = 2_000;
const noticedMs = 1_000;

t.test('a replica that stops in a transaction holds up the others no longer than its timeout', async (t) => {
  const { server, urls, services, key } = await startThree(t);
  const { data: session } = await ask(urls[0], key, 'POST', '/v1/evaluation-sessions', {});
  const evaluate = (url: string) =>
    ask(url, key, 'POST', '/v1/evaluate', { sessionId: session.id, input: { tool: 'x' } });
  const database = new pg.Client(server.address);
  await database.connect();
  t.teardown(() => database.end());
  const stopped = services[0]?.pid ?? 0;
  /** Holds the lock of the session, and waits for its client. */
  const isHeld = async () =>
    (
      await database.query(
        `SELECT 1 FROM pg_stat_activity JOIN pg_locks USING (pid)
         WHERE state = 'idle in transaction' AND relation = 'session_states'::regclass`,
      )
    ).rowCount !== 0;

  for (let round = 0; round < 3; round++) {
    const { signal, end } = loadOf(() => evaluate(urls[0]));
    // Only when it stopped in the middle of a transaction, other than where it waits for the next request.
    for (;;) {
      process.kill(stopped, 'SIGSTOP');
      if (await isHeld()) break;
      process.kill(stopped, 'SIGCONT');
      await evaluate(urls[1]);
    }
    const started = performance.now();
    t.match(await evaluate(urls[2]), { status: 200 });
    const waited = performance.now() - started;
    t.ok(waited <= timeoutMs + noticedMs, `${Math.round(waited)} ms`);
    process.kill(stopped, 'SIGCONT');
    end();
    await signal;
  }
  const { data } = await ask(urls[1], key, 'GET', `/v1/evaluation-sessions/${session.id}`);
  const { rows } = await database.query('SELECT count(*)::int AS count FROM evaluations');
  t.equal(data.actionCount, rows[0].count, 'what it had begun is undone, or done once');
});

/** Sends again and again until it is ended. */
function loadOf(send: () => Promise<unknown>) {
  let isEnded = false;
  async function work(): Promise<void> {
    while (!isEnded) await send();
  }
  return {
    signal: Promise.all(Array.from({ length: 8 }, work)),
    end() {
      isEnded = true;
    },
  };
}
