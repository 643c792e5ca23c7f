import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { openPage, signedIn, signIn, startConsoleApp } from './browser.ts';
import { playScene } from './scene.ts';

const decide = async (page: Page, key: 'a' | 'r', comment: string): Promise<void> => {
  await page.keyboard.press(key);
  await page.getByLabel(key === 'a' ? 'Comment' : 'Reason').fill(comment);
  await page.keyboard.press('Enter');
};

t.test(
  'by keyboard alone: read, reject with a reason that the agent receives, approve the next',
  async (t) => {
    const app = await startConsoleApp(t);
    const { key, reviewId, hold } = await playScene(app);
    const [second] = await hold(1);
    const { page, faults } = await signedIn(t, app, '/console/reviews');
    await page.getByText('"to": "press@example.com"').waitFor();
    await page.getByText('Outbound call after sensitive data').first().waitFor();
    await page.keyboard.press('j');
    await page.getByText('"text": "Mail 0"').waitFor();
    await page.keyboard.press('k');
    await page.getByText('"to": "press@example.com"').waitFor();

    await page.keyboard.press('r');
    await page.getByLabel('Reason (the agent receives it)').fill('not to the press');
    t.match(
      await page.locator('.receives pre').innerText(),
      /"status": "REJECTED",\s+"comment": "not to the press"/,
    );
    await page.keyboard.press('Enter');
    await page.getByText('"text": "Mail 0"').waitFor();
    const rejected = (await app.call(key, 'GET', `/v1/reviews/${reviewId}`)).body.data;
    t.match(rejected, { status: 'REJECTED', comment: 'not to the press' });

    await decide(page, 'a', '');
    await page.getByText('No action waits for a decision.').waitFor();
    t.equal((await app.call(key, 'GET', `/v1/reviews/${second}`)).body.data.status, 'APPROVED');
    t.strictSame(faults, []);
  },
);

