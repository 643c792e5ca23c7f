import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { openPage, signedIn, signIn, startConsoleApp } from './browser.ts';
import { startScene } from './scene.ts';

// takes long: begins first

const decide = async (page: Page, key: 'a' | 'r', comment: string): Promise<void> => {
  await page.locator('.decide button:enabled', { hasText: key === 'a' ? 'Approve' : 'Reject' }).waitFor();
  await page.keyboard.press(key);
  await comments(page).fill(comment);
  await page.keyboard.press('Enter');
};

/** What the agent receives; not the comment for other operators. */
const comments = (page: Page) => page.getByLabel(/the agent receives it/);
/** A value among the arguments of the review that is open. */
const argument = (page: Page, text: string) =>
  page.locator('.argument-value, .argument-text').getByText(text, { exact: true }).first();
const decision = (page: Page, name: RegExp) => page.locator('.decide').getByRole('button', { name });

t.test('several are selected with X and decided at once', async (t) => {
  const { app, hold, reviewId } = await startScene(t);
  const ids = await hold(3);
  const { page, faults } = await signedIn(t, app, '/console/reviews');
  await argument(page, 'press@example.com').waitFor();
  for (let n = 0; n < 2; n++) {
    await page.keyboard.press('j');
    await page.keyboard.press('x');
  }
  await page.getByRole('heading', { name: '2 selected' }).waitFor();
  // What it decides is in sight, whatever review was open.
  const together = page.getByRole('region', { name: 'Actions of this decision' });
  await together.getByText('2 actions').waitFor();
  t.strictSame(await together.locator('.argument-value').allInnerTexts(), ['email.send', 'Mail 0', 'Mail 1']);
  await page.keyboard.press('a');
  await page.getByText('Each of the 2 actions may be done once, exactly as it is listed here.').waitFor();
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
  const { app, reviewId, hold } = await startScene(t);
  await hold(1);
  const other = (await app.call(adminKey, 'POST', '/v1/operator-keys')).body.data;
  const { page, faults } = await signedIn(t, app, `/console/reviews?id=${reviewId}`);
  await argument(page, 'press@example.com').waitFor();
  await page.keyboard.press('a');
  await comments(page).fill('fine');
  await page.route('**/v1/reviews/**/approve', async (route) => {
    await app.call(other.key, 'POST', `/v1/reviews/${reviewId}/reject`, { comment: 'no' });
    await route.continue();
  });
  await page.keyboard.press('Enter');
  await page.getByText(/was faster \(Rejected\)/).waitFor();
  const { decidedBy, status } = (await app.call(adminKey, 'GET', `/v1/reviews/${reviewId}`)).body.data;
  t.match(await page.getByText(/was faster/).innerText(), `${decidedBy.name} was faster`);
  t.equal(status, 'REJECTED');
  await page.getByText('Your comment was not sent: fine').waitFor();
  t.strictSame(faults, []);
});

t.test('the keys act as soon as a review is shown, however late the permissions come', async (t) => {
  const { app } = await startScene(t);
  const { page } = await openPage(t, app);
  await page.route('**/v1/operators/me', async (route) => {
    await setTimeout(1_000);
    await route.continue();
  });
  await signIn(page, app.url, '/console/reviews');
  await argument(page, 'press@example.com').waitFor();
  await page.keyboard.press('a');
  await comments(page).fill('fine');
});

t.test('an action that was tried again since it was read is not decided unread', async (t) => {
  const { app, hold, key } = await startScene(t);
  const [reviewId] = await hold(1);
  const { page } = await signedIn(t, app, `/console/reviews?id=${reviewId}`);
  await argument(page, 'Mail 0').waitFor();
  await page.keyboard.press('a');
  await page.getByLabel('Reason').selectOption('EXPECTED');
  await comments(page).fill('fine');
  await page.route('**/v1/reviews/**/approve', async (route) => {
    const again = { externalSessionId: 'ticket 4712', input: { tool: 'email.send', text: 'Mail 0' } };
    await app.call(key, 'POST', '/v1/evaluate', again);
    await route.continue();
  });
  await page.keyboard.press('Enter');
  await page.getByText('The agent tried the action again since you read it.').waitFor();
  t.equal((await app.call(adminKey, 'GET', `/v1/reviews/${reviewId}`)).body.data.status, 'PENDING');
  await page.keyboard.press('a');
  t.equal(await comments(page).inputValue(), 'fine');
  t.equal(await page.getByLabel('Reason').inputValue(), 'EXPECTED', 'neither is lost');
});

