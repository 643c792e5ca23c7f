import t from 'tap';
import type { Client } from '../../../src/store/sqlite/client.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { auditDatabase } from '../../durability/audit.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';
import { writeOlderFile } from './older-file.ts';

const hours = 3_600_000;
const now = 500 * hours;

/** Sessions of three integrations, as the first schema kept them. */
function writeSessions(client: Client): void {
  client.exec(`INSERT INTO policy_sets VALUES (1, '');
    INSERT INTO integrations SELECT value, 'i' || value, 'n', 'AGENT', NULL, '{}', 's', 0, 0, NULL FROM json_each('[1, 2, 3]')`);
  const session = client.prepare(
    `INSERT INTO evaluation_sessions (id, uid, integration_id, status, external_session_id, metadata, started_at, expires_at, ended_at)
     VALUES (@id, @uid, 1 + @id % 3, @status, 'e', '{}', @id, @id + ${24 * hours}, @endedAt)`,
  );
  const state = client.prepare(
    "INSERT INTO session_states VALUES (@id, @actions, 0, 0, 0, '[]', @tools, @last, @mark)",
  );
  const evaluation = client.prepare(
    `INSERT INTO evaluations (uid, integration_id, session_id, seq, previous_id, mark_id, transport, tool, outcome,
       enforcement_action, policy_set_id, created_at)
     VALUES (@uid, 1 + @id % 3, @id, @seq, @last, @mark, 'REST', 'a', 'ALLOW', 'ALLOW', 1, @id)`,
  );
  const statuses = ['ACTIVE', 'COMPLETED', 'TERMINATED', 'ACTIVE', 'COMPLETED'];
  client.transaction(() => {
    for (let id = 1; id <= 9_000; id++) {
      const status = statuses[id % 5];
      session.run({ id, uid: `s${id}`, status, endedAt: status === 'ACTIVE' ? null : id + 1 });
      const actions = { 4000: 99, 4500: 100, 5000: 1_234 }[id] ?? id % 3;
      let last: number | bigint | null = null;
      let mark: number | bigint | null = null;
      for (let seq = 1; seq <= actions; seq++) {
        last = evaluation.run({ id, uid: `e${id}.${seq}`, seq, last, mark }).lastInsertRowid;
        if (seq % 100 === 0) mark = last;
      }
      state.run({ id, actions, tools: JSON.stringify(actions ? [['a', actions]] : []), last, mark });
    }
  })();
}

t.test('a file of the first schema gets its counts and marks, and answers the same pages', async (t) => {
  const file = writeOlderFile(temporaryFolder(t), 1, writeSessions);
  const store = openSqliteStore({ file, migrations, onSyncFailure: (error) => t.fail(error.message) });
  t.teardown(() => store.close());
  t.strictSame(auditDatabase(file), []);
  t.equal((await store.clock.find()).latestAt, 9_000, 'the time of what was recorded last');
  const page = { page: 3, size: 200 };
  const { items, total } = await store.sessions.list('i2', { status: 'COMPLETED' }, page, now);
  const expected = Array.from({ length: 9_000 }, (_, place) => 9_000 - place).filter(
    (id) => id % 3 === 1 && (id % 5 === 1 || id % 5 === 4),
  );
  t.equal(total, expected.length);
  t.strictSame(
    items.map(({ id }) => id),
    expected.slice(400, 600).map((id) => `s${id}`),
  );
  const long = await store.evaluations.listInSession('i3', 's5000', { page: 6, size: 200 }, 1_000);
  t.strictSame(
    long?.items.map(({ seq }) => seq),
    Array.from({ length: 200 }, (_, place) => 234 - place),
  );
});
