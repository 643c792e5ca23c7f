import { readFileSync } from 'node:fs';
import t from 'tap';
import { violationsInBothThemes } from './axe.ts';
import { signedIn, startConsoleApp } from './browser.ts';

const refunds = (most: number) => `schemaVersion: 1
name: refunds
rules:
  - id: many
    tool: refund
    when: session.toolCounts[?"refund"].orValue(0) >= ${most}
    effect: WARN
  - id: never
    tool: refund
    when: session.actionCount > 5 && session.actionCount < 3
    effect: BLOCK
properties:
  - name: no sixth refund
    tool: refund
    when: session.toolCounts[?"refund"].orValue(0) >= 5
    holds: decision.enforcementAction == "BLOCK"
`;
const strikes = `schemaVersion: 1
name: strikes
rules:
  - id: five
    tool: refund
    when: session.toolCounts[?"refund"].orValue(0) >= 5
    effect: BLOCK
`;

t.test('a draft is proved: rules, properties with their actions, and what it lets through', async (t) => {
  const app = await startConsoleApp(t);
  const { id } = await app.integration('AGENT');
  const policyId = await app.policy(id, refunds(3));
  await app.policy(id, strikes);
  const { page, faults } = await signedIn(t, app, `/console/policies/${policyId}`);
  const editor = page.getByRole('textbox', { name: 'Policy document' });
  await page.getByText('The document is valid.').waitFor();
  const panel = page.getByRole('region', { name: 'Prove' });
  await panel.getByRole('button', { name: 'Prove the policy' }).click();
  await panel.getByText('Decides every action as before').waitFor();
  await panel.getByText('1 rule adds nothing').waitFor();
  await panel.getByText('violated').waitFor();
  t.match(JSON.parse(await panel.getByRole('region', { name: 'Action and session' }).innerText()), {
    tool: 'refund',
    session: { toolCounts: { refund: 5 } },
  });
  await panel.getByRole('button', { name: 'line 13' }).click();
  t.equal(await page.evaluate('document.activeElement.className'), 'editor');

  // A laxer draft, with the smallest action that it lets through.
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(refunds(4));
  await panel.getByText('has changed since this proof').waitFor();
  await page.getByText('The document is valid.').waitFor();
  await panel.getByRole('button', { name: 'Prove the policy' }).click();
  await panel.getByText('Less strict than before').waitFor();
  const [difference] = await panel.locator('.proof-difference .badge').allInnerTexts();
  t.equal(difference, 'Warning');

  // In the company of the other policy, the property holds.
  await panel.getByLabel('Policies').selectOption({ index: 1 });
  await panel.getByRole('button', { name: 'Prove the policy' }).click();
  await panel.getByText('proved', { exact: true }).waitFor();
  t.strictSame(await violationsInBothThemes(page), []);
  t.strictSame(faults, []);
});

t.test(
  'a shipped policy is proved, and a draft without one of its rules is shown by the steps of a session',
  async (t) => {
    const app = await startConsoleApp(t);
    const { id } = await app.integration('AGENT');
    const document = readFileSync('policies/packs/deployments.yaml', 'utf8');
    const policyId = await app.policy(id, document);
    const { page, faults } = await signedIn(t, app, `/console/policies/${policyId}`);
    await page.getByText('The document is valid.').waitFor();
    const panel = page.getByRole('region', { name: 'Prove' });
    await panel.getByRole('button', { name: 'Prove' }).click();
    await panel.getByText('proved', { exact: true }).nth(2).waitFor();
    t.equal(await panel.getByText('violated').count(), 0);

    await page.getByRole('textbox', { name: 'Policy document' }).click();
    await page.keyboard.press('Control+A');
    // Its tests would find the missing rule as well.
    const [untested = ''] = document
      .replace(/ {2}- id: test-without-build\n(?: {4}.*\n)*/, '')
      .split('tests:\n');
    await page.keyboard.insertText(untested);
    await panel.getByText('has changed since this proof').waitFor();
    await page.getByText('The document is valid.').waitFor();
    await panel.getByRole('button', { name: 'Prove' }).click();
    await panel.getByText('violated').waitFor();
    t.match(JSON.parse(await panel.getByRole('region', { name: 'Steps of a session' }).innerText()), [
      { tool: 'ci.test' },
      { tool: 'deploy.production' },
    ]);
    t.strictSame(faults, []);
  },
);

t.test('a proof that is unknown says what it does not look into', async (t) => {
  const app = await startConsoleApp(t);
  const { id } = await app.integration('AGENT');
  const document = `schemaVersion: 1
name: no-rm
rules:
  - { id: rm, effect: BLOCK, when: 'commands(tool).exists(c, c.program == "rm")' }
properties:
  - { name: no rm, when: 'tool == "rm"', holds: decision.enforcementAction == "BLOCK" }
`;
  const policyId = await app.policy(id, document);
  const { page } = await signedIn(t, app, `/console/policies/${policyId}`);
  const panel = page.getByRole('region', { name: 'Prove' });
  await panel.getByRole('button', { name: 'Prove the policy' }).click();
  await panel.getByText('unknown').waitFor();
  await panel.getByText(/does not look into commands\(tool\)\.exists/).waitFor();
});
