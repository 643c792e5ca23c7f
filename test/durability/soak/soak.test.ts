import t from 'tap';
import { soak } from './soak.ts';

t.setTimeout(600_000);
// As long as one likes, and an hour by default: npm run soak
t.test('a minute of the worst day loses, doubles and miscounts nothing', async (t) => {
  const { sqlite, postgres } = await soak(t, { minutes: 0.4, seed: 20_261_127 });
  t.strictSame([...sqlite.wrong, ...postgres.wrong], []);
  const happened = [...sqlite.counts, ...postgres.counts]
    .filter(([, times]) => times > 0)
    .map(([what]) => what);
  for (const what of [
    'the process is killed',
    'the process is stopped and started',
    'the log of the database is deleted',
    'the clock jumps ahead and back',
    'the process hangs',
    'a backup is taken',
    'the record is replayed',
    'the certificate is replaced',
    'evaluations whose content was deleted in time',
    'entries that assize audit verify finds whole',
    'entries that verify-record.mjs finds whole',
    'the primary is lost, and a standby takes over',
  ])
    t.ok(happened.includes(what), what);
  if (!happened.includes('the disk is full')) t.comment('no small disk could be mounted');
});