t.test('keys can be turned off, never act while a person types, and never lose what was typed', async (t) => {
  const { app, hold } = await startScene(t);
  await hold(1);
  const { page } = await signedIn(t, app, '/console/reviews');
  await argument(page, 'press@example.com').waitFor();
  await page.keyboard.press('r');
  await comments(page).pressSequentially('jax');
  t.equal(await comments(page).inputValue(), 'jax');
  // Where the keys act again, the form that is open stays, and what was typed is there after all others.
  await decision(page, /Reject/).focus();
  await page.keyboard.press('a');
  t.equal(await comments(page).inputValue(), 'jax');
  await page.keyboard.press('j');
  await argument(page, 'Mail 0').waitFor();
  await page.keyboard.press('k');
  t.equal(await comments(page).inputValue(), 'jax');
  await page.keyboard.press('Escape');
  await page.getByLabel('Comment for other operators').fill('not sent yet');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('group', { name: 'Keyboard shortcuts' }).getByRole('button', { name: 'Off' }).click();
  await page.getByRole('link', { name: /^Reviews/ }).click();
  await argument(page, 'press@example.com').waitFor();
  t.equal(await page.getByLabel('Comment for other operators').inputValue(), 'not sent yet');
  await page.keyboard.press('a');
  t.equal(await comments(page).count(), 0);
  await page
    .locator('.decide')
    .getByRole('button', { name: /Reject/ })
    .click();
  t.equal(await comments(page).inputValue(), 'jax');
});

t.test(
  'a hold that expires sooner takes nobody from the review that is open, nor what is typed',
  async (t) => {
    const { app, key, integrationId, reviewId } = await startScene(t);
    const rule = 'id: wires, when: tool == "wire", effect: APPROVAL_REQUIRED, approval: { expiresIn: 60s }';
    await app.policy(integrationId, `schemaVersion: 1\nname: wires\nrules:\n  - { ${rule} }\n`);
    const { page, faults } = await signedIn(t, app, '/console/reviews');
    await argument(page, 'press@example.com').waitFor();
    await page.keyboard.press('r');
    await comments(page).pressSequentially('not ');
    await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'wire', to: 'Ada' } });
    await page.locator('.entries > li').first().filter({ hasText: 'wire' }).waitFor();
    await page.keyboard.type('a recipient');
    await page.keyboard.press('Enter');
    await page.getByText('Rejected.', { exact: true }).waitFor();
    const { status, comment } = (await app.call(adminKey, 'GET', `/v1/reviews/${reviewId}`)).body.data;
    t.strictSame([status, comment], ['REJECTED', 'not a recipient']);
    t.strictSame(faults, []);
  },
);

t.test('30 mixed decisions in a row need the keyboard alone: a key, a comment and Enter', async (t) => {
  const { app, hold } = await startScene(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  await hold(29);
  const { page, faults } = await signedIn(t, app, '/console/reviews');
  await argument(page, 'press@example.com').waitFor();
  for (let n = 0; n < 30; n++) {
    const before = new URL(page.url()).search;
    await decide(page, n % 3 === 0 ? 'r' : 'a', n % 3 === 0 ? 'not this one' : '');
    if (n < 29) await page.waitForURL((url) => url.search !== before);
  }
  await page.getByText('No action waits for a decision.').waitFor();
  const statuses = (await app.call(adminKey, 'GET', '/v1/reviews?size=200')).body.data.map(
    ({ status }: { status: string }) => status,
  );
  t.equal(statuses.filter((status: string) => status === 'REJECTED').length, 10);
  t.equal(statuses.filter((status: string) => status === 'APPROVED').length, 20);
  t.strictSame(faults, []);
});

t.test('on a phone the list and the review follow one another', async (t) => {
  const { app } = await startScene(t);
  const { page } = await openPage(t, app, { viewport: { width: 390, height: 800 } });
  await page.goto(`${app.url}/console/#sign-in=${await app.services.signIns.createLink(adminKey)}`);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: /^Reviews/ }).click();
  await page
    .locator('.entries')
    .getByRole('link', { name: /email\.send/ })
    .click();
  await argument(page, 'press@example.com').waitFor();
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
    await page.getByText('2 operators of finance must approve it.').waitFor();
    await page.getByText('0 of 2 approvals; the agent still waits.').waitFor();
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText(`Assigned to ${me.name}`).waitFor();
    await page.getByRole('button', { name: 'Extend by 60 minutes' }).click();
    await page
      .getByText(/1:1\d:\d\d left/)
      .first()
      .waitFor();
    await page.getByLabel('Comment for other operators').fill('I know this one');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.comments').getByText('I know this one').waitFor();
    await decision(page, /Approve/).click();
    await page.getByText('Rule large-payment then lets 3 later actions of the session pass').waitFor();
    await page.getByLabel('This action alone').check();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Your approval counts. Others are needed.').waitFor();
    await page.getByText(`Approved by ${me.name}`).waitFor();
    const statusOf = async () =>
      (await app.call(adminKey, 'GET', `/v1/reviews/${reviewRequestId}`)).body.data;
    t.equal((await statusOf()).status, 'PENDING');
    // A second approval would be refused: the page says so before anything is filled in.
    await page.getByText('1 of 2 approvals; the agent still waits.').waitFor();
    await page.getByText('You have approved this already.').waitFor();
    t.equal(await decision(page, /Approve/).isDisabled(), true);
    await page.keyboard.press('a');
    t.equal(await comments(page).count(), 0);
    await app.call(hers, 'POST', `/v1/reviews/${reviewRequestId}/approve`);
    t.equal((await statusOf()).status, 'APPROVED');
    t.strictSame(faults, []);
  },
);

