import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import t from 'tap';
import { closeBrowser, openPage, signedIn, startConsoleApp } from './browser.ts';
import { everyPage } from './every-page.ts';
import { playScene } from './scene.ts';

t.teardown(closeBrowser);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 at level AA, which includes all before it. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds wrong on the page as it stands: one line for each element. */
async function violations(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(`(async () => {
    ${axe};
    return axe.run(document, { runOnly: ${JSON.stringify(standards)}, resultTypes: ['violations'] });
  })()`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

for (const colorScheme of ['light', 'dark'] as const) {
  t.test(`every page is accessible in ${colorScheme} colours`, async (t) => {
    const app = await startConsoleApp(t);
    const scene = await playScene(app);
    const { page, faults } = await signedIn(t, app, '/console/', { colorScheme });
    for (const { name, path, ready } of everyPage(scene)) {
      await page.goto(app.url + path);
      await page.locator('main').getByText(ready).filter({ visible: true }).first().waitFor();
      t.strictSame(await violations(page), [], name);
    }
    t.strictSame(faults, []);
  });

  t.test(`states that are no data are accessible in ${colorScheme} colours`, async (t) => {
    const app = await startConsoleApp(t);
    const { page } = await openPage(t, app, { colorScheme });
    await page.goto(`${app.url}/console/`);
    await page.getByLabel('Operator key').waitFor();
    t.strictSame(await violations(page), [], 'signing in');
    await page.getByLabel('Operator key').fill('asz_admin_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').first().waitFor();
    t.strictSame(await violations(page), [], 'a wrong key');

    const signed = await signedIn(t, app, '/console/reviews', { colorScheme });
    await signed.page
      .locator('main')
      .getByText(/nothing|no /i)
      .first()
      .waitFor();
    t.strictSame(await violations(signed.page), [], 'nothing to review');
    await signed.page.goto(`${app.url}/console/nowhere`);
    await signed.page.getByText('There is nothing here').waitFor();
    t.strictSame(await violations(signed.page), [], 'a wrong address');
    await signed.page.route('**/v1/**', (route) => route.abort());
    await signed.page.goto(`${app.url}/console/policies`);
    await signed.page
      .getByText(/could not be loaded|cannot be reached/)
      .first()
      .waitFor();
    t.strictSame(await violations(signed.page), [], 'the service cannot be reached');
  });
}

t.test('every page fits 320 px, moves nothing where motion is reduced', async (t) => {
  const app = await startConsoleApp(t);
  const scene = await playScene(app);
  const { page } = await signedIn(t, app, '/console/', {
    viewport: { width: 320, height: 640 },
    reducedMotion: 'reduce',
  });
  for (const { name, path, ready } of everyPage(scene)) {
    await page.goto(app.url + path);
    await page.locator('main').getByText(ready).filter({ visible: true }).first().waitFor();
    const { wide, moving } = (await page.evaluate(`({
      wide: document.documentElement.scrollWidth,
      moving: document.getAnimations().filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().duration > 10).length,
    })`)) as { wide: number; moving: number };
    t.ok(wide <= 320, `${name}: ${wide} px wide`);
    t.equal(moving, 0, `${name} moves nothing`);
  }
});
