import { readFileSync } from 'node:fs';
import t from 'tap';
import { createMetrics } from '../../../src/metrics/metrics.ts';
import { isPostgres } from '../../../src/store/address.ts';
import { adminKey, startApp } from '../../helpers/app.ts';

const token = 'metrics-token-of-tests';
const auth = { authorization: `Bearer ${token}` };
const start = (t: Parameters<typeof startApp>[0], env = {}) =>
  startApp(t, { ASSIZE_METRICS_TOKEN: token, ...env }, { metrics: createMetrics('1.2.3') });
const holdMail = `
schemaVersion: 1
name: mail
rules:
  - id: hold-mail
    when: tool == "mail"
    effect: APPROVAL_REQUIRED
`;

/** The samples of a page by name and labels. */
function samples(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}

t.test('counts decisions, rules, data tags, reviews and commits', async (t) => {
  const app = await start(t);
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, holdMail);
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'search', to: 'ada@example.com' } });
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'mail' } });
  app.clock.advance(90_000);
  const page = await app.call(null, 'GET', '/metrics', undefined, auth);
  t.equal(page.status, 200);
  t.match(page.headers['content-type'], /^text\/plain; version=0\.0\.4/);
  const found = samples(page.text);
  const is = (name: string, value: number) => t.equal(found.get(name), value, name);
  is('assize_decisions_total{enforcement_action="ALLOW",phase="ACTION",transport="REST"}', 1);
  is('assize_decisions_total{enforcement_action="APPROVAL_REQUIRED",phase="ACTION",transport="REST"}', 1);
  is('assize_decision_duration_seconds_count{enforcement_action="ALLOW"}', 1);
  is(
    `assize_rule_matches_total{policy="${policyId}",rule="hold-mail",mode="ENFORCE",enforcement_action="APPROVAL_REQUIRED"}`,
    1,
  );
  is('assize_detections_total{tag="EMAIL_ADDRESS"}', 1);
  is('assize_reviews_pending', 1);
  is('assize_review_oldest_pending_seconds', 90);
  is('assize_callbacks_waiting', 0);
  is('assize_webhook_deliveries_waiting', 0);
  is('assize_requests_in_flight', 0);
  is('assize_requests_waiting', 0);
  is('assize_requests_refused_total', 0);
  is('assize_build_info{version="1.2.3"}', 1);
  t.ok((found.get('assize_commit_changes_sum') ?? 0) >= 4, 'an integration, a policy and two evaluations');
  if (isPostgres(app.database)) return;
  t.ok((found.get('assize_sync_duration_seconds_count') ?? 0) >= 1);
  t.ok((found.get('assize_wal_bytes') ?? 0) > 0);
});

t.test('the page needs its token, and no key opens it', async (t) => {
  const app = await start(t, { ASSIZE_RATE_LIMIT_ADDRESS: '3' });
  const { key } = await app.integration();
  for (const wrong of [null, adminKey, key]) {
    const refused = await app.call(wrong, 'GET', '/metrics');
    t.equal(refused.status, 401);
    t.match(refused.text, /ASSIZE_METRICS_TOKEN/);
    t.notMatch(refused.text, /assize_/);
  }
  t.equal((await app.call(null, 'GET', '/metrics')).status, 429, 'guesses are limited');
  t.equal((await app.call(null, 'GET', '/metrics', undefined, auth)).status, 200);
});

t.test('without the settings there is no such path, and nothing is counted', async (t) => {
  const app = await startApp(t);
  t.equal((await app.call(null, 'GET', '/metrics')).status, 404);
  t.equal(app.metricsServer, null);
});

t.test('on a port of its own it is served there alone, without a token unless one is set', async (t) => {
  const env = { ASSIZE_METRICS_PORT: '0' };
  const app = await startApp(t, env, { metrics: createMetrics('1') });
  t.equal((await app.call(null, 'GET', '/metrics')).status, 404);
  const open = await app.metricsServer?.inject('/metrics');
  t.match(open, { statusCode: 200, body: /assize_build_info/ });
  t.match(await app.metricsServer?.inject('/v1/evaluate'), { statusCode: 404 });

  const guarded = (await start(t, env)).metricsServer;
  t.match(await guarded?.inject('/metrics'), { statusCode: 401 });
  t.match(await guarded?.inject({ url: '/metrics', headers: auth }), { statusCode: 200 });
});

t.test('the dashboard and the alerts ask for series that exist', async (t) => {
  const app = await start(t);
  const { key } = await app.integration();
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'search' } });
  const { text } = await app.call(null, 'GET', '/metrics', undefined, auth);
  const declared = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const folder = new URL('../../../deploy/monitoring/', import.meta.url);
  for (const file of ['dashboard.json', 'alerts.yaml']) {
    const used =
      readFileSync(new URL(file, folder), 'utf8').match(/\b(?:assize|nodejs|process)_[a-z0-9_]+/g) ?? [];
    t.ok(used.length > 5);
    for (const name of new Set(used)) {
      t.ok(declared.has(name) || declared.has(name.replace(/_bucket$/, '')), `${file}: ${name}`);
    }
  }
});
