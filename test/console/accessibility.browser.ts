import t from 'tap';
import { violationsInBothThemes } from './axe.ts';
import { follow, openPage, signedIn, startConsoleApp } from './browser.ts';
import { englishOn } from './english.ts';
import { everyPage } from './every-page.ts';
import { ringsInBothThemes } from './rings.ts';
import { startScene } from './scene.ts';
import { everyState } from './states.ts';

// takes long: begins first

const { app, ...scene } = await startScene(t);
const empty = await startConsoleApp(t);

// In German, whose words are longer: what fits then fits in English.
t.test(
  'every page is German, accessible in both themes, fits 320 px, and moves nothing unasked',
  async (t) => {
    const { page, faults } = await signedIn(t, app, '/console/', {
      locale: 'de-DE',
      reducedMotion: 'reduce',
    });
    const wide = page.viewportSize() ?? { width: 1280, height: 720 };
    for (const { name, path, ready } of everyPage(scene)) {
      await follow(page, app.url + path);
      await page.locator('main').getByText(ready).filter({ visible: true }).first().waitFor();
      t.strictSame(await violationsInBothThemes(page), [], name);
      t.strictSame(await ringsInBothThemes(page), [], `${name}: rings of the focus`);
      await page.setViewportSize({ width: 320, height: 640 });
      // Tables of charts, raw JSON, whatever is folded.
      await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
      t.strictSame(await englishOn(page), [], `${name} in German`);
      const { width, stretched, moving } = (await page.evaluate(`({
      width: document.documentElement.scrollWidth,
      stretched: [...document.querySelectorAll('.badge, .severity, .status')].filter(({ offsetHeight }) => offsetHeight > 32).length,
      moving: document.getAnimations().filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().duration > 10).length,
    })`)) as { width: number; stretched: number; moving: number };
      t.ok(width <= 320, `${name}: ${width} px wide`);
      t.equal(stretched, 0, `${name}: marks are one line high`);
      t.equal(moving, 0, `${name} moves nothing`);
      await page.setViewportSize(wide);
    }
    t.strictSame(faults, []);
  },
);

t.test('dialogs, refusals and results are accessible in light and in dark colours', async (t) => {
  const { page, faults } = await signedIn(t, app);
  const wide = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const { name, path, open } of everyState(scene)) {
    await page.goto(app.url + path);
    await open(page);
    t.strictSame(await violationsInBothThemes(page), [], name);
    t.strictSame(await ringsInBothThemes(page), [], `${name}: rings of the focus`);
    await page.setViewportSize({ width: 320, height: 640 });
    const width = (await page.evaluate('document.documentElement.scrollWidth')) as number;
    t.ok(width <= 320, `${name}: ${width} px wide`);
    await page.setViewportSize(wide);
  }
  t.strictSame(faults, []);
});

t.test('states that are no data are accessible in light and in dark colours', async (t) => {
  const { page } = await openPage(t, empty);
  await page.goto(`${empty.url}/console/`);
  await page.getByLabel('Operator key').waitFor();
  t.strictSame(await violationsInBothThemes(page), [], 'signing in');
  await page.getByLabel('Operator key').fill('asz_admin_wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').first().waitFor();
  t.strictSame(await violationsInBothThemes(page), [], 'a wrong key');

  const signed = await signedIn(t, empty, '/console/reviews');
  await signed.page
    .locator('main')
    .getByText(/nothing|no /i)
    .first()
    .waitFor();
  t.strictSame(await violationsInBothThemes(signed.page), [], 'nothing to review');
  await signed.page.goto(`${empty.url}/console/nowhere`);
  await signed.page.getByText('There is nothing here').waitFor();
  t.strictSame(await violationsInBothThemes(signed.page), [], 'a wrong address');
  await signed.page.goto(`${empty.url}/console/integrations`);
  await signed.page.getByText('There is no integration yet.').waitFor();
  empty.clock.advance(6 * 60_000);
  await signed.page.getByRole('button', { name: 'Create an integration' }).click();
  await signed.page.getByLabel('Name').fill('late');
  await signed.page.keyboard.press('Enter');
  await signed.page.getByText('Confirm who you are').waitFor();
  t.strictSame(await violationsInBothThemes(signed.page), [], 'confirming who it is');
  await signed.page.goto(`${empty.url}/console/policies`);
  await signed.page.getByText('There is no policy yet.').waitFor();
  await signed.page.route('**/v1/**', (route) => route.abort());
  await signed.page.goto(`${empty.url}/console/lists`);
  await signed.page
    .getByText(/could not be loaded|cannot be reached/)
    .first()
    .waitFor();
  t.strictSame(await violationsInBothThemes(signed.page), [], 'the service cannot be reached');
  await signed.page.unroute('**/v1/**');
  empty.clock.advance(13 * 3_600_000);
  await signed.page.goto(`${empty.url}/console/lists`);
  await signed.page.getByLabel('Operator key').waitFor();
  t.strictSame(await violationsInBothThemes(signed.page), [], 'a sign-in that has expired');
});
