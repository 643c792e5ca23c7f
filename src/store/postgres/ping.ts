import { sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { Postgres } from './database.ts';

/**
 * Rejects when the database cannot be written to: it is gone, a standby, or read-only. Those who ask meanwhile share one look: anyone
 * may ask.
 */
export function createPing({ change }: Pick<Postgres, 'change'>): () => Promise<void> {
  const look = (): Promise<void> =>
    change(async (tx) => {
      const { rows } = await tx.execute<{ readOnly: string }>(
        sql`SELECT current_setting('transaction_read_only') AS "readOnly"`,
      );
      if (rows[0]?.readOnly !== 'off')
        throw new AppError('unavailable', 'the database is read-only', { retryAfterSeconds: 1 });
    });
  let looking: Promise<void> | null = null;

  return () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
}
