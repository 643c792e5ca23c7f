import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { signedIn, startConsoleApp } from './browser.ts';
import { startScene } from './scene.ts';

const limits = `schemaVersion: 1
name: limits
params:
  limit: 1000
rules:
  - { id: over, tool: pay, when: input.amount > params.limit, effect: BLOCK, severity: HIGH }
`;

t.test(
  'a policy is bound in MONITOR after a preview, enforced with params, and made a house policy',
  async (t) => {
    const app = await startConsoleApp(t);
    const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
    const other = await app.integration('AGENT');
    for (const [at, name] of [
      [id, 'billing'],
      [other.id, 'travel'],
    ])
      await app.call(adminKey, 'PATCH', `/v1/integrations/${at}`, { name });
    const pay = async (amount: number, by = key) =>
      (await app.call(by, 'POST', '/v1/evaluate', { input: { tool: 'pay', amount } })).body.data;
    await pay(5_000);
    await pay(10);
    const created = await app.call(adminKey, 'POST', '/v1/policies?activate=true', limits, {
      'content-type': 'application/yaml',
    });
    const policyId = created.body.data.id;
    const { page, faults } = await signedIn(t, app, `/console/integrations/${id}`);
    const effective = page.getByRole('region', { name: 'Policies' });
    await effective.getByText('No policy applies to this integration: everything is allowed.').waitFor();
    await effective.getByLabel('Bind a policy').selectOption('limits');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This policy has reported nothing yet.').waitFor();
    t.equal(await dialog.getByLabel('Mode').inputValue(), 'MONITOR');
    t.match(await dialog.locator('.declared').innerText(), /^params:\s+limit: 1000$/);
    await dialog.getByRole('button', { name: 'Preview the binding' }).click();
    await dialog.getByText('1 of 2 decisions changes').waitFor();
    await dialog.getByLabel('Params', { exact: true }).fill('{"limit": 5}');
    await dialog.getByText('The document has changed since this replay.').waitFor();
    await dialog.getByRole('button', { name: 'Preview the binding' }).click();
    await dialog.getByText('2 of 2 decisions change').waitFor();
    await dialog.getByLabel('Params', { exact: true }).fill('[5]');
    await dialog.getByRole('button', { name: 'Bind the policy', exact: true }).click();
    await dialog.getByText('must be a JSON object').waitFor();
    await dialog.getByLabel('Params', { exact: true }).fill('');
    await dialog.getByRole('button', { name: 'Bind the policy', exact: true }).click();
    const row = effective.getByRole('row', { name: /limits/ });
    await row.getByText('Monitors').waitFor();
    t.match(await row.innerText(), /limits\s+Bound\s+Monitors\s+defaults\s+Active/);
    t.equal((await pay(5_000)).enforcementAction, 'ALLOW');

    await row.getByRole('button', { name: 'Change the binding: limits' }).click();
    await dialog.getByLabel('Mode').selectOption('ENFORCE');
    await dialog.getByLabel('Params', { exact: true }).fill('{"limit": 5}');
    await dialog.getByRole('button', { name: 'Save the binding' }).click();
    await row.getByText('limit: 5').waitFor();
    t.match(await row.innerText(), /Enforces\s+limit: 5/);
    const blocked = await pay(10);
    t.equal(blocked.enforcementAction, 'BLOCK');

    await page.goto(`${app.url}/console/policies/${policyId}?tab=bindings`);
    await page.getByRole('button', { name: /^Make it a house policy/ }).click();
    await dialog.getByText('It then applies to every integration').waitFor();
    await dialog.getByRole('button', { name: 'Make it a house policy' }).click();
    await page.getByRole('button', { name: /^Remove from the house policies/ }).waitFor();
    t.equal((await pay(5_000, other.key)).enforcementAction, 'BLOCK');
    await page.goto(`${app.url}/console/integrations/${other.id}`);
    t.match(
      await effective.getByRole('row', { name: /limits/ }).innerText(),
      /House policy\s+Enforces\s+defaults/,
    );
    await page.goto(`${app.url}/console/evaluations/${blocked.evaluationRunId}`);
    const deciding = page.getByRole('row', { name: /^limits, version 1/ });
    await deciding.getByText('House policy, Bound').waitFor();
    t.match(await deciding.innerText(), /Enforces/);

    await page.goto(`${app.url}/console/policies/${policyId}?tab=bindings`);
    await page.getByRole('button', { name: /^Remove from the house policies/ }).click();
    await dialog.getByRole('button', { name: 'Remove from the house policies' }).click();
    await page.getByRole('button', { name: /^Make it a house policy/ }).waitFor();
    await page.getByRole('button', { name: 'Unbind the policy: billing' }).click();
    await dialog.getByText('Unbind limits from billing? It no longer applies there.').waitFor();
    await dialog.getByRole('button', { name: 'Unbind the policy' }).click();
    await page.getByText('bound to no integration').waitFor();
    t.equal((await pay(5_000)).enforcementAction, 'ALLOW');
    t.strictSame(faults, []);
  },
);