t.test('several are selected with X and decided at once', async (t) => {
  const app = await startConsoleApp(t);
  const { hold, reviewId } = await playScene(app);
  const ids = await hold(3);
  const { page, faults } = await signedIn(t, app, '/console/reviews');
  await page.getByText('"to": "press@example.com"').waitFor();
  for (let n = 0; n < 2; n++) {
    await page.keyboard.press('j');
    await page.keyboard.press('x');
  }
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('a');
  await page.getByRole('button', { name: 'Approve 2 actions' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('2 actions approved.').waitFor();
  const statusOf = async (id = '') => (await app.call(adminKey, 'GET', `/v1/reviews/${id}`)).body.data.status;
  t.strictSame(await Promise.all([reviewId, ...ids].map(statusOf)), [
    'PENDING',
    'APPROVED',
    'APPROVED',
    'PENDING',
  ]);
  t.strictSame(faults, []);
});

t.test('of two operators the slower one sees who was faster', async (t) => {
  const app = await startConsoleApp(t);
  const { reviewId, hold } = await playScene(app);
  await hold(1);
  const other = (await app.call(adminKey, 'POST', '/v1/operator-keys')).body.data;
  const { page, faults } = await signedIn(t, app, `/console/reviews?id=${reviewId}`);
  await page.getByText('"to": "press@example.com"').waitFor();
  await page.keyboard.press('a');
  await page.getByLabel('Comment').fill('fine');
  await page.route('**/v1/reviews/**/approve', async (route) => {
    await app.call(other.key, 'POST', `/v1/reviews/${reviewId}/reject`, { comment: 'no' });
    await route.continue();
  });
  await page.keyboard.press('Enter');
  await page.getByText(/was faster \(Rejected\)/).waitFor();
  const { decidedBy, status } = (await app.call(adminKey, 'GET', `/v1/reviews/${reviewId}`)).body.data;
  t.match(await page.getByText(/was faster/).innerText(), `${decidedBy.name} was faster`);
  t.equal(status, 'REJECTED');
  await page.getByText('You wrote, and it was not sent: fine').waitFor();
  t.strictSame(faults, []);
});

t.test('the keys act as soon as a review is shown, however late the permissions come', async (t) => {
  const app = await startConsoleApp(t);
  await playScene(app);
  const { page } = await openPage(t, app);
  await page.route('**/v1/operators/me', async (route) => {
    await setTimeout(1_000);
    await route.continue();
  });
  await signIn(page, app.url, '/console/reviews');
  await page.getByText('"to": "press@example.com"').waitFor();
  await page.keyboard.press('a');
  await page.getByLabel('Comment').fill('fine');
});

t.test('an action that was tried again since it was read is not decided unread', async (t) => {
  const app = await startConsoleApp(t);
  const { hold, key } = await playScene(app);
  const [reviewId] = await hold(1);
  const { page } = await signedIn(t, app, `/console/reviews?id=${reviewId}`);
  await page.getByText('"text": "Mail 0"').waitFor();
  await page.keyboard.press('a');
  await page.getByLabel('Comment').fill('fine');
  await page.route('**/v1/reviews/**/approve', async (route) => {
    const again = { externalSessionId: 'ticket 4712', input: { tool: 'email.send', text: 'Mail 0' } };
    await app.call(key, 'POST', '/v1/evaluate', again);
    await route.continue();
  });
  await page.keyboard.press('Enter');
  await page.getByText('The agent tried the action again since you read it.').waitFor();
  t.equal((await app.call(adminKey, 'GET', `/v1/reviews/${reviewId}`)).body.data.status, 'PENDING');
});

t.test('keys can be turned off, never act while a person types, and never lose what was typed', async (t) => {
  const app = await startConsoleApp(t);
  const { hold } = await playScene(app);
  await hold(1);
  const { page } = await signedIn(t, app, '/console/reviews');
  await page.getByText('"to": "press@example.com"').waitFor();
  await page.keyboard.press('r');
  await page.getByLabel('Reason').pressSequentially('jax');
  t.equal(await page.getByLabel('Reason').inputValue(), 'jax');
  // Where the keys act again, the form that is open stays, and what was typed is there after all others.
  await page.getByRole('button', { name: 'Reject', exact: true }).focus();
  await page.keyboard.press('a');
  t.equal(await page.getByLabel('Reason').inputValue(), 'jax');
  await page.keyboard.press('j');
  await page.getByText('"text": "Mail 0"').waitFor();
  await page.keyboard.press('k');
  t.equal(await page.getByLabel('Reason').inputValue(), 'jax');
  await page.keyboard.press('Escape');
  await page.getByLabel('Write to other operators').fill('not sent yet');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('group', { name: 'Keyboard shortcuts' }).getByRole('button', { name: 'Off' }).click();
  await page.getByRole('link', { name: /^Reviews/ }).click();
  await page.getByText('"to": "press@example.com"').waitFor();
  t.equal(await page.getByLabel('Write to other operators').inputValue(), 'not sent yet');
  await page.keyboard.press('a');
  t.equal(await page.getByLabel('Comment').count(), 0);
  await page
    .locator('.decide')
    .getByRole('button', { name: /Reject/ })
    .click();
  t.equal(await page.getByLabel('Reason').inputValue(), 'jax');
});

t.test('100 mixed decisions by keyboard take under five minutes', async (t) => {
  const app = await startConsoleApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  const { hold } = await playScene(app);
  await hold(99);
  const { page, faults } = await signedIn(t, app, '/console/reviews');
  await page.getByText('"to": "press@example.com"').waitFor();
  const from = Date.now();
  for (let n = 0; n < 100; n++) {
    const before = new URL(page.url()).search;
    await decide(page, n % 3 === 0 ? 'r' : 'a', n % 3 === 0 ? 'not this one' : '');
    if (n < 99) await page.waitForURL((url) => url.search !== before);
  }
  await page.getByText('No action waits for a decision.').waitFor();
  const seconds = (Date.now() - from) / 1_000;
  t.comment(`${seconds.toFixed(1)} s`);
  t.ok(seconds < 300, `${seconds} s`);
  const statuses = (await app.call(adminKey, 'GET', '/v1/reviews?size=200')).body.data.map(
    ({ status }: { status: string }) => status,
  );
  t.equal(statuses.filter((status: string) => status === 'REJECTED').length, 34);
  t.equal(statuses.filter((status: string) => status === 'APPROVED').length, 66);
  t.strictSame(faults, []);
});

t.test('on a phone the list and the review follow one another', async (t) => {
  const app = await startConsoleApp(t);
  await playScene(app);
  const { page } = await openPage(t, app, { viewport: { width: 390, height: 800 } });
  await page.goto(`${app.url}/console/#sign-in=${await app.services.signIns.createLink(adminKey)}`);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: /^Reviews/ }).click();
  await page
    .locator('.entries')
    .getByRole('link', { name: /email\.send/ })
    .click();
  await page.getByText('Exact arguments').first().waitFor();
  t.equal(await page.locator('.entries').isVisible(), false);
  await page.getByRole('button', { name: '← Reviews' }).click();
  await page.locator('.entries').waitFor();
});

