import { readFileSync } from 'node:fs';
import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { until } from '../helpers/until.ts';
import { signedIn } from './browser.ts';
import { startScene } from './scene.ts';

const { app, ...scene } = await startScene(t);
const { page, faults } = await signedIn(t, app);
const table = page.locator('table.data');
const names = () => table.locator('tbody th').allInnerTexts();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const openList = async (path: string, count: number) => {
  await page.goto(app.url + path);
  await table
    .locator('tbody tr')
    .nth(count - 1)
    .waitFor();
};
async function shows(count: number): Promise<void> {
  await until(
    () => table.locator('tbody tr').count(),
    (found) => found === count,
  );
}

t.test('a heading sorts, the other way, and back; the address has it, and Back restores it', async (t) => {
  await openList('/console/evaluations', 4);
  const usual = ['net.http_post', 'email.send', 'crm.lookup', 'web.search'];
  t.strictSame(await names(), usual);
  await button('Action').click();
  t.strictSame(await names(), [...usual].sort());
  t.equal(await page.getByRole('columnheader', { name: 'Action' }).getAttribute('aria-sort'), 'ascending');
  await button('Action').click();
  t.strictSame(await names(), [...usual].sort().reverse());
  t.match(page.url(), /sort=-action/);
  await page.reload();
  await table.waitFor();
  t.strictSame(await names(), [...usual].sort().reverse());
  await table.getByRole('link', { name: 'email.send' }).click();
  await page.getByRole('heading', { name: 'Evaluation' }).waitFor();
  await page.goBack();
  await table.waitFor();
  t.strictSame(await names(), [...usual].sort().reverse());
  await button('Action').click();
  t.strictSame(await names(), usual);
});

t.test(
  'rows are found while a person types, by every column, and the search can be taken back',
  async (t) => {
    await openList('/console/evaluations', 4);
    await page.getByLabel('Search this list').pressSequentially('credentials ou');
    await shows(1);
    t.strictSame(await names(), ['net.http_post']);
    await page.getByText('1 of 4 rows match').waitFor();
    t.match(page.url(), /find=credentials\+ou/);
    await page.getByLabel('Search this list').fill('nothing has this');
    await page.getByText('No row matches the search.').waitFor();
    await button('Clear the filters').click();
    await shows(4);
  },
);

t.test('filters offer what there is: tools that were seen, integrations and entities by name', async (t) => {
  const other = await app.integration('AGENT');
  await app.call(adminKey, 'PATCH', `/v1/integrations/${other.id}`, { name: 'billing agent' });
  for (const tool of ['ledger.read', 'email.send']) {
    await app.call(other.key, 'POST', '/v1/evaluate', { externalSessionId: 'month end', input: { tool } });
  }
  await openList('/console/evaluations', 6);
  await page.getByLabel('Integration', { exact: true }).selectOption('billing agent');
  await shows(2);
  await page.getByLabel('Entity', { exact: true }).selectOption('Customer support');
  await page.getByText('No evaluation matches.').waitFor();
  await button('Clear the filters').click();
  await shows(6);
  const tool = page.getByLabel('Tool', { exact: true });
  const offered = page.locator('datalist option');
  t.equal(await offered.count(), 0, 'read when somebody is about to type');
  await tool.focus();
  await offered.nth(4).waitFor({ state: 'attached' });
  t.strictSame(
    (
      await offered.evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value))
    ).sort(),
    ['crm.lookup', 'email.send', 'ledger.read', 'net.http_post', 'web.search'],
  );
  // As the browser enters an offer that is chosen: nobody presses Enter.
  await tool.fill('email.send');
  await shows(2);
  await page.goto(`${app.url}/console/sessions?integration=${other.id}`);
  await table.locator('tbody tr').first().waitFor();
  t.strictSame(await names(), ['month end']);
});

