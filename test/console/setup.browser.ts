import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { until } from '../helpers/until.ts';
import { signedIn, startConsoleApp } from './browser.ts';
import { bindStarterPolicies, startScene } from './scene.ts';

t.test('a list is created, gets and loses entries, and says who changed it', async (t) => {
  const app = await startConsoleApp(t);
  const { page, faults } = await signedIn(t, app, '/console/lists');
  await page.getByRole('button', { name: 'Create a list' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('partners');
  await form.getByLabel('Entries').fill('example.com\npartner.example');
  await form.getByRole('button', { name: 'Create a list' }).click();
  await page.getByRole('heading', { name: 'partners' }).waitFor();
  await page.getByLabel('Entries').fill('new.example\n\nother.example');
  await page.getByLabel('Why').fill('contract 12');
  await page.getByRole('button', { name: 'Add entries' }).click();
  await page.getByText('2 added, 0 removed.').waitFor();
  await page.getByRole('button', { name: 'Remove example.com' }).click();
  await page.getByText('0 added, 1 removed.').waitFor();
  await page.getByRole('row', { name: /version 2.*new\.example, other\.example.*contract 12/ }).waitFor();
  const { body } = await app.call(adminKey, 'GET', '/v1/lists');
  t.match(body.data, [{ name: 'partners', entryCount: 3 }]);
  await page.getByRole('button', { name: 'Delete the list' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the list' }).click();
  await page.getByText('There is no list yet.').waitFor();
  t.strictSame(faults, []);
});

t.test('an entity is registered, edited, and leads to its sessions and violations', async (t) => {
  const { app } = await startScene(t);
  const { page, faults } = await signedIn(t, app, '/console/entities');
  await page.getByRole('button', { name: 'Register an entity' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Billing');
  await form.getByLabel('Kind').selectOption('SERVICE');
  await form.getByRole('button', { name: 'Register an entity' }).click();
  await page.getByRole('heading', { name: 'Billing' }).waitFor();
  await page.getByRole('button', { name: 'Edit the entity' }).click();
  await form.getByLabel('Owner', { exact: true }).fill('Grace Hopper');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Grace Hopper').waitFor();
  await page.getByRole('link', { name: 'Entities' }).click();
  await page.getByRole('link', { name: 'Customer support' }).click();
  await page.getByRole('link', { name: 'Its violations' }).click();
  await page.getByText('net.http_post').first().waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Its sessions' }).click();
  await page.getByRole('link', { name: 'ticket 4711' }).waitFor();
  t.strictSame(faults, []);
});

t.test('a webhook shows its secret once, gives up, and delivers again what was given up', async (t) => {
  let status = 410;
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.teardown(() => receiver.close());
  const { app, integrationId } = await startScene(t, { ASSIZE_CALLBACK_ALLOW: '127.0.0.1' });
  const { page, faults } = await signedIn(t, app, '/console/webhooks');
  await page.getByRole('button', { name: 'Create a webhook' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('siem');
  await form.getByLabel('Address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/x`);
  await form.getByLabel('Types of events').fill('integration.*');
  await form.getByRole('button', { name: 'Create a webhook' }).click();
  t.match(await form.locator('code').innerText(), /^whsec_/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('link', { name: 'siem' }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/The test did not arrive/).waitFor();
  await app.integration('AGENT');
  await page.getByRole('row', { name: /integration\.created.*Failed.*410/ }).waitFor();
  status = 204;
  await page.getByText('Failing', { exact: true }).waitFor();
  await page.getByText('none yet').waitFor();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('row', { name: /siem.*Failing.*none yet.*100%/ }).waitFor();
  await page.getByRole('link', { name: 'siem' }).click();
  await page.getByRole('button', { name: 'Failed' }).click();
  await page.getByRole('button', { name: 'Redeliver all failed' }).click();
  await page.getByText('1 is delivered again.').waitFor();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('row', { name: /integration\.created.*Delivered.*204/ }).waitFor();
  await page.getByText('Active', { exact: true }).waitFor();
  t.equal(received.at(-1), received.at(-2), 'the same event id');
  await page.getByRole('button', { name: 'Edit the webhook' }).click();
  await form.getByLabel('support agent').check();
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Only of these integrations').waitFor();
  await page.locator('main').getByText('support agent').waitFor();
  const { body } = await app.call(adminKey, 'GET', '/v1/webhooks?size=1');
  t.match(body.data, [{ name: 'siem', types: ['integration.*'], integrationIds: [integrationId] }]);
  await page.getByRole('button', { name: 'Replace the secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click();
  t.match(await page.getByRole('dialog').locator('code').innerText(), /^whsec_/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByText('Signed with the old secret too until').waitFor();
  await page.getByRole('button', { name: 'Turn off the webhook' }).click();
  await page.getByText('Nothing is sent, and what happens meanwhile is not sent later.').waitFor();
  t.strictSame(faults, []);
});

t.test('after the demo, guided steps tick themselves, and are put away', async (t) => {
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.teardown(() => receiver.close());
  const app = await startConsoleApp(t, { ASSIZE_CALLBACK_ALLOW: '127.0.0.1' });
  const demo = await app.integration('AGENT');
  await app.call(adminKey, 'PATCH', `/v1/integrations/${demo.id}`, { name: 'demo' });
  await bindStarterPolicies(app, demo.id);
  const { page, faults } = await signedIn(t, app, '/console/');
  await page.getByRole('link', { name: 'Set up your own agent' }).click();
  const step = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const isDone = (name: string) => step(name).getByText('Done', { exact: true }).waitFor();
  const form = page.getByRole('dialog');

  await step('1. Connect').getByRole('button', { name: 'Create an integration' }).click();
  await form.getByLabel('Name').fill('billing agent');
  await form.getByRole('button', { name: 'Create an integration' }).click();
  const [key = ''] = /asz_live_[\w-]{43}/.exec(await form.locator('.secret').first().innerText()) ?? [];
  // The page has loaded the new integration by itself, and still shows its key.
  await step('2. Bind').getByText('No policy is bound: everything is allowed.').waitFor();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await step('1. Connect').getByText('Waiting for the first call…').waitFor();
  t.equal(await page.getByText('Done', { exact: true }).count(), 0);
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'web.search' } });
  await isDone('1. Connect');

  await step('2. Bind').getByText('No policy is bound: everything is allowed.').waitFor();
  await step('2. Bind').getByRole('button', { name: 'Bind in MONITOR' }).click();
  await isDone('2. Bind');
  const { body } = await app.call(adminKey, 'GET', '/v1/integrations');
  const { id } = body.data.find(({ name }: { name: string }) => name === 'billing agent');
  // The step is done with the first of them.
  const bound = await until(
    async () => (await app.call(adminKey, 'GET', `/v1/integrations/${id}/policies?size=100`)).body.data,
    ({ length }) => length > 3,
  );
  t.ok(bound.every(({ binding }: { binding: { mode: string } }) => binding.mode === 'MONITOR'));

  await step('3. Invite').getByRole('button', { name: 'Create a reviewer' }).click();
  await form.getByLabel('Name').fill('Grace Hopper');
  t.ok(await form.getByLabel('Reviewer').isChecked());
  await form.getByRole('button', { name: 'Create an operator' }).click();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await isDone('3. Invite');

  await step('4. Test').getByRole('button', { name: 'Create a webhook' }).click();
  await form.getByLabel('Name').fill('siem');
  await form.getByLabel('Address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/x`);
  await form.getByRole('button', { name: 'Create a webhook' }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await step('4. Test')
    .getByRole('button', { name: /^Send a test/ })
    .click();
  await isDone('4. Test');

  await page.getByRole('button', { name: 'Hide the steps' }).click();
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  await page.getByRole('button', { name: 'Start the demo' }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Set up your own agent' }).count(), 0);
  t.strictSame(faults, []);
});

t.test('the tools that an MCP server lists are imported, and their effects corrected', async (t) => {
  const app = await startConsoleApp(t);
  const { id } = await app.integration('AGENT');
  const { page, faults } = await signedIn(t, app, `/console/integrations/${id}`);
  await page.getByRole('button', { name: 'Add tools' }).click();
  const form = page.getByRole('dialog');
  const listed = { tools: [{ name: 'db.drop', description: 'Deletes a table' }] };
  await form.getByLabel('JSON').fill('{');
  await form.getByRole('button', { name: 'Add tools' }).click();
  await form.getByText('This is not JSON.').waitFor();
  await form.getByLabel('JSON').fill(JSON.stringify({ jsonrpc: '2.0', id: 1, result: listed }));
  await form.getByRole('button', { name: 'Add tools' }).click();
  await page.getByRole('row', { name: /db\.drop.*Deletes a table/ }).waitFor();
  await page.getByLabel('Effect of db.drop').selectOption('READ');
  await page.getByText('The catalogue is saved.').waitFor();
  const { body } = await app.call(adminKey, 'GET', `/v1/integrations/${id}/tools`);
  t.match(body.data.tools, [{ name: 'db.drop', effect: 'READ' }]);
  const again = {
    tools: [{ ...listed.tools[0], description: 'Deletes <b>all</b> tables' }, { name: ' padded' }],
  };
  await page.getByRole('button', { name: 'Add tools' }).click();
  await form.getByLabel('JSON').fill(JSON.stringify(again));
  await form.getByRole('button', { name: 'Add tools' }).click();
  await form.getByText('name must not begin or end with white space').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /description.*Deletes a table.*Deletes <b>all<\/b> tables/ }).waitFor();
  await page.getByRole('button', { name: 'Accept the change of db.drop' }).click();
  await page.getByText('The change of db.drop is accepted.').waitFor();
  await page.getByRole('row', { name: /db\.drop.*Deletes <b>all<\/b> tables/ }).waitFor();
  await page.getByLabel('When a server changes a tool').selectOption('ACCEPT');
  await page.getByText('The catalogue is saved.').waitFor();
  const changed = (await app.call(adminKey, 'GET', `/v1/integrations/${id}/tools`)).body.data;
  t.match(changed, { onChange: 'ACCEPT', waiting: [], tools: [{ effect: 'READ' }] });
  await page.getByRole('button', { name: 'Remove db.drop' }).click();
  await page.getByText('No tool is described').waitFor();
  t.strictSame(faults, []);
});

t.test(
  'tools that were called and are not in the catalogue are proposed by a press of a button',
  async (t) => {
    const app = await startConsoleApp(t);
    const { id, key } = await app.integration('AGENT');
    const tools = [{ name: 'kb.search', annotations: { readOnlyHint: true } }];
    await app.call(adminKey, 'POST', `/v1/integrations/${id}/tools/import`, { tools });
    for (const tool of ['mail.send', 'tickets.list', 'kb.search'])
      await app.call(key, 'POST', '/v1/evaluate', { input: { tool, arguments: { to: 'ann@example.com' } } });
    await app.call(adminKey, 'GET', '/v1/stats');
    const { page, faults } = await signedIn(t, app, `/console/integrations/${id}`);
    await page.getByText('2 tools were called and are not described: mail.send, tickets.list.').waitFor();
    await page.getByRole('button', { name: 'Propose what they do' }).click();
    await page.getByText('3 tools are in the catalogue.').waitFor();
    await page.getByRole('row', { name: /mail\.send.*sends to to/ }).waitFor();
    const { body } = await app.call(adminKey, 'GET', `/v1/integrations/${id}/tools`);
    t.match(body.data, { waiting: [], undescribed: [], tools: { length: 3 } }, 'their calls are not held');
    t.strictSame(faults, []);
  },
);
