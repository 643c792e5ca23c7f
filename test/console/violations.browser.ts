import t from 'tap';
import { signedIn, startConsoleApp } from './browser.ts';
import { playScene } from './scene.ts';

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
  await app.call(scene.key, 'POST', '/v1/evaluate', { input: { tool: 'typed.meanwhile' } });
  await rows.filter({ hasText: 'typed.meanwhile' }).waitFor();
  t.equal(await page.getByLabel('Rule id').inputValue(), 'no-such-rule');
  await page.getByLabel('Rule id').press('Enter');
  await page.getByText('No evaluation matches.').waitFor();
  t.strictSame(faults, []);
});
