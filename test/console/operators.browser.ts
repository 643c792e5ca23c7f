import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { openPage, signedIn, startConsoleApp } from './browser.ts';
import { keyboard } from './keyboard.ts';
import { playScene } from './scene.ts';

t.test(
  'by keyboard, an owner creates a reviewer and its key; the reviewer sees what its role permits',
  async (t) => {
    const app = await startConsoleApp(t);
    const scene = await playScene(app);
    const { page, faults } = await signedIn(t, app, '/console/settings');
    const { press, type, button } = keyboard(page);
    const form = page.getByRole('dialog').first();
    await press(page.getByRole('link', { name: 'Operators' }));
    await press(button('New operator'));
    await type(form.getByLabel('Name'), 'Grace Hopper');
    await type(form.getByLabel('E-mail'), 'grace@example.com');
    await form.getByText('approves and rejects held actions').waitFor();
    await page.goBack();
    await page.getByText('Leave this page? What you changed is not saved.').waitFor();
    await press(button('Cancel', page.getByRole('dialog').last()));
    await press(form.getByLabel('Reviewer'), 'Space');
    await press(form.getByLabel('Read only'), 'Space');
    await type(form.getByLabel('Groups'), 'payments, support');
    await press(button('New operator', form));
    // Whoever has no key is offered one at once.
    await form.getByText('Without a key this operator cannot sign in').waitFor();
    await press(button('Cancel', form));
    await page.getByRole('row', { name: /Grace Hopper.*Reviewer.*payments, support/ }).waitFor();
    await press(page.getByRole('link', { name: 'Grace Hopper' }));
    await page.getByText('No key: this operator cannot sign in.').waitFor();
    await press(button('New key'));
    await type(form.getByLabel('What it is for'), 'laptop');
    await press(button('New key', form));
    const key = await page.getByRole('dialog').locator('code').innerText();
    t.match(key, /^asz_admin_/);
    await press(button('I have copied it'));
    await page.getByRole('row', { name: /laptop.*never/ }).waitFor();
    t.strictSame(faults, []);

    const reviewer = await openPage(t, app);
    await reviewer.page.goto(`${app.url}/console/reviews?id=${scene.reviewId}`);
    await reviewer.page.getByLabel('Operator key').fill(key);
    await reviewer.page.keyboard.press('Enter');
    await reviewer.page.getByRole('button', { name: /^Approve\b/ }).waitFor();
    const nav = reviewer.page.getByRole('navigation', { name: 'Pages' });
    // biome-ignore format: short texts read better in rows
    t.strictSame(await nav.getByRole('link').allInnerTexts(), [
      'Now', 'Reviews\n1\n1 action waits', 'Sessions', 'Evaluations', 'Violations', 'Statistics',
      'Policies', 'Proposals', 'Lists', 'Integrations', 'MCP servers', 'Entities', 'Settings',
    ]);
    await nav.getByRole('link', { name: 'Policies' }).click();
    await reviewer.page.getByText('pii-data-flow').waitFor();
    t.equal(await reviewer.page.getByRole('link', { name: 'New policy' }).count(), 0);
    await reviewer.page.goto(`${app.url}/console/operators`);
    await reviewer.page.getByText('operators:read').waitFor();
    t.equal((await app.call(key, 'POST', '/v1/integrations', { name: 'x', kind: 'AGENT' })).status, 403);
  },
);

t.test('by keyboard, a key is revoked, an operator disabled, and the audit says by whom', async (t) => {
  const app = await startConsoleApp(t);
  const create = async (path: string, json: object) =>
    (await app.call(adminKey, 'POST', path, json)).body.data;
  const { id } = await create('/v1/operators', { name: 'Ada', roles: ['AUDITOR'] });
  const { key } = await create('/v1/operator-keys', { operatorId: id, name: 'old laptop' });
  const { page, faults } = await signedIn(t, app, `/console/operators/${id}`);
  const { press, button } = keyboard(page);
  await press(button('Revoke', page.getByRole('row', { name: /old laptop/ })));
  await press(button('Yes', page.getByRole('dialog')));
  await page.getByText('No key: this operator cannot sign in.').waitFor();
  t.equal((await app.call(key, 'GET', '/v1/operators/me')).status, 401);
  await press(button('Disable'));
  await press(button('Yes', page.getByRole('dialog')));
  await page.getByText('Disabled').waitFor();
  await press(page.getByRole('link', { name: 'Audit' }));
  await page.getByText('changeOperator').first().waitFor();
  await page.getByText('revokeOperatorKey').first().waitFor();
  await press(page.getByRole('button', { name: 'changeOperator' }).first());
  await page.getByText('"DISABLED"').first().waitFor();
  t.strictSame(faults, []);
});
