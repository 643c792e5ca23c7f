import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { adminKey } from '../helpers/app.ts';
import { startIdentityProvider } from '../helpers/identity-provider.ts';
import { violations } from './axe.ts';
import { type ConsoleApp, type ConsolePage, openPage, startConsoleApp } from './browser.ts';

const people = {
  ada: { email: 'ada@example.com', email_verified: true },
  bob: { email: 'bob@example.com', email_verified: true },
};

/** A port that is free now: the provider must know the console's address before the console listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function start(t: Test): Promise<{ app: ConsoleApp; host: string }> {
  const port = await freePort();
  const provider = await startIdentityProvider(t, `http://127.0.0.1:${port}`, people);
  const app = await startConsoleApp(t, provider.settings, { port });
  await app.call(adminKey, 'POST', '/v1/operators', {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    roles: ['OWNER'],
  });
  return { app, host: new URL(provider.issuer).host };
}

/** The provider's own page. */
async function fillIn({ page }: Pick<ConsolePage, 'page'>, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.keyboard.press('Enter');
}

/** A page that reaches this machine alone: the provider's own page asks for fonts elsewhere. */
async function openHere(t: Test, app: ConsoleApp, options: BrowserContextOptions = {}): Promise<ConsolePage> {
  const opened = await openPage(t, app, options);
  await opened.context.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => route.abort(),
  );
  return opened;
}

/** What the page of the provider loads is not the console's doing. */
const own = ({ faults }: ConsolePage): string[] => faults.filter((fault) => !fault.startsWith('request: '));

t.test(
  'an operator signs in at the identity provider, and lands on the page that was asked for',
  async (t) => {
    const { app, host } = await start(t);
    const opened = await openHere(t, app);
    const { page, context } = opened;
    await page.goto(`${app.url}/console/operators`);
    const link = page.getByRole('link', { name: `Sign in with ${host}` });
    await link.waitFor();
    t.strictSame(await violations(page), []);
    await link.focus();
    await page.keyboard.press('Enter');
    await fillIn(opened, 'ada');
    await page.getByRole('heading', { name: 'Operators' }).waitFor();
    await page.getByText('Ada Lovelace').first().waitFor();
    t.equal(page.url(), `${app.url}/console/operators`);
    // Cookies do not know ports: those of the provider are here too.
    const cookies = (await context.cookies(app.url)).filter(({ name }) => name.startsWith('assize'));
    t.match(cookies, [{ name: 'assize-console', sameSite: 'Strict', httpOnly: true }]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    t.strictSame(own(opened), []);
  },
);

t.test('a change of keys asks for another sign-in in a new tab, and goes on after it', async (t) => {
  const { app, host } = await start(t);
  const opened = await openHere(t, app);
  const { page } = opened;
  await page.goto(`${app.url}/console/integrations`);
  await page.getByRole('link', { name: `Sign in with ${host}` }).click();
  await fillIn(opened, 'ada');
  await page.getByRole('heading', { name: 'Integrations' }).waitFor();
  await createIntegration(page);
  const tab = await confirmInTab(opened);
  await page.getByText('asz_live_').first().waitFor();
  await tab.close();
  t.strictSame(own(opened), []);
});

t.test('a tab that told nobody of the confirmation: the operator comes back, and it goes on', async (t) => {
  const { app, host } = await start(t);
  const opened = await openHere(t, app);
  const { page, context } = opened;
  await context.addInitScript(() => {
    BroadcastChannel.prototype.postMessage = () => undefined;
  });
  await page.goto(`${app.url}/console/integrations`);
  await page.getByRole('link', { name: `Sign in with ${host}` }).click();
  await fillIn(opened, 'ada');
  await page.getByRole('heading', { name: 'Integrations' }).waitFor();
  await createIntegration(page);
  const tab = await confirmInTab(opened);
  await tab.close();
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await page.getByText('asz_live_').first().waitFor();
  t.strictSame(own(opened), []);
});

t.test('who is no operator is told what to do, in both languages', async (t) => {
  const { app, host } = await start(t);
  const opened = await openHere(t, app);
  const { page } = opened;
  await page.goto(`${app.url}/console/`);
  await page.getByRole('link', { name: `Sign in with ${host}` }).click();
  await fillIn(opened, 'bob');
  await page.getByText('No active operator has your e-mail address').waitFor();
  t.equal(page.url(), `${app.url}/console/`);
  await page.goto(`${app.url}/console/#sign-in-failed=constructor`);
  await page.reload();
  await page.getByLabel('Operator key').waitFor();
  t.equal(await page.getByRole('status').count(), 0, 'an address makes the page say nothing else');
  const german = await openHere(t, app, { locale: 'de-DE' });
  await german.page.goto(`${app.url}/console/#sign-in-failed=unverified`);
  await german.page.getByText('bestätigt Ihre E-Mail-Adresse nicht').waitFor();
  t.strictSame([...own(opened), ...own(german)], []);
});

async function createIntegration(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create an integration' }).click();
  await page.getByLabel('Name').fill('payments agent');
  await page.getByRole('dialog').getByRole('button', { name: 'Create an integration' }).click();
}

/** The tab in which the sign-in was confirmed. */
async function confirmInTab({ page, context }: { page: Page; context: BrowserContext }): Promise<Page> {
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Confirm' }).click(),
  ]);
  await fillIn({ page: tab }, 'ada');
  await tab.getByRole('heading', { name: 'Confirmed' }).waitFor();
  return tab;
}