t.test('whoever may not approve an action reads why before a form is filled in', async (t) => {
  const app = await startConsoleApp(t);
  const { id, key } = await app.integration('AGENT');
  const both = twoOfFinance.replace('from: [finance]', 'notRequester: true');
  await app.policy(id, both);
  const hold = async (amount: number): Promise<string> =>
    (await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'pay', amount } })).body.data
      .reviewRequestId;
  const { page, faults } = await signedIn(t, app, `/console/reviews?id=${await hold(20_000)}`);
  // Whoever is signed in issued the key that the action came with.
  await page.getByText('You cannot approve this: you had a key of this integration').waitFor();
  t.equal(await decision(page, /Approve/).isDisabled(), true);
  t.equal(await decision(page, /Reject/).isDisabled(), false);
  t.strictSame(faults, []);
});

const long = Array.from({ length: 90 }, (_, line) => `line ${line}`).join('\n');
for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
]) {
  t.test(`at ${viewport.width} × ${viewport.height} nothing is approved that was not in sight`, async (t) => {
    const app = await startConsoleApp(t);
    const { id, key } = await app.integration('AGENT');
    await app.policy(id, twoOfFinance.replace('quorum: 2, from: [finance]', 'quorum: 1'));
    const input = { tool: 'pay', amount: 20_000, to: 'DE02 1203', note: `${long}\nthe end` };
    const { body } = await app.call(key, 'POST', '/v1/evaluate', { input });
    const path = `/console/reviews?id=${body.data.reviewRequestId}`;
    const { page, faults } = await signedIn(t, app, path, { viewport });
    await argument(page, '20000').waitFor();
    const approve = decision(page, /Approve/);
    const isInSight = (text: string) =>
      page.evaluate(`(() => {
        const found = [...document.querySelectorAll('.argument-text')].find((one) => one.textContent.includes('${text}'));
        return found.getBoundingClientRect().bottom <= document.querySelector('.decide').getBoundingClientRect().top + 8;
      })()`);
    t.equal(await approve.isDisabled(), true);
    t.equal(await approve.isVisible(), true);
    // Keys do no more than a press.
    await approve.press('Enter').catch(() => {});
    t.equal(await comments(page).count(), 0);
    // A jump to the end reads nothing of what lies between.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    t.equal(await approve.isDisabled(), true);
    await page.evaluate('scrollTo(0, 0)');
    for (let parts = 0; parts < 12 && (await approve.isDisabled()); parts++) {
      t.equal(await isInSight('the end'), false, 'the end was never in sight');
      await page.keyboard.press('a');
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      );
    }
    t.equal(await isInSight('the end'), true);
    t.equal(await comments(page).count(), 0, 'reading on decides nothing');
    await page.keyboard.press('a');
    await comments(page).fill('read to the end');
    await page.keyboard.press('Enter');
    await page.getByText('No action waits for a decision.').waitFor();
    t.strictSame(faults, []);
  });
}

t.test(
  'arguments are read field by field, with what was found in them and what changed since the last hold',
  async (t) => {
    const app = await startConsoleApp(t);
    const { id, key } = await app.integration('AGENT');
    await app.policy(id, twoOfFinance);
    const hold = async (input: object): Promise<string> =>
      (await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'pay', ...input } })).body.data
        .reviewRequestId;
    await hold({ amount: 20_000, to: 'ada@example.com', memo: 'rent' });
    const changed = {
      to: 'eve@evil.example',
      amount: 20_000,
      text: 'Dear Eve,\nask ada@example.com',
      'a\u202eb': '7',
    };
    const { page, faults } = await signedIn(t, app, `/console/reviews?id=${await hold(changed)}`);
    await argument(page, 'eve@evil.example').waitFor();
    // The hold before is read after the arguments are shown.
    await page.getByText('No longer there: memo').waitFor();
    const fields = page.locator('.argument');
    t.strictSame(await fields.locator('dt bdi').allInnerTexts(), [
      'to',
      'amount',
      'text',
      'tool',
      'aU+202Eb',
    ]);
    t.match(
      await fields.nth(0).innerText(),
      /recipient\s+eve@evil\.example\s+EMAIL_ADDRESS\s+before: ada@example\.com/,
    );
    t.notMatch(await fields.nth(1).getAttribute('class'), /changed/);
    t.match(await fields.nth(2).innerText(), /Dear Eve,\nask ada@example\.com/);
    t.equal(await fields.nth(2).locator('mark.found').innerText(), 'ada@example.com');
    // A text that looks like a number is told from a number.
    t.match(await fields.nth(4).innerText(), /"7"/);
    t.strictSame(faults, []);
  },
);
