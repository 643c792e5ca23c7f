import Database from 'better-sqlite3';
import t from 'tap';
import { createSessionRanks } from '../../../src/store/sqlite/sessions/session-ranks.ts';
import { auditDatabase } from '../../durability/audit.ts';
import { createRandom } from '../../durability/random.ts';
import { startApp } from '../../helpers/app.ts';

t.test('pages of thousands of sessions are exact, at every depth and after every change', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  const [one, two] = [await app.integration(), await app.integration()];
  const other = new Database(app.database);
  t.teardown(() => other.close());
  // As another process would: rows of both integrations, mixed.
  const insert = other.prepare(
    `INSERT INTO evaluation_sessions (uid, integration_id, status, external_session_id, metadata, started_at, expires_at)
     SELECT ?, row, 'ACTIVE', 'e', '{}', 0, 4000000000000 FROM integrations WHERE id = ?`,
  );
  const state = other.prepare(
    "INSERT INTO session_states (session_id, action_count, warning_count, block_count, review_count, rejection_count, data_tags, tool_counts) VALUES (?, 0, 0, 0, 0, 0, '[]', '[]')",
  );
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

t.test('pages by status are those of the sessions, while some expire, end and are opened', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  const random = createRandom(21);
  const [one, two] = [await app.integration(), await app.integration()];
  const other = new Database(app.database);
  t.teardown(() => other.close());
  const rowOf = other.prepare('SELECT row FROM integrations WHERE id = ?').pluck();
  const rows = new Map([one.id, two.id].map((id) => [id, rowOf.get(id) as number]));
  const insert = other.prepare(
    `INSERT INTO evaluation_sessions (uid, integration_id, status, external_session_id, metadata, started_at, expires_at, ended_at)
     VALUES (@id, @row, @status, 'e', '{}', @at, @expiresAt, iif(@status = 'ACTIVE', NULL, @at))`,
  );
  const state = other.prepare(
    "INSERT INTO session_states (session_id, action_count, warning_count, block_count, review_count, rejection_count, data_tags, tool_counts) VALUES (?, 0, 0, 0, 0, 0, '[]', '[]')",
  );
  const update = other.prepare('UPDATE evaluation_sessions SET status = ?, ended_at = 1 WHERE uid = ?');
  const model: { id: string; owner: string; status: string; expiresAt: number }[] = [];
  const minute = 60_000;

  const open = other.transaction((count: number) => {
    const at = app.clock.now();
    for (let place = 0; place < count; place++) {
      const owner = random.chance(0.3) ? two.id : one.id;
      const id = `00000000-0000-7000-8000-${String(model.length).padStart(12, '0')}`;
      const status = random.chance(0.2) ? random.pick(['COMPLETED', 'TERMINATED']) : 'ACTIVE';
      // Most live equally long, as those do whose caller asks for nothing.
      const expiresAt = at + (random.chance(0.9) ? 60 : 1 + random.below(300)) * minute;
      const { lastInsertRowid } = insert.run({ id, row: rows.get(owner), status, at, expiresAt });
      state.run(lastInsertRowid);
      model.unshift({ id, owner, status, expiresAt });
    }
  });
  const end = other.transaction((count: number) => {
    for (let place = 0; place < count; place++) {
      const session = random.pick(model);
      if (session.status !== 'ACTIVE') continue;
      session.status = random.pick(['COMPLETED', 'TERMINATED']);
      update.run(session.status, session.id);
    }
  });
  const statusOf = (session: (typeof model)[number]): string =>
    session.status === 'ACTIVE' && session.expiresAt <= app.clock.now() ? 'EXPIRED' : session.status;

  for (const [opened, ended, minutes] of [
    [0, 0, 0],
    [3_000, 500, 20],
    [3_000, 500, 39],
    [5_000, 900, 1],
    [1, 0, 60],
    [0, 50, 1_000],
  ] as const) {
    open(opened);
    end(ended);
    app.clock.advance(minutes * minute);
    for (const { id, key } of [one, two]) {
      for (const status of ['ACTIVE', 'COMPLETED', 'TERMINATED', 'EXPIRED']) {
        const ids = model
          .filter((session) => session.owner === id && statusOf(session) === status)
          .map((session) => session.id);
        const last = Math.max(1, Math.ceil(ids.length / 200));
        for (const page of new Set([1, 2, Math.ceil(last / 2), last, last + 1])) {
          const url = `/v1/evaluation-sessions?status=${status}&size=200&page=${page}`;
          const { body } = await app.call(key, 'GET', url);
          t.strictSame(
            body.data.map((session: { id: string }) => session.id),
            ids.slice((page - 1) * 200, page * 200),
            `${status}, page ${page} of ${last}`,
          );
          t.equal(body.pagination.total, ids.length);
        }
      }
    }
  }
  const ranks = createSessionRanks({ client: other });
  for (const status of [undefined, 'ACTIVE', 'COMPLETED', 'TERMINATED', 'EXPIRED'] as const) {
    const uids = model
      .filter((session) => status === undefined || statusOf(session) === status)
      .map((session) => session.id);
    const uidOf = other.prepare('SELECT uid FROM evaluation_sessions WHERE id = ?').pluck();
    for (const offset of [0, 777, 5_000]) {
      const { ids, total } = ranks.pageOf(null, status, app.clock.now(), { limit: 300, offset });
      t.strictSame(
        ids.map((id) => uidOf.get(id)),
        uids.slice(offset, offset + 300),
        `${status} of all integrations`,
      );
      t.equal(total, uids.length);
    }
  }
  t.strictSame(auditDatabase(app.database), []);
});
