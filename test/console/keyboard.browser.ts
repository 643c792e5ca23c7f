import t from 'tap';
import { signedIn } from './browser.ts';
import { keyboard } from './keyboard.ts';
import { startScene } from './scene.ts';

const { app, ...scene } = await startScene(t);
const { page, faults } = await signedIn(t, app);
const form = page.getByRole('dialog');

const { press, type, button, isFocused } = keyboard(page);
const open = (path: string) => page.goto(app.url + path);

t.test('a key of an integration is issued and revoked, and the focus comes back each time', async (t) => {
  await open(`/console/integrations/${scene.integrationId}`);
  const keys = page.getByRole('region', { name: 'Keys' });
  await press(button('Create a key', keys));
  await type(form.getByLabel('What it is for'), 'night shift');
  await press(form.getByLabel('end sessions'), 'Space');
  await press(button('Create a key', form));
  await press(button('I have copied it'));
  await form.waitFor({ state: 'detached' });
  t.ok(await isFocused(button('Create a key', keys)), 'where it was before');
  await press(button('Create a key', keys));
  await press(button('Cancel', form));
  await form.waitFor({ state: 'detached' });
  t.ok(await isFocused(button('Create a key', keys)), 'after Cancel, too');
  const row = keys.getByRole('row', { name: /night shift.*ask for decisions, open sessions, read/ });
  await press(button('Revoke the key', row));
  await form.getByText(/^Revoke the key night shift \(ends in .{4}\)\?/).waitFor();
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  t.ok(await isFocused(button('Revoke the key', row)), 'Esc leads back, too');
  await page.keyboard.press('Enter');
  await press(button('Revoke the key', form));
  await row.getByText('Revoked').waitFor();
});

t.test('a webhook is created, changed and turned off', async () => {
  await open('/console/webhooks');
  await press(button('Create a webhook'));
  await type(form.getByLabel('Name'), 'pager');
  await type(form.getByLabel('Address'), 'https://example.com/hook');
  await press(form.getByLabel('support agent'), 'Space');
  await press(button('Create a webhook', form));
  await press(button('I have copied it'));
  await press(page.getByRole('link', { name: 'pager' }));
  await press(button('Edit the webhook'));
  await type(form.getByLabel('Name'), ' of the night');
  await press(button('Save', form));
  await page.getByRole('heading', { name: /of the night/ }).waitFor();
  await press(button('Turn off the webhook'));
  await page.getByText('Nothing is sent').waitFor();
});

t.test('an MCP server is registered, changed and deleted', async () => {
  await open('/console/mcp-servers');
  await press(button('Register an MCP server'));
  await type(form.getByLabel('Name'), 'wiki');
  await type(form.getByLabel('Address'), 'https://wiki.example/mcp');
  await type(form.getByLabel('Headers'), 'Authorization: Bearer x');
  await press(button('Register an MCP server', form));
  const row = page.getByRole('row').filter({ hasText: 'wiki.example' });
  await row.getByText('/v1/mcp-proxy/wiki').waitFor();
  await press(button('Edit the server', row));
  await press(form.getByLabel('Mask detected values in results'), 'Space');
  await press(button('Save', form));
  await form.waitFor({ state: 'detached' });
  await press(button('Delete the server', row));
  await press(button('Delete the server', form));
  await row.waitFor({ state: 'detached' });
});

t.test('a list is created and loses an entry, an entity is registered', async () => {
  await open('/console/lists');
  await press(button('Create a list'));
  await type(form.getByLabel('Name'), 'vendors');
  await type(form.getByLabel('Entries'), 'vendor.example');
  await press(button('Create a list', form));
  await press(button('Remove vendor.example'));
  await page.getByText('The list is empty.').waitFor();
  await open('/console/entities');
  await press(button('Register an entity'));
  await type(form.getByLabel('Name'), 'Night shift');
  await press(button('Register an entity', form));
  await page.getByRole('heading', { name: 'Night shift' }).waitFor();
});

t.test('statistics are read as a table, a session is ended', async (t) => {
  await open('/console/statistics');
  await press(button('Tool'));
  await page.getByRole('row', { name: /net\.http_post/ }).waitFor();
  await press(page.getByText('As a table').last());
  await page.locator('.chart').last().getByRole('row', { name: /\d ms/ }).first().waitFor();
  await open(`/console/sessions/${scene.sessionId}`);
  await press(button('End the session'));
  await press(button('End the session', form));
  await page.locator('main').getByText('Terminated').first().waitFor();
  t.strictSame(faults, []);
});
