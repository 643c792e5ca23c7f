import t from 'tap';
import { until } from '../helpers/until.ts';
import { violationsInBothThemes } from './axe.ts';
import { signedIn } from './browser.ts';
import { startScene } from './scene.ts';

const { app, ...scene } = await startScene(t);
const { page, faults, context } = await signedIn(t, app);
await context.grantPermissions(['clipboard-read', 'clipboard-write']);
const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();
const palette = page.getByRole('dialog', { name: 'Find and open' });
/** Types into the search, and takes what is found first. */
async function find(text: string, found: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill(text);
  await palette.getByRole('option', { name: found, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'detached' });
}

t.test('Ctrl+K opens pages, and whatever has a name', async (t) => {
  await page.goto(`${app.url}/console/`);
  await heading('Now');
  for (const [text, found, title] of [
    ['statis', /^Statistics/, 'Statistics'],
    ['support agent', /^support agent/, 'support agent'],
    ['pii-data', /^pii-data-flow Policies/, 'pii-data-flow'],
    ['customer sup', /^Customer support/, 'Customer support'],
    ['ticket 4711', /^ticket 4711/, 'Session ticket 4711'],
    ['Katherine', /^Katherine/, 'Katherine Johnson'],
  ] as const) {
    await find(text, found);
    await heading(title);
  }
  await find('net.http', /^net\.http_post Tool/);
  await page.getByRole('row', { name: /net\.http_post/ }).waitFor();
  t.match(page.url(), /evaluations\?tool=net\.http_post$/);
  t.equal(await page.locator('table.data tbody tr').count(), 1);
  t.strictSame(faults, []);
});

t.test('an id of any kind is found, and one of nothing says so', async (t) => {
  await page.goto(`${app.url}/console/settings`);
  await heading('Settings');
  for (const [id, kind, title] of [
    [scene.evaluations[2], 'Evaluation', 'Evaluation'],
    [scene.sessionId, 'Session', 'Session ticket 4711'],
    [scene.reviewId, 'Review', 'Reviews'],
    [scene.policyId.toUpperCase(), 'Policy', /./],
    [scene.integrationId, 'Integration', 'support agent'],
    [scene.webhookId, 'Webhook', 'reviewers'],
    [scene.proposalId, 'Proposal', /./],
  ] as const) {
    await find(String(id), new RegExp(`${kind}$`));
    await heading(title);
  }
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('01980000-0000-7000-8000-000000000000');
  await palette.getByText('Nothing has this name or id.').waitFor();
  t.strictSame(await violationsInBothThemes(page), []);
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
  t.strictSame(faults, []);
});

t.test(
  'arrows choose, G and a letter opens a page, ? lists the keys, and a field keeps its letters',
  async (t) => {
    await page.goto(`${app.url}/console/`);
    await heading('Now');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await heading('Reviews');
    t.equal(await page.getByLabel(/the agent receives it/).count(), 0, 'R of this page is not pressed');
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await heading('Evaluations');
    await page.getByLabel('Search this list').pressSequentially('gr');
    await heading('Evaluations');
    await page.getByLabel('Search this list').blur();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Audit').waitFor();
    t.strictSame(await violationsInBothThemes(page), []);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await palette.getByRole('option').nth(2).waitFor();
    t.strictSame(await violationsInBothThemes(page), []);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await heading('Reviews');
    t.strictSame(faults, []);
  },
);

t.test('the id and the link of a page are copied', async (t) => {
  await page.goto(`${app.url}/console/sessions/${scene.sessionId}`);
  await page.getByRole('button', { name: 'Copy id', exact: true }).click();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), scene.sessionId);
  await page.getByRole('button', { name: 'Copy link' }).click();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), page.url());
});

t.test('Back goes to the filters, and to the place on the page, that were left', async (t) => {
  for (let n = 0; n < 45; n++) {
    const input = { tool: `bulk.tool${n}`, text: 'x' };
    await app.call(scene.key, 'POST', '/v1/evaluate', { externalSessionId: 'bulk', input });
  }
  await page.goto(`${app.url}/console/evaluations?find=bulk`);
  await page.getByRole('link', { name: 'bulk.tool3', exact: true }).scrollIntoViewIfNeeded();
  // It is kept once the page is still.
  await until(() => page.evaluate('scrollY > 0 && history.state?.scroll === scrollY'), Boolean);
  const before = Number(await page.evaluate('scrollY'));
  t.ok(before > 300, `${before}`);
  await page.getByRole('link', { name: 'bulk.tool3', exact: true }).click();
  await heading('Evaluation');
  t.equal(await page.evaluate('scrollY'), 0);
  await page.goBack();
  await page.getByRole('link', { name: 'bulk.tool3', exact: true }).waitFor();
  await until(
    () => page.evaluate('scrollY'),
    (at) => at === before,
  );
  t.equal(await page.evaluate('scrollY'), before);
  t.equal(await page.getByLabel('Search this list').inputValue(), 'bulk');
  t.strictSame(faults, []);
});
