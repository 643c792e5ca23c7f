import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { adminKey, type Lifetime, startApp, type TestApp, type TestClock } from '../helpers/app.ts';

/** Debian's; another one can be named. These tests fail without one: skipped, they would say nothing. */
const candidates = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

let launched: Promise<Browser> | null = null;

/** One browser for all files of a process, with a context of its own for each test. */
function browser(): Promise<Browser> {
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error('no Chromium: apt-get install chromium, or name one in CHROMIUM');
  if (launched) return launched;
  launched = launch(executablePath);
  return launched;
}

// scripts/develop/run-files.mjs emits it.
process.once('filesEnded', closeBrowser);

async function launch(executablePath: string): Promise<Browser> {
  const one = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  one.once('disconnected', () => {
    if (!launched) return;
    launched = null;
    // A file that fails after this line is run once more (scripts/develop/test-processes.mjs).
    console.log('\n# the browser ended by itself');
  });
  return one;
}

export async function closeBrowser(): Promise<void> {
  const closing = launched;
  launched = null;
  await (await closing)?.close();
}

/** The real time, which can be moved on: a browser has the real one. */
function movableClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(ms) {
      ahead += ms;
    },
  };
}

export interface ConsoleApp extends TestApp {
  url: string;
}

/** On a free port unless one is given. A clock that is given is the one of responses as well: the page follows it. */
export async function startConsoleApp(
  t: Lifetime,
  env: Record<string, string> = {},
  { port = 0, clock, database }: { port?: number; clock?: TestClock; database?: string } = {},
): Promise<ConsoleApp> {
  const at = { clock: clock ?? movableClock(), ...(database && { database }) };
  const app = await startApp(t, { ASSIZE_LOG_LEVEL: 'silent', ...env }, at);
  if (clock) {
    app.http.server.prependListener('request', (_, response) => {
      response.setHeader('date', new Date(clock.now()).toUTCString());
    });
  }
  app.services.webhookDeliveries.start();
  await app.http.listen({ host: '127.0.0.1', port });
  const { port: bound } = app.http.server.address() as AddressInfo;
  return { ...app, url: `http://127.0.0.1:${bound}` };
}

export interface ConsolePage {
  page: Page;
  context: BrowserContext;
  /** What the page did that it must not: errors, violations of the policy, requests to other hosts. */
  faults: string[];
}

/** A page with a slowed processor takes half a minute on a busy machine. */
const patienceMs = 90_000;

/** A page of a new browser profile that notes everything that must never happen. */
export async function openPage(
  t: Lifetime,
  { url }: { url: string },
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await (await browser()).newContext({ locale: 'en-GB', ...options });
  t.teardown(() => context.close());
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // Chromium writes a line for each response that is an error, which some tests want.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on('dialog', (dialog) => {
    // Whoever goes elsewhere while something is not saved means it.
    if (dialog.type() === 'beforeunload') return void dialog.accept();
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && protocol !== 'data:') faults.push(`request: ${request.url()}`);
  });
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) =>
      console.error('violates ' + event.violatedDirective + ': ' + event.blockedURI + ' ' + event.sourceFile))`,
  });
  return { page, context, faults };
}

/** Adds the size, compressed with gzip, of each of the console's files that the page loads from now on. */
export function collectSizes(page: Page, sizes: Promise<number>[]): void {
  page.on('response', (response) => {
    if (!response.url().includes('/console/') || response.request().method() !== 'GET') return;
    const size = response.body().then((body) => gzipSync(body, { level: 9 }).length);
    // A body that arrives when the test has stopped waiting is rejected when the page is closed.
    size.catch(() => undefined);
    sizes.push(size);
  });
}

export async function signIn(page: Page, url: string, path = '/console/'): Promise<void> {
  await page.goto(url + path);
  // In any language.
  await page.locator('input[type=password]').fill(adminKey);
  await page.keyboard.press('Enter');
  await page.locator('main#main').waitFor();
}

/** A page that is signed in. */
export async function signedIn(
  t: Lifetime,
  app: ConsoleApp,
  path = '/console/',
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const opened = await openPage(t, app, options);
  await signIn(opened.page, app.url, path);
  return opened;
}

/** Opens an address of the console as a link of it does, without loading everything anew; one with the same path is loaded. */
export async function follow(page: Page, url: string): Promise<void> {
  if (new URL(url).pathname === new URL(page.url()).pathname) return void (await page.goto(url));
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(url)}); dispatchEvent(new PopStateEvent('popstate'));`,
  );
}

/** Resolves once nothing is loading and nothing has changed for a while: what comes late, such as names, is there. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let timer;
    const end = () => document.querySelector('main .loading') ? wait() : resolve();
    const wait = () => { clearTimeout(timer); timer = setTimeout(end, 500); };
    new MutationObserver(wait).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    wait();
  })`);
}