t.test('rows wait for no statistics, and all names of integrations are one request', async (t) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${app.url}/console/evaluations`);
  await table.getByText('billing agent').first().waitFor();
  t.notOk(asked.includes('/v1/stats'));
  t.equal(asked.filter((path) => path.startsWith('/v1/integrations')).length, 1);
});

t.test('columns are chosen, rows become lower, and a view keeps it all under a name', async (t) => {
  await openList('/console/sessions', 1);
  await page.locator('summary', { hasText: 'Columns' }).click();
  await page.getByLabel('Labels', { exact: true }).check();
  await page.getByLabel('Status', { exact: true }).uncheck();
  await page.getByRole('columnheader', { name: 'Labels' }).waitFor();
  t.equal(await page.getByRole('columnheader', { name: 'Status' }).count(), 0);
  await page.locator('summary', { hasText: 'Views' }).click();
  t.equal(await page.getByLabel('Labels', { exact: true }).isVisible(), false, 'one menu at a time');
  await page.getByLabel('Name of the view').fill('with labels');
  await page.keyboard.press('Enter');
  await openList('/console/sessions', 1);
  t.equal(await page.getByRole('columnheader', { name: 'Labels' }).count(), 0);
  await page.locator('summary', { hasText: 'Views' }).click();
  await page.getByRole('link', { name: 'with labels' }).click();
  await page.getByRole('columnheader', { name: 'Labels' }).waitFor();
  await button('Remove the view with labels').click();
  await page.keyboard.press('Escape');
  const heightOf = async () => (await table.locator('tbody tr').first().boundingBox())?.height ?? 0;
  const usual = await heightOf();
  await button('Compact').click();
  t.ok((await heightOf()) < usual);
  await button('Compact').click();
});

t.test('the CSV has the rows and columns that are shown, and no formula of an agent', async (t) => {
  await scene.act({ tool: '=HYPERLINK("https://example.com")', text: 'x' });
  await openList('/console/evaluations?columns=action,decision&sort=action', 5);
  const download = page.waitForEvent('download');
  await button('Export CSV').click();
  const file = await (await download).path();
  const [head, first, ...rest] = readFileSync(file, 'utf8').trimEnd().split('\r\n');
  t.equal(head, '\uFEFFAction,Decision');
  t.match(first, /^"'=HYPERLINK\(""https:\/\/example\.com""\)",/);
  t.equal(rest.length + 1, await table.locator('tbody tr').count());
});

t.test('MCP servers are a list like every other, with the buttons of each one at its end', async (t) => {
  await app.call(adminKey, 'POST', '/v1/mcp-servers', { name: 'wiki', url: 'https://wiki.example/mcp' });
  await openList('/console/mcp-servers', 2);
  await button('Name').click();
  t.strictSame(await names(), ['crm', 'wiki']);
  await page.getByLabel('Search this list').fill('wiki.example');
  await shows(1);
  t.equal(await table.getByRole('button', { name: 'Edit the server' }).count(), 1);
  const download = page.waitForEvent('download');
  await button('Export CSV').click();
  const [head, row] = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  t.equal(head, '\uFEFFName,Address,Clients connect to,Headers,Tools that are blocked now');
  t.equal(row, 'wiki,https://wiki.example/mcp,/v1/mcp-proxy/wiki,,Not listed');
});

t.test('reviews and violations have saved views, and the CSV of what is shown', async (t) => {
  for (const [path, columns] of [
    ['/console/reviews', 'At,Tool,Severity,Status,Why,Integration,ID'],
    ['/console/violations', 'At,Rule id,Policy,Severity,Status,Tool,Why,Integration,Evaluation'],
  ] as const) {
    await page.goto(app.url + path);
    const entries = page.locator('.entries > li');
    await entries.first().waitFor();
    const download = page.waitForEvent('download');
    await button('Export CSV').click();
    const [head, ...rows] = readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    t.equal(head, `\uFEFF${columns}`);
    t.equal(rows.length, await entries.count());
    await page.locator('summary', { hasText: 'Views' }).click();
    await page.getByLabel('Name of the view').fill('mine');
    await page.keyboard.press('Enter');
    t.match(await page.getByRole('link', { name: 'mine' }).getAttribute('href'), path);
  }
});

t.test(
  'the audit leaves out successful reads until they are asked for, and finds by actor and action',
  async (t) => {
    await openList('/console/audit', 8);
    t.notOk((await names()).some((name) => /^(list|read|follow)|checkPolicy|provePolicy/.test(name)));
    await page.getByLabel('Show reads').check();
    await table.getByText('listAudit').first().waitFor();
    await page.getByLabel('Show reads').uncheck();
    await page.getByLabel('Action', { exact: true }).fill('createList');
    await page.keyboard.press('Enter');
    await shows(1);
    await page.getByLabel('By', { exact: true }).selectOption('Katherine Johnson');
    await page.getByText('Nothing matches the filters.').waitFor();
    await page.goBack();
    await button('createList').first().click();
    await page.getByRole('dialog').getByText('partner_domains').first().waitFor();
    await page.keyboard.press('Escape');
  },
);

t.test('no name of a tool breaks inside a word, and times stay on one line', async (t) => {
  const tool = 'mcp__customer_relations__export_contacts';
  await scene.act({ tool, text: 'x' });
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await openList('/console/evaluations', 5);
    const lines = (await page.evaluate(`[...document.querySelectorAll('.data tbody th, .data td.time')]
      .map((cell) => cell.textContent + ': ' + new Set([...cell.firstElementChild.getClientRects()].map(({ top }) => Math.round(top))).size)`)) as string[];
    t.strictSame(
      lines.filter((line) => !line.endsWith(': 1')),
      [],
      `at ${width} pixels`,
    );
  }
  t.strictSame(faults, []);
});
