import t from 'tap';
import type { Client } from '../../../src/store/sqlite/client.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import type { EvaluationFilter } from '../../../src/store/store.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';
import { writeOlderFile } from './older-file.ts';

/** Before evaluations could be searched, and violations triaged. */
const applied = 17;
const count = 1_000;
const page = { page: 1, size: 200 };

/** Every tenth evaluation is blocked by two rules, every seventh has data tags, in two integrations and 50 sessions. */
function writeEvaluations(client: Client): void {
  client.exec(`INSERT INTO policy_sets (id, members) VALUES (1, '');
    INSERT INTO integrations (id, uid, name, kind, settings, webhook_secret, created_at, updated_at)
      SELECT value, 'i' || value, 'n', 'AGENT', '{}', 's', 0, 0 FROM json_each('[1, 2]')`);
  const session = client.prepare(
    `INSERT INTO evaluation_sessions (id, uid, integration_id, status, entity_id, external_session_id, metadata, started_at, expires_at)
     VALUES (@id, @uid, 1 + @id % 2, 'ACTIVE', @entity, 'e', '{}', 0, 9000000)`,
  );
  const evaluation = client.prepare(
    `INSERT INTO evaluations (id, uid, integration_id, session_id, transport, tool, correlation_id, outcome, enforcement_action,
       severity, violations, data_tags, policy_set_id, created_at)
     VALUES (@id, @uid, 1 + @id % 2, 1 + @id % 50, 'REST', @tool, @correlation, @outcome, @action, @severity,
       @violations, @tags, 1, @id)`,
  );
  client.transaction(() => {
    for (let id = 1; id <= 50; id++) session.run({ id, uid: `s${id}`, entity: `entity-${id % 3}` });
    for (let id = 1; id <= count; id++) {
      const blocked = id % 10 === 0;
      const violation = (rule: string) => ({
        id: `v${id}.${rule}`,
        policyId: 'p',
        ruleId: rule,
        severity: 'HIGH',
      });
      evaluation.run({
        id,
        uid: `e${id}`,
        tool: `tool.${id % 5}`,
        correlation: `c${id}`,
        outcome: blocked ? 'DENY' : 'ALLOW',
        action: blocked ? 'BLOCK' : 'ALLOW',
        severity: blocked ? 'HIGH' : null,
        violations: blocked ? JSON.stringify([violation('first'), violation('second')]) : null,
        tags: id % 7 === 0 ? '["PII","EMAIL_ADDRESS"]' : null,
      });
    }
  })();
}

t.test(
  'an older file can be searched by everything, and its violations are there to be triaged',
  async (t) => {
    const file = writeOlderFile(temporaryFolder(t), applied, writeEvaluations);
    const store = openSqliteStore({ file, migrations, onSyncFailure: (error) => t.fail(error.message) });
    t.teardown(() => store.close());
    const cases: [EvaluationFilter, (id: number) => boolean][] = [
      [{ tool: 'tool.3' }, (id) => id % 5 === 3],
      [{ enforcementAction: 'BLOCK' }, (id) => id % 10 === 0],
      [{ dataTag: 'EMAIL_ADDRESS' }, (id) => id % 7 === 0],
      [{ ruleId: 'second' }, (id) => id % 10 === 0],
      [{ integrationId: 'i2', ruleId: 'first' }, (id) => id % 10 === 0 && id % 2 === 1],
      [{ integrationId: 'i1', dataTag: 'PII' }, (id) => id % 2 === 0 && id % 7 === 0],
      [{ correlationId: 'c77' }, (id) => id === 77],
      [{ from: 200, to: 300, tool: 'tool.0' }, (id) => id >= 200 && id < 300 && id % 5 === 0],
    ];
    for (const [filter, matches] of cases) {
      const expected = Array.from({ length: count }, (_, place) => count - place).filter(matches);
      const found = await store.evaluations.search(filter, page, 1_000);
      t.strictSame(
        found?.items.map(({ id }) => id),
        expected.slice(0, page.size).map((id) => `e${id}`),
        JSON.stringify(filter),
      );
    }
    const violations = await store.violations.list({ ruleId: 'first', status: 'NEW' }, page, 10_000);
    t.equal(violations.total, count / 10);
    t.match(violations.items[0], {
      evaluationRunId: 'e1000',
      status: 'NEW',
      violation: { id: 'v1000.first', severity: 'HIGH' },
    });
    t.equal((await store.violations.list({ integrationId: 'i1' }, page, 10_000)).total, (2 * count) / 10);
    t.equal((await store.violations.list({ sessionId: 's1' }, page, 10_000)).total, (2 * count) / 50);
  },
);