t.test(
  'under four-eyes control the same buttons propose, and a version is activated at a time',
  async (t) => {
    const app = await startConsoleApp(t, { ASSIZE_FOUR_EYES: 'policies' });
    const { id } = await app.integration('AGENT');
    await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, { description: 'pays' });
    const created = await app.call(adminKey, 'POST', '/v1/policies', limits, {
      'content-type': 'application/yaml',
    });
    const policyId = created.body.data.id;
    const { page, faults } = await signedIn(t, app, `/console/policies/${policyId}?tab=bindings`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: /^Propose: Bind the policy…/ }).click();
    await dialog.getByLabel('Why (optional)').fill('the new limits');
    await dialog.getByRole('button', { name: 'Propose: Bind the policy…' }).click();
    await page.getByText('The change is proposed: another operator makes it.').waitFor();
    const { body } = await app.call(adminKey, 'GET', '/v1/proposals');
    t.match(body.data, [{ operation: 'bindPolicy', note: 'the new limits', status: 'PENDING' }]);

    await page.goto(`${app.url}/console/integrations/${id}`);
    await page.getByLabel('Requests per minute').fill('17');
    await page.getByRole('button', { name: 'Propose: Save the limits…' }).click();
    await dialog.getByLabel('Why (optional)').fill('calmer');
    await dialog.getByRole('button', { name: 'Propose the change' }).click();
    await page.getByText('The change is proposed: another operator makes it.').waitFor();
    const [limit] = (await app.call(adminKey, 'GET', '/v1/proposals')).body.data;
    t.match(limit, { operation: 'changeIntegration', note: 'calmer' });
    await page.goto(`${app.url}/console/policies/${policyId}?tab=bindings`);

    // The author of a version may not activate it, at no time.
    await page.getByRole('button', { name: 'Activate at…' }).click();
    await dialog.getByLabel('At (UTC)').fill('2099-01-02T03:04');
    await dialog.getByRole('button', { name: 'Schedule the activation' }).click();
    await dialog.getByText(/the author of a version cannot/).waitFor();
    const grace = (await app.call(adminKey, 'POST', '/v1/operators', { name: 'Grace', roles: ['OWNER'] }))
      .body.data;
    const hers = (await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: grace.id })).body.data
      .key;
    await page.goto(`${app.url}/console/`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('input[type=password]').fill(hers);
    await page.keyboard.press('Enter');
    await page.locator('main#main').waitFor();
    await page.goto(`${app.url}/console/policies/${policyId}`);
    await page.getByRole('button', { name: 'Activate at…' }).click();
    await dialog.getByLabel('At (UTC)').fill('2099-01-02T03:04');
    await dialog.getByRole('button', { name: 'Schedule the activation' }).click();
    await page.getByText('Version 1 activates at 2 Jan 2099').first().waitFor();
    const read = async () => (await app.call(adminKey, 'GET', `/v1/policies/${policyId}`)).body.data;
    t.match(await read(), { scheduledVersion: 1, scheduledAt: '2099-01-02T03:04:00.000Z' });
    await page.getByRole('button', { name: 'Cancel the activation' }).click();
    await page.getByText('The scheduled activation is cancelled.').waitFor();
    t.equal((await read()).scheduledAt, null);
    await page.getByRole('button', { name: 'Activate the policy', exact: true }).click();
    await page.getByRole('button', { name: 'Propose: Retire the policy…' }).click();
    await dialog.getByRole('button', { name: 'Propose the change' }).click();
    await page.getByText('The change is proposed: another operator makes it.').waitFor();
    const proposals = (await app.call(adminKey, 'GET', '/v1/proposals')).body.data;
    t.strictSame(
      proposals.map(({ operation }: { operation: string }) => operation),
      ['deprecatePolicy', 'changeIntegration', 'bindPolicy'],
    );
    t.equal((await read()).status, 'ACTIVE');
    t.strictSame(faults, []);
  },
);

t.test('settings that were changed and not saved are not left without asking', async (t) => {
  const { app, integrationId } = await startScene(t);
  const { page, faults } = await signedIn(t, app, '/console/integrations');
  await page.getByRole('link', { name: 'support agent' }).click();
  const limit = page.getByLabel('Requests per minute');
  await limit.fill('17');
  await page.getByRole('link', { name: 'Policies', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Leave this page? Your changes are not saved.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  t.equal(await limit.inputValue(), '17');
  t.ok(page.url().endsWith(integrationId));
  await page.goBack();
  await dialog.getByText('Leave this page?').waitFor();
  t.ok(page.url().endsWith(integrationId));
  await dialog.getByRole('button', { name: 'Leave the page' }).click();
  await page.getByRole('heading', { name: 'Integrations' }).waitFor();
  await page.getByRole('link', { name: 'support agent' }).click();
  await limit.fill('18');
  await page.getByRole('button', { name: 'Save the limits' }).click();
  await page.getByText('The limits are saved.').waitFor();
  await page.getByRole('link', { name: 'Policies', exact: true }).click();
  await page.getByRole('heading', { name: 'Policies' }).waitFor();
  t.strictSame(faults, []);
});
