import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { closeBrowser, signedIn, startConsoleApp } from './browser.ts';
import { playScene } from './scene.ts';

t.teardown(closeBrowser);

t.test(
  'a violation is looked into, then dismissed as a false positive that counts against its rule',
  async (t) => {
    const app = await startConsoleApp(t);
    await playScene(app);
    const { page, faults } = await signedIn(t, app, '/console/violations');
    await page.locator('.entries a').filter({ hasText: 'net.http_post' }).first().click();
    const detail = page.locator('article');
    await detail.getByRole('button', { name: 'I look into it' }).click();
    await detail.getByText('In work').waitFor();
    await detail.getByRole('button', { name: 'Dismiss' }).click();
    await detail.getByLabel('Why it is none').selectOption('FALSE_POSITIVE');
    await detail.getByLabel('Note').fill('a test token');
    await detail.getByRole('button', { name: 'Dismiss' }).click();
    await detail.getByText('False positive: the rule was wrong').waitFor();
    await detail.getByText('a test token').waitFor();
    await page.getByRole('button', { name: 'Dismissed' }).click();
    await page.locator('.entries a').filter({ hasText: 'net.http_post' }).waitFor();
    t.equal(await page.locator('.entries a').count(), 1);
    const { body } = await app.call(adminKey, 'GET', '/v1/violations?status=DISMISSED');
    t.match(body.data, [{ dismissal: 'FALSE_POSITIVE', note: 'a test token' }]);
    await page.getByRole('button', { name: 'By rule' }).click();
    await page.getByRole('row', { name: /100 % \(1\)|100% \(1\)/ }).waitFor();
    t.strictSame(faults, []);
  },
);
