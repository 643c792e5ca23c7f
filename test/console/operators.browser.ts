import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { closeBrowser, openPage, signedIn, startConsoleApp } from './browser.ts';
import { playScene } from './scene.ts';

t.teardown(closeBrowser);

t.test('an owner creates a reviewer and its key; the reviewer sees what its role permits', async (t) => {
  const app = await startConsoleApp(t);
  const scene = await playScene(app);
  const { page, faults } = await signedIn(t, app, '/console/operators');
  await page.getByRole('button', { name: 'New operator' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Grace Hopper');
  await form.getByLabel('E-mail').fill('grace@example.com');
  await form.getByLabel('Read only').uncheck();
  await form.getByLabel('Reviewer').check();
  await form.getByLabel('Groups').fill('payments, support');
  await form.getByRole('button', { name: 'New operator' }).click();
  await page.getByRole('row', { name: /Grace Hopper.*Reviewer.*payments, support/ }).waitFor();
  await page.getByRole('link', { name: 'Grace Hopper' }).click();
  await page.getByText('No key: this operator cannot sign in.').waitFor();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog').getByLabel('What it is for').fill('laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
  const key = await page.getByRole('dialog').locator('code').innerText();
  t.match(key, /^asz_admin_/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('row', { name: /laptop.*never/ }).waitFor();
  t.strictSame(faults, []);

  const reviewer = await openPage(t, app);
  await reviewer.page.goto(`${app.url}/console/reviews?id=${scene.reviewId}`);
  await reviewer.page.getByLabel('Operator key').fill(key);
  await reviewer.page.keyboard.press('Enter');
  await reviewer.page.getByRole('button', { name: /^Approve\b/ }).waitFor();
  const nav = reviewer.page.getByRole('navigation', { name: 'Pages' });
  t.strictSame(await nav.getByRole('link').allInnerTexts(), [
    'Now',
    'Reviews\n1\n1 action waits',
    'Sessions',
    'Violations',
    'Statistics',
    'Policies',
    'Lists',
    'Integrations',
    'Entities',
    'Settings',
  ]);
  await nav.getByRole('link', { name: 'Policies' }).click();
  await reviewer.page.getByText('pii-data-flow').waitFor();
  t.equal(await reviewer.page.getByRole('link', { name: 'New policy' }).count(), 0);
  await reviewer.page.goto(`${app.url}/console/operators`);
  await reviewer.page.getByText('operators:read').waitFor();
  t.equal((await app.call(key, 'POST', '/v1/integrations', { name: 'x', kind: 'AGENT' })).status, 403);
});

t.test('a key is revoked, an operator disabled, and the audit says by whom', async (t) => {
  const app = await startConsoleApp(t);
  const create = async (path: string, json: object) =>
    (await app.call(adminKey, 'POST', path, json)).body.data;
  const { id } = await create('/v1/operators', { name: 'Ada', roles: ['AUDITOR'] });
  const { key } = await create('/v1/operator-keys', { operatorId: id, name: 'old laptop' });
  const { page, faults } = await signedIn(t, app, `/console/operators/${id}`);
  await page
    .getByRole('row', { name: /old laptop/ })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
  await page.getByText('No key: this operator cannot sign in.').waitFor();
  t.equal((await app.call(key, 'GET', '/v1/operators/me')).status, 401);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
  await page.getByText('Disabled').waitFor();
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByText('changeOperator').first().waitFor();
  await page.getByText('revokeOperatorKey').first().waitFor();
  await page.getByText('Details').first().click();
  await page.getByText('"DISABLED"').first().waitFor();
  t.strictSame(faults, []);
});
