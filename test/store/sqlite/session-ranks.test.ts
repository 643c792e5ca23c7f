import Database from 'better-sqlite3';
import t from 'tap';
import { startApp } from '../../helpers/app.ts';

t.test('pages of thousands of sessions are exact, at every depth and after every change', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  const [one, two] = [await app.integration(), await app.integration()];
  const other = new Database(app.database);
  t.teardown(() => other.close());
  // As another process would: rows of both integrations, mixed.
  const insert = other.prepare(
    `INSERT INTO evaluation_sessions (uid, integration_id, status, external_session_id, metadata, started_at, expires_at)
     SELECT ?, id, 'ACTIVE', 'e', '{}', 0, 4000000000000 FROM integrations WHERE uid = ?`,
  );
  const state = other.prepare("INSERT INTO session_states VALUES (?, 0, 0, 0, 0, '[]', '[]', NULL, NULL)");
  const ids = new Map<string, string[]>([
    [one.id, []],
    [two.id, []],
  ]);
  let serial = 0;
  const open = other.transaction((count: number) => {
    for (let place = 0; place < count; place++) {
      const owner = serial % 3 === 0 ? two.id : one.id;
      const uid = `00000000-0000-7000-8000-${String(serial++).padStart(12, '0')}`;
      state.run(insert.run(uid, owner).lastInsertRowid);
      ids.get(owner)?.unshift(uid);
    }
  });
  const prove = async (): Promise<void> => {
    for (const { id, key } of [one, two]) {
      const all = ids.get(id) ?? [];
      const last = Math.max(1, Math.ceil(all.length / 200));
      for (const page of new Set([1, 2, Math.ceil(last / 2), last, last + 1])) {
        const { body } = await app.call(key, 'GET', `/v1/evaluation-sessions?size=200&page=${page}`);
        t.strictSame(
          body.data.map((session: { id: string }) => session.id),
          all.slice((page - 1) * 200, page * 200),
          `page ${page} of ${last}`,
        );
        t.equal(body.pagination.total, all.length);
      }
    }
  };
  for (const count of [0, 1, 998, 501, 3, 1_497, 1, 3_000]) {
    open(count);
    await prove();
  }
  const { body } = await app.call(one.key, 'POST', '/v1/evaluation-sessions', {});
  ids.get(one.id)?.unshift(body.data.id);
  await prove();
});
