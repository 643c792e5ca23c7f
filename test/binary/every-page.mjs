// Starts the binary in an empty folder, signs in with the link of the first start, and opens a page of each kind that the
// console links to. Prints which they are, and what went wrong.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const binary = resolve(import.meta.dirname, '../../build/assize');
const cwd = mkdtempSync('/var/tmp/assize-offline-');
const port = randomInt(20_000, 32_000);
const url = `http://127.0.0.1:${port}`;
const env = { PATH: process.env.PATH, HOME: cwd, ASSIZE_PORT: String(port) };
const child = spawn(binary, ['serve'], { cwd, env, stdio: 'ignore' });
const keys = join(cwd, 'data/assize.db-first-keys.txt');
while (!existsSync(keys) || !readFileSync(keys, 'utf8').includes('/docs')) await wait(50);
const [link] = /http\S+#sign-in=\S+/.exec(readFileSync(keys, 'utf8'));

const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
const faults = [];
page.on('pageerror', ({ message }) => faults.push(message));
page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
page.on('request', (request) => {
  const { origin, protocol } = new URL(request.url());
  if (origin !== url && protocol !== 'data:') faults.push(request.url());
});

await page.goto(link);
await page.locator('.demo-steps li').nth(2).waitFor();
await page.getByRole('button', { name: 'Send the call that is blocked' }).click();
await page.locator('.demo-steps').getByText('Blocked').waitFor();

/** `/console/sessions/…` is a page of another kind than `/console/sessions`. */
const kindOf = (href) => {
  const [, , noun = 'now', id] = href.split('?')[0].split('/');
  return id ? `one of ${noun}` : noun;
};
async function show(href) {
  // As a link does: only what the page needs is loaded. Each page gives the document its title.
  await page.evaluate((to) => {
    document.title = '';
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, href);
  await page.waitForFunction(() => document.title !== '');
}
const open = new Map([['now', null]]);
for (const [kind, href] of open) {
  if (href !== null) await show(href);
  await page.locator('main .loading').first().waitFor({ state: 'detached' });
  if ((await page.locator('main .problem').count()) > 0) faults.push(`${kind} shows a problem`);
  const links = await page.$$eval('a[href^="/console/"]', (all) =>
    all.map((one) => one.getAttribute('href')),
  );
  for (const next of links) if (!open.has(kindOf(next))) open.set(kindOf(next), next);
}
await browser.close();
child.kill('SIGTERM');
await new Promise((ended) => child.on('close', ended));
rmSync(cwd, { recursive: true });
console.log(JSON.stringify({ pages: [...open.keys()], faults }));
