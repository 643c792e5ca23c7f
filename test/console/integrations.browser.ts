import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { signedIn, startConsoleApp } from './browser.ts';
import { startScene } from './scene.ts';

const { app, integrationId } = await startScene(t);

t.test('a new integration shows its key once, with lines to paste that work', async (t) => {
  const { page, faults } = await signedIn(t, app, '/console/integrations');
  await page.getByRole('button', { name: 'Create an integration' }).click();
  await page.getByLabel('Name').fill('billing agent');
  await page.getByRole('dialog').getByRole('button', { name: 'Create an integration' }).click();
  await page.getByText('This key is shown once.').waitFor();
  const [key = ''] = /asz_live_[\w-]{43}/.exec(await page.getByRole('dialog').innerText()) ?? [];
  await page.getByRole('dialog').getByText('No policy is bound: everything is allowed.').waitFor();
  t.equal((await app.call(key, 'POST', '/v1/evaluate', { input: {} })).status, 200);
  t.match(await page.getByRole('region', { name: 'curl' }).innerText(), `Bearer ${key}`);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('link', { name: 'billing agent' }).click();
  await page.getByRole('heading', { name: 'billing agent' }).waitFor();
  await page.getByText('No policy is bound: everything is allowed.').waitFor();
  t.notMatch(await page.content(), key);
  t.strictSame(faults, []);
});

t.test('the tools of an MCP server are added under its name, proposed and confirmed', async (t) => {
  const { id } = await app.integration('AGENT');
  const { page, faults } = await signedIn(t, app, `/console/integrations/${id}`);
  await page.getByRole('button', { name: 'Add tools' }).click();
  const form = page.getByRole('dialog');
  const listed = { result: { tools: [{ name: 'send_mail', inputSchema: { type: 'object' } }] } };
  await form.getByLabel('JSON').fill(JSON.stringify(listed));
  await form.getByLabel('MCP server').fill(' crm ');
  await form.getByRole('button', { name: 'Add tools' }).click();
  await page.getByText('1 tool is only proposed.').waitFor();
  await page.getByRole('button', { name: 'Confirm all' }).click();
  await page.getByText('1 tool is only proposed.').waitFor({ state: 'detached' });
  const { tools } = (await app.call(adminKey, 'GET', `/v1/integrations/${id}/tools`)).body.data;
  t.match(tools, [{ name: 'mcp__crm__send_mail', effect: 'EXTERNAL', proposed: undefined }]);
  t.strictSame(faults, []);
});

t.test('keys are issued for a purpose', async (t) => {
  const { page, faults } = await signedIn(t, app, `/console/integrations/${integrationId}`);
  const keys = page.getByRole('region', { name: 'Keys' });
  const form = page.getByRole('dialog');
  const readKey = async (): Promise<string> => {
    const [shown = ''] = /asz_live_[\w-]{43}/.exec(await form.locator('.secret').innerText()) ?? [];
    await page.getByRole('button', { name: 'I have copied it' }).click();
    return shown;
  };
  const statusFor = async (key: string) =>
    (await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'web.search' } })).status;

  await keys.getByRole('button', { name: 'Create a key' }).click();
  await form.getByLabel('What it is for').fill('watcher');
  for (const scope of ['ask for decisions', 'open sessions', 'end sessions']) {
    await form.getByLabel(scope).uncheck();
  }
  await form.getByRole('button', { name: 'Create a key' }).click();
  const watcher = await readKey();
  await keys.getByRole('row', { name: /watcher.*read.*never/ }).waitFor();
  t.equal(await statusFor(watcher), 403);
  t.equal((await app.call(watcher, 'GET', '/v1/evaluation-sessions')).status, 200);
  t.strictSame(faults, []);
});

t.test('a key that is revoked is refused, and stays in the list', async (t) => {
  const { body } = await app.call(adminKey, 'POST', `/v1/integrations/${integrationId}/keys`, {
    name: 'old laptop',
  });
  const { page, faults } = await signedIn(t, app, `/console/integrations/${integrationId}`);
  const row = page.getByRole('region', { name: 'Keys' }).getByRole('row', { name: /old laptop/ });
  await row.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
  await row.getByText('Revoked').waitFor();
  t.equal(await row.getByRole('button').count(), 0);
  t.equal((await app.call(body.data.apiKey, 'POST', '/v1/evaluate', { input: {} })).status, 401);
  t.strictSame(faults, []);
});

