import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { collectSizes, openPage, signedIn, startConsoleApp } from './browser.ts';
import { keyboard } from './keyboard.ts';

t.test('the link of the first start signs in once, and leaves the address', async (t) => {
  const app = await startConsoleApp(t);
  const link = `${app.url}/console/#sign-in=${await app.services.signIns.createLink(adminKey)}`;
  const first = await openPage(t, app);
  // In a tab that has the console already, only the fragment of the address changes.
  await first.page.goto(`${app.url}/console/`);
  await first.page.getByLabel('Operator key').waitFor();
  await first.page.goto(link);
  await first.page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
  t.equal(first.page.url(), `${app.url}/console/`);
  const second = await openPage(t, app);
  await second.page.goto(link);
  await second.page.getByText('The link was used already').waitFor();
  t.strictSame([...first.faults, ...second.faults], []);
});

t.test('a wrong key says so, and the right one opens the page that was asked for', async (t) => {
  const app = await startConsoleApp(t);
  const { page, faults } = await openPage(t, app);
  await page.goto(`${app.url}/console/settings`);
  await page.getByLabel('Operator key').fill('asz_admin_wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('not an operator key').waitFor();
  await page.getByLabel('Operator key').fill(adminKey);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  t.notMatch(JSON.stringify(await page.evaluate('({ ...localStorage, ...sessionStorage })')), adminKey);
  t.strictSame(faults, []);
});

t.test('Chromium keeps the cookie on a loopback address, and no script can read it', async (t) => {
  const app = await startConsoleApp(t);
  const { page, context } = await signedIn(t, app);
  const [cookie, ...others] = await context.cookies();
  t.match(cookie, { name: 'assize-console', httpOnly: true, sameSite: 'Strict' });
  t.equal(others.length, 0);
  t.equal(await page.evaluate('document.cookie'), '');
});

t.test(
  'signing out, and a sign-in that ended, show the sign-in page instead of what was there',
  async (t) => {
    const app = await startConsoleApp(t);
    const { page, faults } = await signedIn(t, app, '/console/sessions');
    const { press, button } = keyboard(page);
    await press(button('Sign out'));
    await page.getByText('You are signed out.').waitFor();
    await page.getByLabel('Operator key').fill(adminKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    app.clock.advance(13 * 3_600_000);
    await page.getByText('You were signed out after 30 minutes').waitFor();
    t.equal(await page.getByRole('navigation').count(), 0);
    t.strictSame(faults, []);
  },
);

/** In the page: milliseconds that sorting and serializing the same 50,000 rows take, the least of three times. */
const fixedWork = `Math.min(...[0, 1, 2].map(() => {
  const begun = performance.now();
  for (let round = 0; round < 100; round++) {
    const rows = Array.from({ length: 500 }, (_, place) => ({ place, name: 'row ' + ((place * 7919) % 500) }));
    rows.sort((a, b) => (a.name < b.name ? -1 : 1));
    JSON.parse(JSON.stringify(rows));
  }
  return performance.now() - begun;
}))`;
/** Its time on a machine where a bare Fastify starts with 130 ms of processor time. A slower host is allowed for. */
const fixedWorkMs = 40;

t.test('the first load is at most 45 KB, asks nobody else, and is soon ready', async (t) => {
  const app = await startConsoleApp(t);
  const sizes: Promise<number>[] = [];
  /** Milliseconds of processor time of the page's thread until Now is shown. */
  async function load(sizes?: Promise<number>[]): Promise<number> {
    const link = `${app.url}/console/#sign-in=${await app.services.signIns.createLink(adminKey)}`;
    const { page, context, faults } = await openPage(t, app);
    if (sizes) collectSizes(page, sizes);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(link);
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
    const { metrics } = await devtools.send('Performance.getMetrics');
    t.strictSame(faults, []);
    const busy = 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
    return busy / Math.max(1, Number(await page.evaluate(fixedWork)) / fixedWorkMs);
  }
  const first = await load(sizes);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  t.comment(`${bytes} bytes in ${sizes.length} files`);
  t.ok(sizes.length >= 3);
  t.ok(bytes <= 45 * 1_024, `${bytes} bytes`);
  // What shares the core makes a load slower, and never faster.
  const busy = Math.min(first, await load(), await load());
  t.ok(
    busy > 0 && busy * 4 <= 1_000,
    `${busy.toFixed(0)} ms: on a processor four times slower at most a second`,
  );
});
