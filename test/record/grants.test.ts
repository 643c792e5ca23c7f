import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { adminKey, startApp } from '../helpers/app.ts';
import { exportRecord, verify } from '../helpers/record.ts';

const file = join(import.meta.dirname, '../../clients/verifier/verify-record.mjs');
const { createVerification } = await import(pathToFileURL(file).href);

const document = `
schemaVersion: 1
name: mail
rules:
  - id: held
    when: tool == "mail"
    effect: APPROVAL_REQUIRED
    approval: { grant: { same: [tool, input.to], uses: 5 } }
`;

t.test('what is granted, used and taken back is in the record, and both verifiers cover it', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, document);
  const mail = async (to: string, more: object = {}) => {
    const body = { input: { tool: 'mail', to, ...more }, externalSessionId: 's' };
    return (await app.call(key, 'POST', '/v1/evaluate', body)).body.data;
  };
  const decide = (review: string, verb: string) =>
    app.call(adminKey, 'POST', `/v1/reviews/${review}/${verb}`, {});

  const first = await mail('ann');
  // Held like the first, and so for the same.
  const second = await mail('ann', { to: 'ann', text: '1' });
  await decide(first.reviewRequestId, 'approve');
  const used = await mail('ann');
  t.match(used, { enforcementAction: 'ALLOW' });
  const [grant] = used.grants;
  const bob = await mail('bob');
  await decide(bob.reviewRequestId, 'approve');
  const { sessionId } = first;
  const { body } = await app.call(adminKey, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  const ofBob = body.data.grants.find((one: { id: string }) => one.id !== grant.id).id;
  const at = `/v1/evaluation-sessions/${sessionId}/remove-grant`;
  t.equal((await app.call(adminKey, 'POST', at, { grantId: ofBob })).status, 200);
  const again = await mail('ann', { text: '1' });
  t.equal(again.reviewRequestId, second.reviewRequestId);
  await decide(second.reviewRequestId, 'reject');

  await app.services.record.roots.sweep();
  const lines = await exportRecord(app);
  const entries = lines.map((line) => JSON.parse(line).entry).filter((entry) => entry !== undefined);
  const entryOf = (found: string) => entries.find((entry) => entry.id === found);
  const offer = { id: grant.id, ruleId: 'held', same: ['tool', 'input.to'], uses: 5, seconds: null };
  t.match(entryOf(first.reviewRequestId), { status: 'APPROVED', grants: [offer] });
  t.strictSame(entryOf(used.evaluationRunId).grants, [grant.id]);
  t.notOk('grants' in entryOf(first.evaluationRunId));
  const removed = entries.find(({ kind, path }) => kind === 'management' && path === at);
  t.strictSame(JSON.parse(removed.before).grants, [grant.id, ofBob]);
  t.strictSame(JSON.parse(removed.after).grants, [grant.id]);

  const { keyId } = app.services.record.key();
  const problemsOf = (changed: readonly string[]) => {
    const own = createVerification({ trustedKeys: [keyId] });
    for (const line of changed) own.line(line);
    return [verify(changed, { trustedKeys: [keyId] }).problems.length, own.end().problems.length];
  };
  t.strictSame(problemsOf(lines), [0, 0]);
  const uses = (line: string): boolean =>
    line.includes(`"grants":["${grant.id}"]`) && line.includes(used.evaluationRunId);
  t.ok(lines.some(uses));
  const hidden = lines.map((line) => (uses(line) ? line.replace(`"grants":["${grant.id}"],`, '') : line));
  const more = lines.map((line) => line.replace('"uses":5', '"uses":9'));
  for (const changed of [hidden, more]) for (const count of problemsOf(changed)) t.ok(count > 0);
});

t.test('a rejection says which grants it takes back', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, document);
  const mail = async (text: string) => {
    const body = { input: { tool: 'mail', to: 'ann', text }, externalSessionId: 's' };
    return (await app.call(key, 'POST', '/v1/evaluate', body)).body.data;
  };
  const [one, two] = [await mail('1'), await mail('2')];
  await app.call(adminKey, 'POST', `/v1/reviews/${one.reviewRequestId}/approve`, {});
  await app.call(adminKey, 'POST', `/v1/reviews/${two.reviewRequestId}/reject`, {});
  const entries = (await exportRecord(app)).map((line) => JSON.parse(line).entry ?? {});
  const entryOf = (found: string) => entries.find((entry) => entry.id === found);
  const given = entryOf(one.reviewRequestId).grants.map((grant: { id: string }) => grant.id);
  t.strictSame(entryOf(two.reviewRequestId).grantsTakenBack, given);
});
