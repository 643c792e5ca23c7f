import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { signedIn, startConsoleApp } from './browser.ts';
import { keyboard } from './keyboard.ts';

t.test('by keyboard, a key is revoked, an operator disabled, and the audit says by whom', async (t) => {
  const app = await startConsoleApp(t);
  const create = async (path: string, json: object) =>
    (await app.call(adminKey, 'POST', path, json)).body.data;
  const { id } = await create('/v1/operators', { name: 'Ada', roles: ['AUDITOR'] });
  const { key } = await create('/v1/operator-keys', { operatorId: id, name: 'old laptop' });
  const { page, faults } = await signedIn(t, app, `/console/operators/${id}`);
  const { press, button } = keyboard(page);
  await press(button('Revoke the key', page.getByRole('row', { name: /old laptop/ })));
  await press(button('Revoke the key', page.getByRole('dialog')));
  await page.getByText('No key: this operator cannot sign in.').waitFor();
  t.equal((await app.call(key, 'GET', '/v1/operators/me')).status, 401);
  await press(button('Disable the operator'));
  await press(button('Disable the operator', page.getByRole('dialog')));
  await page.getByText('Disabled').waitFor();
  await press(page.getByRole('link', { name: 'Audit' }));
  await page.getByText('changeOperator').first().waitFor();
  await page.getByText('revokeOperatorKey').first().waitFor();
  await press(page.getByRole('button', { name: 'changeOperator' }).first());
  await page.getByText('"DISABLED"').first().waitFor();
  t.strictSame(faults, []);
});
