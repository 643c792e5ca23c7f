import t from 'tap';
import { signedIn, startConsoleApp } from './browser.ts';

const payments = `schemaVersion: 1
name: payments
params: { limit: 1000 }
rules:
  - id: small
    tool: pay
    when: input.amount > 10
    effect: WARN
    severity: LOW
    message: more than small change
  - id: large
    name: Large payment
    tool: pay
    when: input.amount > params.limit && "EMAIL_ADDRESS" in dataTags && session.toolCounts["crm.lookup"] > 0
    effect: APPROVAL_REQUIRED
    severity: HIGH
    message: "a payment of {{input.amount}}"
`;
const watching = `schemaVersion: 1
name: watching
mode: MONITOR
rules:
  - { id: never, name: Never pay, tool: pay, when: 'true', effect: BLOCK, severity: CRITICAL, message: it would be blocked }
`;

t.test(
  'why is one sentence with the rule, its condition and values; what only monitors stands apart',
  async (t) => {
    const app = await startConsoleApp(t);
    const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
    await app.policy(id, watching);
    const policyId = await app.policy(id, payments);
    const act = async (input: object) =>
      (await app.call(key, 'POST', '/v1/evaluate', { externalSessionId: 's', input })).body.data;
    await act({ tool: 'crm.lookup' });
    const held = await act({ tool: 'pay', amount: 20_000, to: 'ada@example.com' });
    const allowed = await act({ tool: 'pay', amount: 1 });
    const { page, faults } = await signedIn(t, app, `/console/evaluations/${held.evaluationRunId}`);
    const why = page.locator('.why');
    await why.getByText('Held by Large payment of payments, version 1').waitFor();
    t.match(await why.locator('.why-sentence').innerText(), /^Held by Large payment of payments, version 1$/);
    const condition = why.locator(':scope > .condition');
    t.match(await condition.locator('pre').innerText(), /^input\.amount > params\.limit && /);
    const reads = await condition.locator('.reads').innerText();
    t.match(reads, /input\.amount\s+20000\s+params\.limit\s+1000/);
    t.match(reads, /dataTags\s+\["PII","EMAIL_ADDRESS"\] EMAIL_ADDRESS in input\/to/);
    t.match(reads, /session\.toolCounts\.crm\.lookup\s+\{"crm\.lookup":1\}/);
    t.match(await why.innerText(), /Also reported\s+small\s+Warning\s+Low/);
    const monitored = why.locator('.monitored');
    t.match(await monitored.innerText(), /Never pay\s+would block it\s+watching, version 1/);
    const red = await page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--block')`);
    t.ok(red);
    t.equal(
      await monitored.locator('.badge, .severity').count(),
      0,
      'no decision is shown that was not made',
    );

    await why.getByRole('link', { name: 'payments, version 1' }).first().click();
    await page.locator('.source-lines [aria-current]').getByText('- id: large').waitFor();
    t.match(page.url(), new RegExp(`/policies/${policyId}\\?.*show=1&rule=large`));
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('.source-lines').waitFor({ state: 'detached' });

    await page.goto(`${app.url}/console/evaluations/${allowed.evaluationRunId}`);
    await why.getByText('No enforced rule reported anything.').waitFor();
    t.match(await why.innerText(), /Monitored policies\s+They report without deciding/);
    t.equal(await why.locator('.why-sentence').count(), 0);
    await page.goto(`${app.url}/console/evaluations`);
    t.match(await page.getByRole('row', { name: /^pay Allowed/ }).innerText(), /pay\s+Allowed\s+–/);
    t.strictSame(faults, []);
  },
);

t.test('an action that a person let through, or did not, says who', async (t) => {
  const app = await startConsoleApp(t);
  const { id, key } = await app.integration('AGENT');
  await app.policy(id, payments);
  const act = async (more: object) =>
    (await app.call(key, 'POST', '/v1/evaluate', { externalSessionId: 's', ...more })).body.data;
  const input = { tool: 'pay', amount: 20_000, to: 'ada@example.com' };
  await act({ input: { tool: 'crm.lookup' } });
  const { reviewRequestId } = await act({ input });
  const { page, faults } = await signedIn(t, app, `/console/reviews?id=${reviewRequestId}`);
  await page.locator('.why').getByText('Held by Large payment of payments, version 1').waitFor();
  await page
    .locator('.decide')
    .getByRole('button', { name: /Approve/ })
    .click();
  await page.keyboard.press('Enter');
  await page.getByText('No action waits for a decision.').waitFor();
  const passed = await act({ input, reviewRequestId });
  t.equal(passed.enforcementAction, 'ALLOW');
  await page.goto(`${app.url}/console/evaluations/${passed.evaluationRunId}`);
  await page.locator('.why').getByText('An approval let it through.').waitFor();
  t.match(await page.locator('.why').innerText(), /Approved by owner/);
  t.strictSame(faults, []);
});
