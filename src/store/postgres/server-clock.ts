import type pg from 'pg';

/** The time of PostgreSQL's server, in milliseconds since 1970. */
export interface ServerClock {
  now(): number;
  close(): void;
}

const measureEveryMs = 2_000;
const samples = 3;

/**
 * Measures the clock of the server again and again, and carries it on by one that nobody can set: replicas have the same time,
 * to within half of what a query takes, whatever the clocks of their machines say. While the server cannot be reached, the
 * time goes on.
 */
export async function openServerClock(pool: Pick<pg.Pool, 'query'>): Promise<ServerClock> {
  let ahead = await measure(pool);
  const timer = setInterval(() => {
    measure(pool).then(
      (measured) => {
        ahead = measured;
      },
      () => undefined,
    );
  }, measureEveryMs).unref();
  return {
    now: () => Math.floor(performance.now() + ahead),
    close: () => clearInterval(timer),
  };
}

/** How far the server's clock is ahead of the time that this process runs. The quickest response says it best. */
async function measure(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  let best = { ahead: Number.NaN, took: Number.POSITIVE_INFINITY };
  for (let sample = 0; sample < samples; sample++) {
    const sentAt = performance.now();
    const { rows } = await pool.query<{ now: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
    );
    const took = performance.now() - sentAt;
    const [{ now } = { now: Number.NaN }] = rows;
    if (took < best.took) best = { ahead: now - sentAt - took / 2, took };
  }
  return best.ahead;
}