t.test('settings are changed, and only those that a person changed', async (t) => {
  const { page } = await signedIn(t, app, `/console/integrations/${integrationId}`);
  await page.getByLabel('While no policy is bound').selectOption('block');
  await page.getByLabel('Require a session').selectOption('yes');
  await page.getByRole('button', { name: 'Save the settings' }).click();
  await page.getByText('The settings are saved.').waitFor();
  const { settings } = (await app.call(adminKey, 'GET', `/v1/integrations/${integrationId}`)).body.data;
  t.match(settings, { whenNoPolicy: 'BLOCK', requireSession: true, contentRetention: 'full' });
});

t.test('limits are set and taken away, and one that cannot be is refused in place', async (t) => {
  const { page, faults } = await signedIn(t, app, `/console/integrations/${integrationId}`);
  const settings = async () =>
    (await app.call(adminKey, 'GET', `/v1/integrations/${integrationId}`)).body.data.settings;
  const sessions = page.getByLabel('Active sessions at once');
  const save = page.getByRole('button', { name: 'Save the limits' });
  await sessions.fill('0');
  await save.click();
  await page.locator('.field', { has: sessions }).getByRole('alert').getByText('must be').waitFor();
  await page.waitForFunction("document.activeElement.getAttribute('aria-invalid') === 'true'");
  await sessions.fill('500');
  await page.getByLabel('Requests per minute').fill('0');
  await save.click();
  await page.getByText('The limits are saved.').waitFor();
  t.match(await settings(), { maxOpenSessions: 500, requestsPerMinute: 0, maxPendingReviews: 1000 });
  await sessions.fill('');
  await save.click();
  await page.waitForFunction("document.querySelector('main button[type=submit]:not(:disabled)') === null");
  t.match(await settings(), { maxOpenSessions: null, requestsPerMinute: 0 });
  t.strictSame(faults, []);
});

t.test('keys are replaced only by an operator who proves who it is', async (t) => {
  const { page, faults } = await signedIn(t, app, `/console/integrations/${integrationId}`);
  app.clock.advance(6 * 60_000);
  await page.getByRole('button', { name: 'Replace all keys' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace all keys' }).click();
  await page.getByText('Confirm who you are').waitFor();
  const { body } = await app.call(adminKey, 'POST', `/v1/integrations/${integrationId}/keys`);
  const statusOfOld = async () => (await app.call(body.data.apiKey, 'GET', '/v1/evaluation-sessions')).status;
  t.equal(await statusOfOld(), 200, 'not yet');
  await page.getByLabel('Operator key').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('not the key that you signed in with').waitFor();
  await page.getByLabel('Operator key').fill(adminKey);
  await page.keyboard.press('Enter');
  await page.getByText('This key is shown once.').waitFor();
  t.equal(await statusOfOld(), 401);
  t.strictSame(faults, []);
});

t.test('a new integration says how to connect an agent, until its first call has come', async (t) => {
  const app = await startConsoleApp(t);
  const { id, key } = await app.integration('AGENT');
  const { page, faults } = await signedIn(t, app, `/console/integrations/${id}`);
  const connect = page.getByRole('region', { name: 'Connect your agent' });
  await connect.getByText('Waiting for the first call…').waitFor();
  await connect.getByLabel('Agent or framework').selectOption('Codex');
  t.match(await connect.locator('pre').innerText(), 'assize hook install codex --yes');
  await connect.getByLabel('Agent or framework').selectOption('TypeScript');
  t.match(await connect.locator('pre').innerText(), /createAssizeClient\(\{ url: 'http:\/\/127/);
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'web.search' } });
  await page.getByText('Last call:').waitFor();
  await page.getByRole('status').getByRole('link', { name: 'web.search' }).waitFor();
  t.equal(await connect.count(), 0);
  t.strictSame(faults, []);
});
