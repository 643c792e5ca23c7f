import t from 'tap';
import type { Client } from '../../../src/store/sqlite/client.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';
import { writeOlderFile } from './older-file.ts';

/** Before the content of reviews had a table of its own. */
const applied = 5;
const now = 5_000;
const expiresAt = 9_000;

function writeReviews(client: Client): void {
  client.exec(`INSERT INTO policy_sets VALUES (1, '');
    INSERT INTO integrations VALUES (1, 'i', 'n', 'AGENT', NULL, '{}', 's', 0, 0, NULL)`);
  const evaluation =
    client.prepare(`INSERT INTO evaluations (id, uid, integration_id, transport, tool, outcome,
    enforcement_action, policy_set_id, created_at)
    VALUES (?, ?, 1, 'REST', 'mail', 'APPROVAL_REQUIRED', 'APPROVAL_REQUIRED', 1, 1)`);
  const review =
    client.prepare(`INSERT INTO reviews (id, uid, integration_id, evaluation_id, tool, input_hash, policy_set_id,
    status, created_at, expires_at, expiry_seconds, decided_at, callback_url)
    VALUES (?, ?, 1, ?, 'mail', 'h', 1, ?, 1, ${expiresAt}, 900, ?, ?)`);
  const callback = client.prepare("INSERT INTO callbacks VALUES (?, ?, ?, '{}', 0, ?, ?, NULL)");
  const rows = [
    { id: 1, status: 'PENDING', decidedAt: null, url: 'https://a.example/hook?to=ada' },
    {
      id: 2,
      status: 'APPROVED',
      decidedAt: 2,
      url: 'https://b.example/hook/ada',
      dueAt: 3,
      deliveredAt: null,
    },
    { id: 3, status: 'REJECTED', decidedAt: 2, url: 'https://c.example', dueAt: null, deliveredAt: 3 },
    { id: 4, status: 'PENDING', decidedAt: null, url: null },
  ];
  for (const { id, status, decidedAt, url, dueAt, deliveredAt } of rows) {
    evaluation.run(id, `e${id}`);
    review.run(id, `r${id}`, id, status, decidedAt, url);
    if (dueAt !== undefined) callback.run(id, `c${id}`, id, dueAt, deliveredAt);
  }
}

t.test('reviews of an older file keep their state, and their callbacks the address they go to', async (t) => {
  const file = writeOlderFile(temporaryFolder(t), applied, writeReviews);
  const store = openSqliteStore({ file, migrations, onSyncFailure: (error) => t.fail(error.message) });
  t.teardown(() => store.close());
  const review = (id: string, at = now) => store.reviews.find('i', id, at);
  t.match(await review('r1'), {
    status: 'PENDING',
    evaluationRunId: 'e1',
    callbackUrl: 'https://a.example',
  });
  t.match(await review('r1', expiresAt), { status: 'EXPIRED' });
  t.match(await review('r2'), { status: 'APPROVED', callbackUrl: 'https://b.example' });
  t.match(await review('r3'), { status: 'REJECTED', callback: { deliveredAt: 3 } });
  t.match(await review('r4'), { status: 'PENDING', callbackUrl: null });

  const due = await store.callbacks.claimDue(now, 10, now + 1);
  t.strictSame(
    due.map(({ id, url }) => [id, url]),
    [['c2', 'https://b.example/hook/ada']],
    'what was not delivered yet still is, to the whole address',
  );
  const decision = { status: 'APPROVED', decidedBy: 'o', comment: null, now } as const;
  await store.reviews.decide('r1', decision, () => ({ id: 'c1', body: '{"id":1}' }));
  t.match(await store.callbacks.claimDue(now, 10, now + 2), [
    { id: 'c1', url: 'https://a.example/hook?to=ada' },
  ]);
});
