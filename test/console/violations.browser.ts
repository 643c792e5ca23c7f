import t from 'tap';
import { signedIn } from './browser.ts';
import { startScene } from './scene.ts';

t.test('evaluations are found by decision, tool and trace, and lead to one another', async (t) => {
  const { app, ...scene } = await startScene(t);
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

t.test('violations that come meanwhile take nobody from what is open, typed and selected', async (t) => {
  const { app, key } = await startScene(t);
  const report = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const input = { tool: 'crm.lookup', result: 'Ada Example, ada@example.com' };
      await app.call(key, 'POST', '/v1/evaluate', { externalSessionId: `${count} ${n}`, input });
    }
  };
  const { page, faults } = await signedIn(t, app, '/console/violations');
  const entries = page.locator('.entries > li');
  const article = page.locator('article');
  const button = (name: string) => article.getByRole('button', { name, exact: true });
  await button('Dismiss').click();
  const before = await entries.count();
  const title = await article.getByRole('heading').first().innerText();
  await page.getByLabel('Reason').selectOption('Reported already');
  await page.getByLabel('Note').fill('seen before');
  await report(1);
  await entries.nth(before).waitFor();
  t.equal(await article.getByRole('heading').first().innerText(), title);
  t.equal(await page.getByLabel('Note').inputValue(), 'seen before');
  t.equal(await page.getByLabel('Reason').inputValue(), 'DUPLICATE');
  for (const place of [0, 1]) await entries.nth(place).getByRole('checkbox').check();
  await button('Resolve').click();
  await page.getByLabel('Note').fill('both of them');
  await report(50);
  await page.getByText(`${before + 51} in total`).waitFor();
  // Those that are selected are on the next page by now.
  t.equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
  await article.getByRole('heading', { name: '2 violations selected' }).waitFor();
  t.equal(await page.getByLabel('Note').inputValue(), 'both of them');
  t.strictSame(faults, []);
});
