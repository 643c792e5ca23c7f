import pg from 'pg';
import { type Address, connectionConfig, prepareNothing } from './client.ts';
import { newMark } from './commit-marks.ts';

/** A connection, opened again when it was lost. */
export class Lane {
  readonly #address: Address;
  readonly mark = newMark();
  #client: pg.Client | null = null;

  constructor(address: Address) {
    this.#address = address;
  }

  async connection(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const { url, prepares } = this.#address;
    const client = new pg.Client({ ...connectionConfig(url), pipeline: true });
    if (!prepares) prepareNothing(client);
    client.on('error', () => {
      if (this.#client === client) this.#client = null;
    });
    await client.connect();
    this.#client = client;
    return client;
  }
  drop(): void {
    const client = this.#client;
    this.#client = null;
    client?.end().catch(() => undefined);
  }
  async rollBack(): Promise<void> {
    await this.#client?.query('ROLLBACK').catch(() => this.drop());
  }
  async close(): Promise<void> {
    await this.#client?.end().catch(() => undefined);
  }
}

/** Runs `send`, whose statements reach the server as one write: each would be a system call of its own here, and wake the server there. */
export function sendTogether<Result>(client: pg.Client, send: () => Result): Result {
  const { stream } = client.connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
