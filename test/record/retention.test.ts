import t from 'tap';
import { adminKey, startApp } from '../helpers/app.ts';
import { exportRecord, recordHistory, verify } from '../helpers/record.ts';

const dayMs = 86_400_000;

t.test('content that retention deleted leaves its digests, and every chain whole', async (t) => {
  const app = await startApp(t, { ASSIZE_RETENTION_DAYS: '1' });
  await recordHistory(app);
  const before = await exportRecord(app);
  t.match(before.join('\n'), /"content":\{[^}]*user|EMAIL_ADDRESS/);
  const withContent = verify(before);
  t.equal(withContent.withoutContent, 0);
  // Not over a day at once: retention would wait for an operator.
  for (let step = 0; step < 4; step++) {
    app.clock.advance(dayMs / 2);
    await app.call(adminKey, 'GET', '/v1/integrations');
    await app.services.retention.sweep();
  }
  const after = await exportRecord(app);
  const verification = verify(after);
  t.strictSame(verification.problems, []);
  t.ok(verification.withoutContent > 10);
  t.notMatch(after.join('\n'), /"content":/, 'neither the content nor its salt is left');
  const entries = (lines: readonly string[]) =>
    lines
      .map((line) => JSON.parse(line))
      .filter(({ kind, entry }) => kind === 'entry' && entry.kind === 'evaluation')
      .map(({ hash }) => hash);
  t.strictSame(entries(after), entries(before), 'the entries are what they were');
});
