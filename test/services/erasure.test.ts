import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import type { ContentRetention } from '../../src/features/integrations/words.ts';
import { isPostgres } from '../../src/store/address.ts';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';
import { openBeside } from '../helpers/database-beside.ts';
import { exportRecord, verify } from '../helpers/record.ts';

const dayMs = 86_400_000;
const marker = 'zanzibar';

/** Policies that render, count, look up, hold and grant by what the content has. */
const document = `
schemaVersion: 1
name: reads-content
counters:
  of_target: { over: entity, per: input.to, within: 24h }
  in_session: { over: session, per: input.to }
  targets: { over: integration, distinct: input.to, cap: 100, within: 24h }
rules:
  - id: told
    when: counters.of_target[input.to] + counters.in_session[input.to] + counters.targets + session.repeats >= 0
    effect: WARN
    severity: LOW
    message: 'about {{input.to}} and {{input.text}}'
  - id: seen
    when: tool == "mail" && size(seen(input.to)) >= 0
    effect: WARN
    severity: MEDIUM
    message: 'unknown {{input.to}}'
  - id: held
    when: tool == "pay"
    effect: APPROVAL_REQUIRED
    severity: HIGH
    message: 'pays {{input.to}}'
    approval: { grant: { same: [tool, input.to], uses: 5 } }
`;

/** Sends the marker in every place of the content, over every path that stores something of it. */
async function sendContent(app: TestApp, contentRetention: ContentRetention): Promise<void> {
  const { id, key } = await app.integration('AGENT', { contentRetention });
  await app.policy(id, document);
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', {
    entityId: '11111111-1111-4111-8111-111111111111',
  });
  const { id: sessionId } = body.data;
  let sent = 0;
  const evaluate = async (tool: string | null, more: object = {}, headers: Record<string, string> = {}) => {
    const content = {
      to: `${marker}-${++sent % 3}@example.com`,
      text: `${marker} AKIAIOSFODNN7EXAMPLE`,
      list: [marker],
    };
    const request = { sessionId, input: { ...(tool !== null && { tool }), ...content }, ...more };
    const response = await app.call(key, 'POST', '/v1/evaluate', request, headers);
    if (response.status !== 200) throw new Error(response.text);
    return response.body.data;
  };
  const targetMetadata = { cc: `${marker}@example.com`, note: marker };
  const callbackUrl = 'https://hooks.example/done';
  const { evaluationRunId } = await evaluate(
    'mail',
    { targetMetadata },
    { 'idempotency-key': `once-${marker}` },
  );
  await evaluate(null, { phase: 'RESULT', resultOf: evaluationRunId, status: 'OK' });
  await evaluate(null, { phase: 'PROMPT' });
  await evaluate('mail', { targetMetadata }, { 'idempotency-key': 'again' });
  for (const verb of ['approve', 'reject', null]) {
    const { reviewRequestId } = await evaluate('pay', { targetMetadata, callbackUrl });
    if (verb) await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/${verb}`, {});
    await evaluate('pay', { targetMetadata, reviewRequestId });
  }
  // Many values, so that counters keep their cells in rows of their own.
  for (let place = 0; place < 60; place++)
    await evaluate('mail', { input: { tool: 'mail', to: `${marker}-${place}@example.com` } });
  await app.call(
    key,
    'POST',
    '/v1/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'evaluate', arguments: { input: { tool: 'mail', to: `${marker}@example.com` } } },
    },
    { accept: 'application/json, text/event-stream' },
  );
}

/** Table and column of every value that has the text. */
async function placesOf(t: Tap, app: TestApp, text: string): Promise<string[]> {
  const beside = await openBeside(t, app.database);
  const columns = await beside.rows(
    isPostgres(app.database)
      ? `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns WHERE table_schema = 'public'`
      : `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'`,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const values = await beside.rows(
      `SELECT "${column}" AS value FROM "${table}" WHERE "${column}" IS NOT NULL`,
    );
    const has = values.some(({ value }) =>
      (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value)).includes(
        text,
      ),
    );
    if (has) found.push(`${table}.${column}`);
  }
  return found;
}
type Tap = Parameters<typeof openBeside>[0];

for (const contentRetention of ['full', 'redacted', 'none'] as const) {
  t.test(`after retention nothing of the content is left: ${contentRetention}`, async (t) => {
    const app = await startApp(t, { ASSIZE_RETENTION_DAYS: '1', ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
    await sendContent(app, contentRetention);
    t.not((await placesOf(t, app, marker)).length, 0, 'it was there');
    for (let step = 0; step < 6; step++) {
      app.clock.advance(dayMs / 2);
      await app.call(adminKey, 'GET', '/v1/integrations');
      await app.services.expiredReviews.sweep();
      await app.services.endedCounters.sweep();
      await app.services.retention.sweep();
    }
    t.strictSame(await placesOf(t, app, marker), []);
    t.strictSame(verify(await exportRecord(app)).problems, [], 'the record is whole');
    if (isPostgres(app.database)) return;
    for (const file of [app.database, `${app.database}-wal`]) {
      if (existsSync(file))
        t.notOk(readFileSync(file, 'latin1').includes(marker), `not even in ${file.slice(-4)}`);
    }
  });
}
