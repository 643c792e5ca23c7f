import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { signedIn, startConsoleApp } from './browser.ts';
import { playScene } from './scene.ts';

t.test(
  'a violation is looked into, then dismissed as a false positive that counts against its rule',
  async (t) => {
    const app = await startConsoleApp(t);
    await playScene(app);
    const { page, faults } = await signedIn(t, app, '/console/violations');
    await page.locator('.entries a').filter({ hasText: 'net.http_post' }).first().click();
    const detail = page.locator('article');
    await detail.getByRole('button', { name: 'Acknowledge' }).click();
    await detail.getByText('In progress').waitFor();
    await detail.getByRole('button', { name: 'Dismiss' }).click();
    await detail.getByLabel('Reason').selectOption('FALSE_POSITIVE');
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
    const rule = page.getByRole('row', { name: /100 % \(1\)|100% \(1\)/ });
    await rule.waitFor();
    // From the rule that was wrong to its place in the policy, with the replay beside it.
    await rule.getByRole('link', { name: 'Replay an exception' }).click();
    const ruleId = new URL(page.url()).searchParams.get('rule') ?? '';
    t.match(body.data, [{ ruleId }]);
    await page.locator('.cm-activeLine').getByText(ruleId).waitFor();
    await page.getByRole('button', { name: 'Replay the record' }).waitFor();

    await page.goto(`${app.url}/console/violations?status=NEW`);
    const boxes = page.getByLabel(/^Select:/);
    await boxes.first().waitFor();
    const all = await boxes.count();
    t.ok(all >= 2, 'several are there');
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    const several = page.locator('article');
    await several.getByRole('heading', { name: '2 violations selected' }).waitFor();
    t.equal(await several.locator('.violations > li').count(), 2, 'what is decided is listed');
    await several.getByRole('button', { name: 'Resolve' }).click();
    const resolve = several.locator('form').getByRole('button', { name: 'Resolve' });
    t.equal(await resolve.isDisabled(), true, 'nothing is chosen for anybody');
    await several.getByLabel('What was done').selectOption('ACCEPTED');
    await resolve.click();
    await page.getByText('2 changed.').waitFor();
    const { body: resolved } = await app.call(adminKey, 'GET', '/v1/violations?status=RESOLVED');
    t.match(resolved.data, [{ resolution: 'ACCEPTED' }, { resolution: 'ACCEPTED' }]);
    t.strictSame(faults, []);
  },
);

t.test('evaluations are found by decision, tool and trace, and lead to one another', async (t) => {
  const app = await startConsoleApp(t);
  const scene = await playScene(app);
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  for (let count = 0; count < 51; count++) {
    await app.call(
      scene.key,
      'POST',
      '/v1/evaluate',
      { input: { tool: 'web.fetch', page: count } },
      { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    );
  }
  const { page, faults } = await signedIn(t, app, '/console/evaluations');
  const rows = page.locator('tbody tr');
  await page.getByText(/^\d+ in total$/).waitFor();
  t.equal(await rows.count(), 50);
  await page.getByRole('button', { name: 'Older' }).click();
  await rows.filter({ hasText: 'crm.lookup' }).first().waitFor();
  await page.getByRole('button', { name: 'Blocked' }).click();
  await page.getByText('1 in total').waitFor();
  t.match(await rows.innerText(), /net\.http_post\s+Blocked/);
  t.match(page.url(), /\?decision=BLOCK$/);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByLabel('Tool').fill('web.fetch');
  await page.getByLabel('Tool').press('Enter');
  await page.getByText('more than 50').waitFor();
  await rows.first().getByRole('rowheader').getByRole('link').click();
  await page.getByRole('link', { name: traceId }).click();
  await page.getByText('more than 50').waitFor();
  t.match(page.url(), new RegExp(`\\?traceId=${traceId}$`));
  await page.getByLabel('Trace id').fill('nonsense');
  await page.getByLabel('Trace id').press('Enter');
  await page
    .getByText(/traceId/)
    .first()
    .waitFor();
  await page.getByLabel('Trace id').fill('');
  await page.getByLabel('Rule id').fill('no-such-rule');
  await page.getByLabel('Rule id').press('Enter');
  await page.getByText('No evaluation matches.').waitFor();
  t.strictSame(faults, []);
});
