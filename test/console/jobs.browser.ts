import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { adminKey } from '../helpers/app.ts';
import { type ConsoleApp, openPage, signedIn } from './browser.ts';
import { type Hands, keyboard, mouse } from './keyboard.ts';
import { type Scene, startScene } from './scene.ts';

// takes long: begins first

// The main jobs of an operator, each from the first page to its end: once with the mouse, and once with the keyboard alone.

interface Job {
  t: Test;
  app: ConsoleApp;
  scene: Scene;
  page: Page;
  hands: Hands;
}

const opened = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();
const dialogButton = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

/** From any page to another one. */
async function goTo({ page, hands }: Job, name: string): Promise<void> {
  await hands.press(
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: new RegExp(`^${name}`) }),
  );
  await opened(page, name);
}

const jobs: Readonly<Record<string, (job: Job) => Promise<void>>> = {
  async 'a held action is read and rejected with a reason that the agent receives, the next one approved'(
    job,
  ) {
    const { t, app, scene, page, hands } = job;
    const [second] = await scene.hold(1);
    await goTo(job, 'Reviews');
    await page.locator('.argument-value').getByText('press@example.com', { exact: true }).waitFor();
    await page.getByText('Outbound call after sensitive data').first().waitFor();
    const decide = page.locator('.decide');
    await hands.press(decide.getByRole('button', { name: /^Reject/ }));
    await hands.type(page.getByLabel('Comment (the agent receives it)'), 'not to the press');
    t.match(
      await page.locator('.receives pre').innerText(),
      /"status": "REJECTED",\s+"comment": "not to the press"/,
    );
    await hands.press(decide.locator('form').getByRole('button', { name: 'Reject', exact: true }));
    await page.locator('.argument').getByText('Mail 0', { exact: true }).waitFor();
    const rejected = (await app.call(scene.key, 'GET', `/v1/reviews/${scene.reviewId}`)).body.data;
    t.match(rejected, { status: 'REJECTED', comment: 'not to the press' });
    await hands.press(decide.getByRole('button', { name: /^Approve/, disabled: false }));
    await hands.press(decide.locator('form').getByRole('button', { name: 'Approve', exact: true }));
    await page.getByText('No action waits for a decision.').waitFor();
    t.equal((await app.call(scene.key, 'GET', `/v1/reviews/${second}`)).body.data.status, 'APPROVED');
  },

  async 'why an action was blocked is found, down to the line of the rule'(job) {
    const { t, page, hands } = job;
    await goTo(job, 'Evaluations');
    await hands.press(button(page, 'Blocked'));
    await hands.press(
      page
        .getByRole('row', { name: /^net\.http_post Blocked/ })
        .getByRole('link')
        .first(),
    );
    const why = page.locator('.why');
    await why
      .getByText(/^Blocked by /)
      .first()
      .waitFor();
    const rule = await why.locator('.why-sentence strong').innerText();
    t.ok((await why.locator(':scope > .condition .reads > div').count()) > 0, 'the values that it saw');
    await hands.press(why.locator('.why-sentence').getByRole('link'));
    await page.locator('.source-lines [aria-current]').waitFor();
    t.match(await page.locator('.source-lines').innerText(), rule);
  },

  async 'violations are triaged, and a false positive leads to its rule with a replay beside it'(job) {
    const { t, app, page, hands } = job;
    await goTo(job, 'Violations');
    await hands.press(page.locator('.entries a').filter({ hasText: 'net.http_post' }).first());
    const detail = page.locator('article');
    const act = (name: string) => hands.press(detail.getByRole('button', { name, exact: true }));
    await act('Acknowledge');
    await detail.getByText('In progress').waitFor();
    await act('Dismiss');
    const dismiss = detail.locator('form').getByRole('button', { name: 'Dismiss', exact: true });
    t.equal(await dismiss.isDisabled(), true, 'nothing is chosen for anybody');
    await hands.choose(detail.getByLabel('Reason'), 'False positive: the rule was wrong');
    await hands.type(detail.getByLabel('Note'), 'a test token');
    await hands.press(dismiss);
    await detail.getByText('a test token').waitFor();
    const { body } = await app.call(adminKey, 'GET', '/v1/violations?status=DISMISSED');
    t.match(body.data, [{ dismissal: 'FALSE_POSITIVE', note: 'a test token' }]);

    await hands.press(page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'New' }));
    const boxes = page.getByLabel(/^Select:/);
    await hands.press(boxes.nth(0), 'Space');
    await hands.press(boxes.nth(1), 'Space');
    await detail.getByRole('heading', { name: '2 violations selected' }).waitFor();
    t.equal(await detail.locator('.violations > li').count(), 2, 'all that is decided is listed');
    await act('Resolve');
    await hands.choose(detail.getByLabel('What was done'), 'The risk is accepted');
    await hands.press(detail.locator('form').getByRole('button', { name: 'Resolve', exact: true }));
    await page.getByText('2 changed.').waitFor();
    const { body: resolved } = await app.call(adminKey, 'GET', '/v1/violations?status=RESOLVED');
    t.match(resolved.data, [{ resolution: 'ACCEPTED' }, { resolution: 'ACCEPTED' }]);

    await hands.press(button(page, 'By rule'));
    // Reported, triaged, and how many of these were false positives.
    const rule = page.getByRole('row', { name: / pii-data-flow [1-9] 1 100 ?% \(1\) / });
    await hands.press(rule.getByRole('link', { name: 'Replay an exception' }));
    const ruleId = new URL(page.url()).searchParams.get('rule') ?? '';
    t.match(body.data, [{ ruleId }]);
    await page.locator('.cm-activeLine').getByText(ruleId).waitFor();
    await button(page, 'Replay the record').waitFor();
  },

  async 'a policy is written, tested, replayed, bound in MONITOR, and enforced'(job) {
    const { t, app, scene, page, hands } = job;
    const { data } = (await app.call(adminKey, 'GET', '/v1/evaluations?size=200')).body;
    const calls = data.filter(({ tool }: { tool: string }) => tool === 'web.search').length;
    await goTo(job, 'Policies');
    await hands.press(page.getByRole('link', { name: 'Create a policy' }));
    const editor = page.getByRole('textbox', { name: 'Policy document' });
    const write = async (condition: string) => {
      await hands.reach(editor);
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(`schemaVersion: 1
name: no-search
rules:
  - id: no-search
    when: ${condition}
    effect: BLOCK
    severity: HIGH
tests:
  - name: a search is blocked
    given: { tool: web.search }
    expect: { enforcementAction: BLOCK }
`);
    };
    await editor.waitFor();
    await write('tol == "web.search"');
    await page.locator('.issues').getByText('line 5').waitFor();
    await page.locator('.policy-error').first().waitFor();
    t.equal(await button(page, 'Save as a draft').isDisabled(), true);
    await write('tool == "web.search"');
    await page.getByText('1 of 1 tests pass').waitFor();

    await hands.choose(page.getByLabel('Evaluations'), 'all that are recorded');
    await hands.press(button(page, 'Replay the record'));
    const replay = page.getByRole('region', { name: 'Replay' });
    // A replay leaves the processor to all others, as those who run other tests.
    await replay.getByText(`${calls} of ${data.length} decisions change`).waitFor({ timeout: 120_000 });
    t.strictSame(
      await replay.locator('.badge').allInnerTexts(),
      Array(calls).fill(['Allowed', 'Blocked']).flat(),
    );
    await replay.getByRole('row', { name: `support agent ${data.length} ${calls}` }).waitFor();
    await replay.getByText('(added)').first().waitFor();
    const href = await replay.getByRole('link', { name: 'web.search' }).last().getAttribute('href');
    t.equal(href, `/console/evaluations/${scene.evaluations[0]}`);

    await hands.press(button(page, 'Save as a draft'));
    await opened(page, 'no-search');
    await hands.press(button(page, 'Activate the policy'));
    await page.getByText('Version 1 decides from now on.').waitFor();
    await hands.press(button(page, 'Bindings'));
    await page.getByText('bound to no integration').waitFor();
    await hands.press(button(page, 'Bind the policy: support agent'));
    const dialog = page.getByRole('dialog', { name: 'Bind no-search to support agent' });
    t.equal(await dialog.getByLabel('Mode').inputValue(), 'MONITOR', 'suggested for a new policy');
    await hands.press(dialogButton(page, 'Bind the policy'));
    const place = page.locator('.binding').filter({ hasText: 'support agent' });
    await place.getByText('Monitors').waitFor();
    const search = async () =>
      (await app.call(scene.key, 'POST', '/v1/evaluate', { input: { tool: 'web.search' } })).body.data;
    t.match(await search(), {
      enforcementAction: 'ALLOW',
      violations: [{ ruleId: 'no-search', mode: 'MONITOR' }],
    });
    await hands.press(button(page, 'Change the binding: support agent'));
    await hands.choose(page.getByRole('dialog').getByLabel('Mode'), 'Enforces');
    await hands.press(dialogButton(page, 'Save the binding'));
    await place.getByText('Enforces').waitFor();
    t.match(await search(), { enforcementAction: 'BLOCK', violations: [{ ruleId: 'no-search' }] });
    await goTo(job, 'Policies');
    await page.getByRole('row', { name: /^no-search Active Enforces enforced in 1 [1-9] owner / }).waitFor();
  },

  async 'an operator is invited with a role and a key, and sees what the role permits'(job) {
    const { t, app, page, hands } = job;
    await goTo(job, 'Operators');
    await hands.press(button(page, 'Create an operator'));
    const form = page.getByRole('dialog');
    await hands.type(form.getByLabel('Name'), 'Grace Hopper');
    await form.getByText('approves and rejects held actions').waitFor();
    await hands.press(form.getByLabel('Reviewer'), 'Space');
    await hands.press(form.getByLabel('Read only'), 'Space');
    await hands.press(dialogButton(page, 'Create an operator'));
    await form.getByText('Without a key this operator cannot sign in').waitFor();
    await hands.type(form.getByLabel('What it is for'), 'laptop');
    await hands.press(dialogButton(page, 'Create a key'));
    const key = await form.locator('code').innerText();
    t.match(key, /^asz_admin_/);
    await hands.press(button(page, 'I have copied it'));
    await page.getByRole('row', { name: /Grace Hopper.*Reviewer.*1 key/ }).waitFor();

    const invited = await openPage(t, app);
    await invited.page.goto(`${app.url}/console/policies`);
    await invited.page.getByLabel('Operator key').fill(key);
    await invited.page.keyboard.press('Enter');
    await invited.page.getByText('pii-data-flow').waitFor();
    t.equal(await invited.page.getByRole('link', { name: 'Create a policy' }).count(), 0);
    const nav = invited.page.getByRole('navigation', { name: 'Pages' });
    // biome-ignore format: short texts read better in rows
    t.strictSame(await nav.getByRole('link').allInnerTexts(), [
      'Now', 'Reviews', 'Sessions', 'Evaluations', 'Violations', 'Statistics',
      'Policies', 'Proposals', 'Lists', 'Integrations', 'MCP servers', 'Entities', 'Settings',
    ]);
    await invited.page.goto(`${app.url}/console/operators`);
    await invited.page.getByText('operators:read').waitFor();
    t.equal((await app.call(key, 'POST', '/v1/integrations', { name: 'x', kind: 'AGENT' })).status, 403);
    await invited.context.close();
  },

  async 'the record is verified in the browser, and the export saved for others to verify'(job) {
    const { t, page, hands } = job;
    await goTo(job, 'Record');
    await hands.press(button(page, 'Verify the record'));
    await page.getByText('Verified: nothing was changed.').waitFor();
    t.match(await page.locator('.verification').innerText(), /[1-9]\d* entries in [1-9]\d* chains/);
    const downloading = page.waitForEvent('download');
    await hands.press(button(page, 'Save the export'));
    const saved = await readFile(await (await downloading).path(), 'utf8');
    t.match(saved.split('\n')[0], /"kind":"export"/);
  },

  /** The last one: so much later, nobody is signed in any more. */
  async 'the key of an integration is rotated, and the old one works until its time is over'(job) {
    const { t, app, scene, page, hands } = job;
    const statusFor = async (key: string) => (await app.call(key, 'GET', '/v1/evaluation-sessions')).status;
    await goTo(job, 'Integrations');
    await hands.press(page.getByRole('link', { name: 'support agent' }));
    await hands.press(
      page
        .getByRole('region', { name: 'Keys' })
        .getByRole('row', { name: /everything/ })
        .getByRole('button', { name: 'Rotate the key' }),
    );
    await hands.choose(page.getByLabel('The old key works for'), 'one hour');
    await hands.press(dialogButton(page, 'Rotate the key'));
    const [rotated = ''] =
      /asz_live_[\w-]{43}/.exec(await page.getByRole('dialog').locator('.secret').innerText()) ?? [];
    await hands.press(button(page, 'I have copied it'));
    t.strictSame([await statusFor(rotated), await statusFor(scene.key)], [200, 200], 'both work');
    app.clock.advance(61 * 60_000);
    t.strictSame(
      [await statusFor(rotated), await statusFor(scene.key)],
      [200, 401],
      'the old one has expired',
    );
  },
};

for (const [name, handsOf] of Object.entries({ mouse, keyboard })) {
  t.test(`with the ${name} alone`, async (t) => {
    const { app, ...scene } = await startScene(t);
    const { page, faults } = await signedIn(t, app);
    for (const [name, job] of Object.entries(jobs)) {
      await t.test(name, async (t) => {
        await job({ t, app, scene, page, hands: handsOf(page) });
        t.strictSame(faults, []);
      });
    }
  });
}
