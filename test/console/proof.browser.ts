import type { Locator } from 'playwright-core';
import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { signedIn } from './browser.ts';
import { startScene } from './scene.ts';

const hourOf = (ms: number): number => Math.floor(ms / 3_600_000);

t.test('charts count what was decided, and a table says the same', async (t) => {
  const { app } = await startScene(t);
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
  await page.getByRole('button', { name: '30 days' }).click();
  await page.getByRole('row', { name: /net\.http_post.* 1 0 0 0 1 [\d.]+ ms$/ }).waitFor();
  t.match(page.url(), /period=month/);
  t.strictSame(faults, []);
});

t.test('a bar shows its values, opens its evaluations, and several are zoomed to', async (t) => {
  const { app, ...scene } = await startScene(t);
  const { page, faults } = await signedIn(t, app, '/console/statistics');
  const chart = page.locator('.chart').first();
  const drawing = chart.locator('svg[role=img]');
  const { body } = await app.call(adminKey, 'GET', `/v1/evaluations/${scene.evaluations[0]}`);
  const playedIn = hourOf(Date.parse(body.data.createdAt));
  // What is above the chart moves it when it arrives: where a bar is, is asked before each use, once the chart stands still.
  const barAt = async (hoursBefore: number) => {
    const { width, height } = await sizeOf(drawing);
    // The last of 24 bars is this hour, which may have begun since the scene. Left of the bars are the values of the grid.
    const place = 23 - (hourOf(Date.now()) - playedIn) - hoursBefore;
    return { x: (width * (56 + ((960 - 56) / 24) * (place + 0.5))) / 960, y: height / 2 };
  };
  await page.getByRole('row', { name: /support agent/ }).waitFor();
  t.strictSame(await drawing.locator('.axis text').allTextContents(), ['0', '1', '2', '3', '4']);
  await drawing.hover({ position: await barAt(0) });
  await chart.getByText('Allowed 1 · Warning 1 · Held 1 · Blocked 1 · Total 4').waitFor();
  await drawing.hover({ position: await barAt(3) });
  await page.mouse.down();
  await drawing.hover({ position: await barAt(2) });
  await drawing.hover({ position: await barAt(0) });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Show the whole period' }).first().waitFor();
  const range = new URL(page.url()).searchParams;
  t.equal(Date.parse(range.get('to') ?? '') - Date.parse(range.get('from') ?? ''), 4 * 3_600_000);
  await chart.getByText('As a table').click();
  await chart.getByRole('row').nth(4).waitFor();
  t.equal(await chart.getByRole('row').count(), 5, 'a heading and four hours');
  await page.getByRole('button', { name: 'Show the whole period' }).first().click();
  // Hours that are named: every fourth of 24, where each of the four was.
  await chart.locator('text.axis').nth(5).waitFor();
  await drawing.click({ position: await barAt(0) });
  await page.getByRole('heading', { level: 1, name: 'Evaluations' }).waitFor();
  await page.locator('table.data tbody tr').nth(3).waitFor();
  await page.goBack();
  await page
    .getByRole('table', { name: 'Evaluations' })
    .getByRole('link', { name: 'support agent' })
    .waitFor();
  await page.getByRole('table', { name: 'Evaluations' }).getByRole('link', { name: '1' }).last().click();
  await page.getByRole('heading', { level: 1, name: 'Evaluations' }).waitFor();
  await page.getByRole('row', { name: /net\.http_post/ }).waitFor();
  t.match(page.url(), new RegExp(`integration=${scene.integrationId}&decision=BLOCK`));
  t.equal(await page.locator('table.data tbody tr').count(), 1);
  t.strictSame(faults, []);
});

t.test('the browser verifies a session, and finds a decision that was changed', async (t) => {
  const { app, sessionId } = await startScene(t);
  const { page, faults } = await signedIn(t, app, '/console/record');
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

async function sizeOf(locator: Locator): Promise<{ width: number; height: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not on the page');
  return box;
}
