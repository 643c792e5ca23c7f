import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { openPage, signedIn, startConsoleApp } from './browser.ts';

t.test('a proposed change is read, and made by another operator than its author', async (t) => {
  const app = await startConsoleApp(t, { ASSIZE_FOUR_EYES: 'policies' });
  const create = async (path: string, json: object, by = adminKey) =>
    (await app.call(by, 'POST', `/v1/${path}`, json)).body.data;
  const keyOf = async (name: string, role: string): Promise<string> => {
    const { id } = await create('operators', { name, roles: [role] });
    return (await create('operator-keys', { operatorId: id })).key;
  };
  const ada = await keyOf('Ada', 'POLICY_EDITOR');
  const { id: listId } = await create('lists', { name: 'partners', kind: 'DOMAINS', entries: ['a.example'] });
  const propose = (by: string, add: string) =>
    create('proposals', { operation: 'changeList', listId, add: [add], note: `why ${add}` }, by);
  await propose(ada, 'b.example');
  await propose(adminKey, 'c.example');

  const { page, faults } = await signedIn(t, app, '/console/proposals');
  const open = async (why: string): Promise<void> => {
    await page.goto(`${app.url}/console/proposals?status=PENDING`);
    await page.getByRole('row', { name: why }).getByRole('link').click();
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const entries = async () => (await app.call(adminKey, 'GET', `/v1/lists/${listId}`)).body.data.entries;

  await open('why c.example');
  await page.getByText('You proposed it').waitFor();
  await press('Apply the change');
  await page.getByRole('alert').waitFor();
  t.strictSame(await entries(), ['a.example'], 'not by its author');
  await press('Reject the proposal');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject the proposal' }).click();
  await page.locator('.status', { hasText: 'Rejected' }).waitFor();

  await open('why b.example');
  await page.getByRole('link', { name: 'partners' }).waitFor();
  await page.getByRole('region', { name: 'The change' }).getByText('b.example').waitFor();
  await press('Apply the change');
  await page.locator('.status', { hasText: 'Applied' }).waitFor();
  t.strictSame(await entries(), ['a.example', 'b.example']);
  t.equal(await page.getByRole('button', { name: 'Reject the proposal' }).count(), 0);

  const { id } = await propose(ada, 'd.example');
  const auditor = await openPage(t, app);
  await auditor.page.goto(`${app.url}/console/proposals/${id}`);
  await auditor.page.locator('input[type=password]').fill(await keyOf('Grace', 'AUDITOR'));
  await auditor.page.keyboard.press('Enter');
  await auditor.page.getByText('why d.example').waitFor();
  t.equal(
    await auditor.page.getByRole('button', { name: 'Apply the change' }).count(),
    0,
    'who may only read',
  );
  t.strictSame([...faults, ...auditor.faults], []);
});
