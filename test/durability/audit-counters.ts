import type { Database } from 'better-sqlite3';
import { CountedScope } from '../../src/evaluate/counters/scope.ts';
import { CounterSet } from '../../src/evaluate/counters/sets.ts';

type Say = (sentence: string) => void;

/**
 * Recounts the counters of integrations that have one for each kind of scope, which must count all attempts, as those of the
 * load do (`policy`).
 */
export function auditCounters(client: Database, say: Say): void {
  const sets = client.prepare('SELECT integration_id AS integration, data FROM counter_sets').all() as {
    integration: number;
    data: string;
  }[];
  for (const { integration, data } of sets) {
    const members = (JSON.parse(data) as { members: [string, { over: string }][] }).members;
    const identities = new Map(members.map(([identity, { over }]) => [over, identity]));
    if (members.length !== 3 || identities.size !== 3) continue;
    const set = CounterSet.parse(data);
    const check = (what: string, over: string, bytes: Buffer, attempts: unknown): void => {
      const cell = new CountedScope(set, { salt: '', find: () => null }, bytes).find(
        identities.get(over) ?? '',
        '',
      );
      const counted = (cell?.slices ?? []).reduce(
        (sum, value, place) => (place % 2 === 1 ? sum + value : sum),
        0,
      );
      if (counted !== attempts) say(`${what} has counted ${counted} actions, and ${attempts} are recorded`);
    };
    const count = (from: string, ...values: unknown[]): unknown =>
      client
        .prepare(
          `SELECT count(*) FROM evaluations e LEFT JOIN evaluation_sessions s ON s.id = e.session_id
           WHERE e.phase = 'ACTION' AND e.integration_id = ? AND ${from}`,
        )
        .pluck()
        .get(integration, ...values);
    const scopes = client
      .prepare('SELECT scope, data FROM counter_scopes WHERE integration_id = ?')
      .all(integration) as { scope: string; data: Buffer }[];
    for (const { scope, data: bytes } of scopes) {
      const [over = '', entity] = scope.split(' ');
      const attempts =
        over === 'integration'
          ? count('TRUE')
          : entity === undefined
            ? count('s.entity_id IS NULL')
            : count('s.entity_id = ?', entity);
      check(scope, over, bytes, attempts);
    }
    const sessions = client
      .prepare(
        `SELECT s.id, t.counters FROM session_states t JOIN evaluation_sessions s ON s.id = t.session_id
         WHERE s.integration_id = ? AND t.counters IS NOT NULL`,
      )
      .all(integration) as { id: number; counters: Buffer }[];
    for (const { id, counters } of sessions)
      check(`session ${id}`, 'session', counters, count('e.session_id = ?', id));
  }
}
