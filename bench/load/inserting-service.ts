import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inserting, WrittenRows } from '../../src/evaluate/postgres/rows.ts';
import { type BareBody, serveBare } from './bare-service.ts';

// What replicas on PostgreSQL are compared with. It decides nothing, and writes rows of the width that evaluations have. `inserts`: in
// batches, and nothing else. `optimistic`: it keeps what it knows of sessions, and writes a batch's evaluations of each session
// that nobody else has changed; the others are read and tried again.
const { BENCH_DATABASE, BENCH_MODE } = process.env;
const laneCount = 2;
const mostJobs = 256;

interface Job extends BareBody {
  done: () => void;
}
interface State {
  version: number;
  actions: number;
}

const columns = {
  id: 'uuid',
  integration_id: 'uuid',
  session_id: 'uuid',
  seq: 'int',
  transport: 'text',
  phase: 'text',
  tool: 'text',
  outcome: 'text',
  enforcement_action: 'text',
  policy_set_id: 'text',
  input: 'text',
  chain_seq: 'bigint',
  entry_hash: 'text',
  content_salt: 'text',
  created_at: 'bigint',
};
const integrationId = randomUUID();
const hash = 'a'.repeat(64);

function rowsOf(jobs: readonly Job[]): pg.QueryConfig {
  const rows = new WrittenRows('insert', columns, inserting('bench_evaluations'));
  for (const { sessionId, input } of jobs)
    rows.add({
      id: randomUUID(),
      integration_id: integrationId,
      session_id: sessionId,
      seq: 1,
      transport: 'REST',
      phase: 'ACTION',
      tool: 'tool',
      outcome: 'ALLOW',
      enforcement_action: 'ALLOW',
      policy_set_id: hash,
      input: JSON.stringify(input),
      chain_seq: 1,
      entry_hash: hash,
      content_salt: 'b'.repeat(32),
      created_at: Date.now(),
    });
  return rows.statement as pg.QueryConfig;
}

const compareAndSet = `WITH given AS (SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::int[]) AS t(id, expected, actions)),
  locked AS MATERIALIZED (SELECT s.id FROM bench_states s WHERE s.id = ANY($1::uuid[]) ORDER BY s.id FOR UPDATE)
  UPDATE bench_states s SET version = s.version + 1, actions = given.actions FROM given, locked
  WHERE s.id = given.id AND s.id = locked.id AND s.version = given.expected RETURNING s.id::text`;

class Lane {
  readonly #client = new pg.Client(BENCH_DATABASE);
  readonly #states = new Map<string, State>();
  #queue: Job[] = [];
  #isBusy = false;

  connect = () => this.#client.connect();
  add(job: Job): void {
    this.#queue.push(job);
    if (this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(() => void this.#run());
  }
  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const jobs = this.#queue.splice(0, mostJobs);
      const written = BENCH_MODE === 'optimistic' ? await this.#writeOptimistically(jobs) : jobs;
      if (BENCH_MODE !== 'optimistic') await this.#client.query(rowsOf(jobs));
      for (const { done } of written) done();
    }
    this.#isBusy = false;
  }
  /** Returns the jobs that are done; the others are in the queue again. */
  async #writeOptimistically(jobs: readonly Job[]): Promise<readonly Job[]> {
    const bySession = Map.groupBy(jobs, ({ sessionId }) => sessionId);
    const unknown = [...bySession.keys()].filter((id) => !this.#states.has(id));
    if (unknown.length > 0) {
      const text = 'SELECT id::text, version::int, actions FROM bench_states WHERE id = ANY($1::uuid[])';
      const { rows } = await this.#client.query<State & { id: string }>({
        name: 'read',
        text,
        values: [unknown],
      });
      for (const { id, ...state } of rows) this.#states.set(id, state);
    }
    const expected = [...bySession].map(([id, { length }]) => {
      const state = this.#states.get(id) as State;
      return { id, version: state.version, actions: state.actions + length };
    });
    await this.#client.query('BEGIN');
    const values = [
      expected.map(({ id }) => id),
      expected.map(({ version }) => version),
      expected.map(({ actions }) => actions),
    ];
    const { rows } = await this.#client.query<{ id: string }>({ name: 'set', text: compareAndSet, values });
    const current = new Set(rows.map(({ id }) => id));
    const done = jobs.filter(({ sessionId }) => current.has(sessionId));
    if (done.length > 0) await this.#client.query(rowsOf(done));
    await this.#client.query('COMMIT');
    for (const { id, version, actions } of expected) {
      if (current.has(id)) this.#states.set(id, { version: version + 1, actions });
      else this.#states.delete(id);
    }
    this.#queue.unshift(...jobs.filter(({ sessionId }) => !current.has(sessionId)));
    return done;
  }
}

const lanes = Array.from({ length: laneCount }, () => new Lane());
await Promise.all(lanes.map((lane) => lane.connect()));
let next = 0;
/** A session is in one lane of this process, so that these do not wait for each other. */
const laneOf = ({ sessionId }: BareBody): Lane =>
  lanes[
    BENCH_MODE === 'optimistic' ? Number.parseInt(sessionId.slice(-6), 16) % laneCount : next++ % laneCount
  ] as Lane;

await serveBare((body) => new Promise((done) => laneOf(body).add({ ...body, done })));
