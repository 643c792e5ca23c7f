import t from 'tap';
import { adminKey, startApp } from '../helpers/app.ts';
import { exportRecord, recordHistory, verify } from '../helpers/record.ts';

t.test('an export of everything verifies, and covers every kind of entry', async (t) => {
  const app = await startApp(t);
  const [session = ''] = await recordHistory(app);
  const lines = await exportRecord(app);
  const { problems, chains, entries, withoutContent, isKeyTrusted, keyIds } = verify(lines);
  t.strictSame(problems, []);
  t.equal(chains, 5, 'three sessions, the integration and management');
  const kinds = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'entry');
  t.equal(entries, kinds.length);
  t.equal(withoutContent, 0);
  t.equal(isKeyTrusted, false);
  t.strictSame([...new Set(kinds.map(({ entry }) => entry.kind))].sort(), [
    'evaluation',
    'management',
    'review',
  ]);
  t.strictSame([...new Set(kinds.map(({ entry }) => entry.phase))].sort(), ['ACTION', 'RESULT', undefined]);
  const { body } = await app.call(adminKey, 'GET', '/v1/record/key');
  t.strictSame(keyIds, [body.data.keyId]);
  t.equal(verify(lines, { trustedKeys: keyIds }).isKeyTrusted, true);

  const ofSession = await exportRecord(app, { sessionId: session });
  const alone = verify(ofSession, { trustedKeys: keyIds });
  t.strictSame(alone.problems, []);
  t.equal(alone.chains, 1);
});

t.test('later roots continue earlier ones, and a period is exported between its roots', async (t) => {
  const app = await startApp(t);
  await recordHistory(app, { sessions: 1 });
  await app.services.record.roots.sweep();
  const middle = new Date(app.clock.now()).toISOString();
  app.clock.advance(60_000);
  await recordHistory(app, { sessions: 2 });
  await app.services.record.roots.sweep();
  const end = new Date(app.clock.now()).toISOString();
  app.clock.advance(60_000);
  await recordHistory(app, { sessions: 1 });
  const all = await exportRecord(app);
  t.strictSame(verify(all).problems, []);
  const later = await exportRecord(app, { from: middle });
  t.strictSame(verify(later).problems, []);
  const between = await exportRecord(app, { from: middle, to: end });
  t.strictSame(verify(between).problems, []);
  t.ok(between.length < later.length && later.length < all.length);
  const { body } = await app.call(adminKey, 'GET', '/v1/record/roots');
  t.equal(body.data.length >= 3, true);
});
