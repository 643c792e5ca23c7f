import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { startApp, temporaryFolder } from '../../helpers/app.ts';
import type { Sent } from '../load.ts';
import { soak } from './soak.ts';
import { createTally } from './tally.ts';

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

t.test(
  'control: the tally notices a counter that is one off, and an action that nobody was told of',
  async (t) => {
    const database = join(temporaryFolder(t), 'assize.db');
    const app = await startApp(t, {}, { database });
    const { key } = await app.integration();
    const { id } = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data;
    const journal: Sent[] = [];
    for (let place = 0; place < 5; place++) {
      const correlationId = `request-${place}`;
      const body = JSON.stringify({ sessionId: id, input: { tool: 'a' }, correlationId });
      const headers = { 'content-type': 'application/json' };
      const { status, text } = await app.call(key, 'POST', '/v1/evaluate', body, headers);
      const response = place === 2 ? null : { status, text, replayed: false };
      journal.push({ kind: 'evaluate', path: '', body, apiKey: key, onceKey: null, correlationId, response });
    }
    const client = new Database(database);
    t.teardown(() => client.close());
    const compared = (sent: readonly Sent[]) => {
      const tally = createTally();
      const found = tally.add(client, sent);
      return { found, wrong: tally.compare(client, new Set()) };
    };
    const whole = { found: { unanswered: 1, recorded: 1 }, wrong: [] };
    t.strictSame(compared(journal), whole, 'one without a response was recorded');
    t.match(compared(journal.slice(1)).wrong, [/session .* says .*"actions":5.*, its callers .*"actions":4/]);
    client.exec('UPDATE session_states SET action_count = 6');
    t.match(compared(journal).wrong, [/session .* says .*"actions":6.*, its callers .*"actions":5/]);
  },
);
