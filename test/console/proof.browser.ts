import { readFile } from 'node:fs/promises';
import t from 'tap';
import { signedIn, startConsoleApp } from './browser.ts';
import { playScene } from './scene.ts';

t.test('charts count what was decided, and a table says the same', async (t) => {
  const app = await startConsoleApp(t);
  await playScene(app);
  const { page, faults } = await signedIn(t, app, '/console/statistics');
  await page.getByRole('row', { name: /support agent.* 4 1 1 1 1 [\d.]+ ms$/ }).waitFor();
  await page.getByText('As a table').first().click();
  await page
    .locator('.chart')
    .first()
    .getByRole('row', { name: / 1 1 1 1 4$/ })
    .waitFor();
  await page.getByRole('button', { name: 'Tool' }).click();
  await page.getByRole('row', { name: /net\.http_post.* 1 0 0 0 1 [\d.]+ ms$/ }).waitFor();
  await page.getByRole('button', { name: 'Last 30 days' }).click();
  await page.getByRole('row', { name: /net\.http_post.* 1 0 0 0 1 [\d.]+ ms$/ }).waitFor();
  t.match(page.url(), /unit=day/);
  t.strictSame(faults, []);
});

t.test('the browser verifies the record, and saves the export that it verified', async (t) => {
  const app = await startConsoleApp(t);
  const { sessionId } = await playScene(app);
  const { page, faults } = await signedIn(t, app, '/console/record');
  await page.getByRole('button', { name: 'Verify the record' }).click();
  await page.getByText('Verified: nothing was changed.').waitFor();
  t.match(await page.locator('.verification').innerText(), /[1-9]\d* entries in [1-9]\d* chains/);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the export' }).click();
  const saved = await readFile(await (await downloading).path(), 'utf8');
  t.match(saved.split('\n')[0], /"kind":"export"/);
  await page.getByLabel('Session id').fill(sessionId);
  await page.getByRole('button', { name: 'Verify the record' }).click();
  await page.getByText(/^4 entries in 1 chains/).waitFor();
  await page.getByText('Verified: nothing was changed.').waitFor();

  // Somebody between the service and the browser, or in the database, changes one decision.
  await page.route('**/v1/record/export*', async (route) => {
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    const response = await route.fetch({ headers });
    await route.fulfill({
      response,
      body: (await response.text()).replace(
        String.raw`\"enforcementAction\":\"BLOCK\"`,
        String.raw`\"enforcementAction\":\"ALLOW\"`,
      ),
    });
  });
  await page.getByRole('button', { name: 'Verify the record' }).click();
  await page.getByText(/Entry session:.* was changed/).waitFor();
  t.equal(await page.getByText('Verified: nothing was changed.').count(), 0);
  t.strictSame(faults, []);
});
