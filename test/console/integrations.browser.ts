import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { closeBrowser, signedIn, startConsoleApp } from './browser.ts';
import { playScene } from './scene.ts';

t.teardown(closeBrowser);

t.test('a new integration shows its key once, with lines to paste that work', async (t) => {
  const app = await startConsoleApp(t);
  const { page, faults } = await signedIn(t, app, '/console/integrations');
  await page.getByRole('button', { name: 'New integration' }).click();
  await page.getByLabel('Name').fill('billing agent');
  await page.getByRole('dialog').getByRole('button', { name: 'New integration' }).click();
  await page.getByText('This key is shown once.').waitFor();
  const [key = ''] = /asz_live_[\w-]{43}/.exec(await page.getByRole('dialog').innerText()) ?? [];
  t.equal((await app.call(key, 'POST', '/v1/evaluate', { input: {} })).status, 200);
  t.match(await page.getByRole('region', { name: 'curl' }).innerText(), `Bearer ${key}`);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('link', { name: 'billing agent' }).click();
  await page.getByRole('heading', { name: 'billing agent' }).waitFor();
  t.notMatch(await page.content(), key);
  t.strictSame(faults, []);
});

t.test('a key is replaced only by an operator who proves who it is', async (t) => {
  const app = await startConsoleApp(t);
  const { key, integrationId } = await playScene(app);
  const { page, faults } = await signedIn(t, app, `/console/integrations/${integrationId}`);
  app.clock.advance(6 * 60_000);
  await page.getByRole('button', { name: 'Replace the key' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await page.getByText('Confirm who you are').waitFor();
  t.equal((await app.call(key, 'POST', '/v1/evaluate', { input: {} })).status, 200, 'not yet');
  await page.getByLabel('Operator key').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('not the key that you signed in with').waitFor();
  await page.getByLabel('Operator key').fill(adminKey);
  await page.keyboard.press('Enter');
  await page.getByText('This key is shown once.').waitFor();
  t.equal((await app.call(key, 'POST', '/v1/evaluate', { input: {} })).status, 401);
  t.strictSame(faults, []);
});

t.test('settings are changed, and only those that a person changed', async (t) => {
  const app = await startConsoleApp(t);
  const { integrationId } = await playScene(app);
  const { page } = await signedIn(t, app, `/console/integrations/${integrationId}`);
  await page.getByLabel('While no policy is bound').selectOption('block');
  await page.getByLabel('Require a session').selectOption('yes');
  await page.getByRole('button', { name: 'Save the settings' }).click();
  await page.getByText('The settings are saved.').waitFor();
  const { settings } = (await app.call(adminKey, 'GET', `/v1/integrations/${integrationId}`)).body.data;
  t.match(settings, { whenNoPolicy: 'BLOCK', requireSession: true, contentRetention: 'full' });
});
