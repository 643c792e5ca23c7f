import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import t from 'tap';
import { adminKey } from '../../helpers/app.ts';
import { startScene } from '../scene.ts';

// The main jobs in Firefox. Playwright needs a Firefox of its own, or commands that the one with long support does not have yet.

/** Debian's; another one can be named. */
const candidates = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'];
const patience = { timeout: 60_000 };

t.test('Firefox signs in, decides a review, filters a list, and opens an evaluation', async (t) => {
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error('no Firefox: apt-get install firefox-esr, or name one in FIREFOX');
  const { app, key, reviewId } = await startScene(t);
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB, en', 'intl.locale.requested': 'en-GB' },
    defaultViewport: { width: 1280, height: 800 },
    ...patience,
  });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(patience.timeout);
  const faults = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(app.url) && !request.url().startsWith('data:'))
      faults.push(`request: ${request.url()}`);
  });
  await page.evaluateOnNewDocument(() => {
    globalThis.violated = [];
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      globalThis.violated.push(`${violatedDirective}: ${blockedURI}`),
    );
  });
  const find = (selector) => page.locator(selector);
  const press = (name, within = '') => find(`${within} ::-p-aria([name="${name}"][role="button"])`).click();
  const shown = (text) => find(`main ::-p-text(${text})`).wait();

  await page.goto(`${app.url}/console/reviews`);
  await find('input[type=password]').fill(adminKey);
  await page.keyboard.press('Enter');
  await shown('press@example.com');

  // What is to be approved must have been in sight.
  await find('.decide button.primary:enabled').click();
  await find('.decide input[maxlength]').fill('known to us');
  await find('.decide button[type=submit]').click();
  await shown('No action waits for a decision.');
  const { data: review } = (await app.call(key, 'GET', `/v1/reviews/${reviewId}`)).body;
  t.match(review, { status: 'APPROVED', comment: 'known to us' });

  await page.goto(`${app.url}/console/evaluations`);
  await shown('web.search');
  await press('Blocked', '.filters');
  await page.waitForFunction(() => document.querySelectorAll('table.data tbody tr').length === 1);
  t.match(page.url(), /decision=BLOCK|action=BLOCK/);

  await find('table.data tbody th a').click();
  await shown('Credentials in an outbound call');
  await shown('CREDENTIALS');
  t.match(await page.title(), /^Evaluation · Assize$/);
  t.match(page.url(), /\/console\/evaluations\/[\da-f-]{36}$/);

  t.strictSame(await page.evaluate(() => globalThis.violated), [], 'the Content Security Policy');
  t.strictSame(faults, []);
});