const twoOfFinance = `schemaVersion: 1
name: large-payments
rules:
  - id: large-payment
    tool: pay
    when: input.amount > 10000
    effect: APPROVAL_REQUIRED
    severity: HIGH
    approval: { quorum: 2, from: [finance], grant: { uses: 3 } }
`;

t.test(
  'where two must approve, the first one sees that another is needed, and what both grant',
  async (t) => {
    const app = await startConsoleApp(t);
    const { id, key } = await app.integration('AGENT');
    await app.policy(id, twoOfFinance);
    const { body } = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'pay', amount: 20_000 } });
    const { reviewRequestId } = body.data;
    const me = (await app.call(adminKey, 'GET', '/v1/operators/me')).body.data;
    await app.call(adminKey, 'PATCH', `/v1/operators/${me.id}`, { groups: ['finance'] });
    const reviewer = { name: 'Grace Hopper', roles: ['REVIEWER'], groups: ['finance'] };
    const grace = (await app.call(adminKey, 'POST', '/v1/operators', reviewer)).body.data;
    const { key: hers } = (await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: grace.id }))
      .body.data;
    const { page, faults } = await signedIn(t, app, `/console/reviews?id=${reviewRequestId}`);
    await page.getByText('2 operators of finance').waitFor();
    await page.getByRole('button', { name: 'I look at it' }).click();
    await page.getByText(`Looked at by ${me.name}`).waitFor();
    await page.getByRole('button', { name: '60 more minutes' }).click();
    await page
      .getByText(/1:1\d:\d\d left/)
      .first()
      .waitFor();
    await page.getByLabel('Write to other operators').fill('I know this one');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.locator('.comments').getByText('I know this one').waitFor();
    await page
      .locator('.decide')
      .getByRole('button', { name: /Approve/ })
      .click();
    await page.getByText('Rule large-payment then lets 3 later actions of the session pass').waitFor();
    await page.getByLabel('This action alone').check();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Your approval counts. Others are needed.').waitFor();
    await page.getByText(`Approved by ${me.name}`).waitFor();
    const statusOf = async () =>
      (await app.call(adminKey, 'GET', `/v1/reviews/${reviewRequestId}`)).body.data;
    t.equal((await statusOf()).status, 'PENDING');
    await page
      .locator('.decide')
      .getByRole('button', { name: /Approve/ })
      .click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.locator('.decide .mistake').waitFor();
    t.notMatch(await page.locator('.decide .mistake').innerText(), /tried the action again/);
    await app.call(hers, 'POST', `/v1/reviews/${reviewRequestId}/approve`);
    t.equal((await statusOf()).status, 'APPROVED');
    t.strictSame(faults, []);
  },
);
