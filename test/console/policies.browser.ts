import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { until } from '../helpers/until.ts';
import { signedIn, startConsoleApp } from './browser.ts';
import { startScene } from './scene.ts';

t.test('a second version is compared with the first, and the first made current again', async (t) => {
  const { app, integrationId } = await startScene(t);
  const document =
    'schemaVersion: 1\nname: two\nrules:\n  - { id: a, when: tool == "x", effect: WARN, severity: LOW }\n';
  const id = await app.policy(integrationId, document);
  const { page, faults } = await signedIn(t, app, `/console/policies/${id}`);
  const editor = page.getByRole('textbox', { name: 'Policy document' });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('  - { id: b, when: tool == "y", effect: BLOCK, severity: HIGH }\n');
  await page.getByText('Unsaved changes').waitFor();
  // What was typed is there after another tab of the page.
  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Document' }).click();
  await page.getByText('Unsaved changes').waitFor();
  await page.getByText('The document is valid.').waitFor();
  await page.getByRole('button', { name: 'Save a new version' }).click();
  await page.getByText('Version 2 is saved, and decides from now on.').waitFor();

  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Compare with the current version' }).click();
  await page.getByText('Version 1 (left) and version 2').waitFor();
  await page.locator('.cm-changedLine, .cm-insertedLine').first().waitFor();
  await page.getByRole('button', { name: 'Roll back to this version' }).click();
  await page.getByText('Version 1 decides from now on.').waitFor();
  t.equal((await app.call(adminKey, 'GET', `/v1/policies/${id}`)).body.data.version, 1);
  t.strictSame(faults, []);
});

t.test('the editor completes names of the document and of CEL, and Esc and Tab leave it', async (t) => {
  const app = await startConsoleApp(t);
  const { page, faults } = await signedIn(t, app, '/console/policies/new');
  const editor = page.getByRole('textbox', { name: 'Policy document' });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('variables: { x: session.act');
  await page.locator('.policy-completions').getByText('actionCount').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  t.not(await page.evaluate('document.activeElement.className'), 'editor');
  t.strictSame(faults, []);
});

t.test('retiring asks first', async (t) => {
  const { app, policyId } = await startScene(t);
  const { page } = await signedIn(t, app, `/console/policies/${policyId}`);
  const status = async () => (await app.call(adminKey, 'GET', `/v1/policies/${policyId}`)).body.data.status;
  await page.getByRole('button', { name: 'Retire the policy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  t.equal(await status(), 'ACTIVE');
  await page.getByRole('button', { name: 'Retire the policy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retire the policy' }).click();
  await page.getByText('The policy is retired').waitFor();
  t.equal(await status(), 'DEPRECATED');
});

t.test('a replay shows how far it is, and one that is cancelled ends on the service too', async (t) => {
  const { app, key } = await startScene(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  for (let n = 0; n < 2_000; n += 50) {
    const act = () => app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'web.search' } });
    await Promise.all(Array.from({ length: 50 }, act));
  }
  const { page, faults } = await signedIn(t, app, '/console/policies/new');
  const start = page.getByRole('button', { name: 'Replay the record' });
  // In the page itself, a moment after it started: a click from here can come when all is done.
  await page.evaluate(`new MutationObserver(() => {
    if (!document.querySelector('progress') || window.cancelling) return;
    window.cancelling = true;
    setTimeout(() => {
      const cancel = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Cancel');
      cancel?.click();
      window.cancelled = cancel !== undefined;
    }, 20);
  }).observe(document.body, { subtree: true, childList: true })`);
  // On a busy machine a replay may end before the click: then another one is started and cancelled.
  for (let cancelled: unknown = false; cancelled !== true; ) {
    await page.evaluate('window.cancelled = window.cancelling = undefined');
    await start.click();
    cancelled = await until(
      () => page.evaluate('window.cancelled'),
      (known) => known !== undefined,
    );
  }
  await start.click();
  const done = page.getByText(/of 2,004 decisions change/);
  // Until the one before has ended, the service says so.
  const again = page.getByRole('button', { name: 'Try again' });
  for (;;) {
    // A replay leaves the processor to all others, as those who run other tests.
    await done.or(again).first().waitFor({ timeout: 120_000 });
    if (await done.isVisible()) break;
    // It may have gone since it was seen.
    await again.click({ timeout: 1_000 }).catch(() => {});
  }
  t.strictSame(faults, []);
});
