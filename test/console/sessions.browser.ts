import t from 'tap';
import { signedIn } from './browser.ts';
import { startScene } from './scene.ts';

t.test('an operator sees whom a session delegated to, and ends both', async (t) => {
  const { app, key, sessionId } = await startScene(t);
  const child = { parentSessionId: sessionId, externalSessionId: 'sub-agent 1' };
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', child);
  const { page, faults } = await signedIn(t, app, `/console/sessions/${sessionId}`);
  const below = page.getByRole('region', { name: 'Delegated to' });
  await below.getByRole('row', { name: /sub-agent 1.*Active/ }).waitFor();
  await page.getByRole('button', { name: 'End the session' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click();
  await page.getByText('The session is ended.').waitFor({ state: 'attached' });
  await below.getByRole('row', { name: /sub-agent 1.*Terminated/ }).waitFor();
  t.equal(await page.getByRole('button', { name: 'End the session' }).count(), 0);
  const refused = await app.call(key, 'POST', '/v1/evaluate', { sessionId: body.data.id, input: {} });
  t.equal(refused.status, 409);
  await below.getByRole('link', { name: 'sub-agent 1' }).click();
  await page.getByRole('heading', { name: 'Session sub-agent 1' }).waitFor();
  await page.getByText('Delegated by').waitFor();
  t.strictSame(faults, []);
});

const budget = `schemaVersion: 1
name: budget
counters:
  mails: { over: session, where: tool == "email.send" }
  calls: { over: integration, within: 1h, counts: ATTEMPTED }
rules:
  - { id: mail-limit, when: counters.mails >= 4, effect: BLOCK }
  - { id: busy, when: counters.calls > 1, label: [BUSY] }
`;

t.test('a session names its integration and entity, and shows all that rules read of it', async (t) => {
  const { app, ...scene } = await startScene(t);
  const { sessionId, integrationId, evaluations } = scene;
  await app.policy(integrationId, budget);
  const labelled = await scene.act({ tool: 'web.search' });
  await scene.act({ tool: 'web.search' });
  const { page, context, faults } = await signedIn(t, app, `/console/sessions/${sessionId}`);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('.details').getByRole('link', { name: 'Customer support' }).waitFor();
  const counts = page.locator('.tool-counts li');
  await counts.filter({ hasText: 'web.search' }).getByText('3 of 3 let through').waitFor();

  const state = page.getByRole('region', { name: 'State' });
  await state.getByRole('listitem').filter({ hasText: 'BUSY' }).getByRole('link').click();
  t.match(page.url(), labelled.evaluationRunId, 'the label leads to the evaluation that gave it');
  const tag = state.getByRole('listitem').filter({ hasText: 'EMAIL_ADDRESS' });
  await tag.getByRole('link', { name: 'since action 2' }).click();
  t.match(page.url(), evaluations[1], 'a tag leads to the first evaluation with it');
  await page.locator('.evaluation-detail').getByText('crm.lookup').first().waitFor();

  const counters = page.getByRole('region', { name: 'Counters' });
  await counters.getByRole('button', { name: /^Show all/ }).click();
  const mails = counters.getByRole('row', { name: /^mails/ });
  await mails.getByText('from 4 on: Blocked').waitFor();
  t.equal(await mails.getByRole('progressbar').getAttribute('max'), '4');
  await counters
    .getByRole('row', { name: /^calls/ })
    .getByText('reached')
    .waitFor();
  await counters
    .getByRole('row', { name: /^calls/ })
    .getByText('1 hour')
    .first()
    .waitFor();

  await page.getByRole('button', { name: 'Copy id: support agent' }).first().click();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), integrationId);
  await page.goto(`${app.url}/console/evaluations/${evaluations[2]}`);
  await page.locator('.details').getByRole('link', { name: 'Customer support' }).waitFor();
  await page.locator('.details').getByRole('link', { name: 'support agent' }).click();
  await page.getByRole('heading', { name: 'support agent' }).waitFor();
  t.strictSame(faults, []);
});

t.test('a timeline follows its end until a person scrolls back, and then stays where it is', async (t) => {
  const { app, act, sessionId } = await startScene(t);
  const add = async (count: number) => {
    for (let n = 0; n < count; n++) await act({ tool: 'web.search', query: `${n}` });
  };
  await add(30);
  const { page, faults } = await signedIn(t, app, `/console/sessions/${sessionId}`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const top = () => page.evaluate("document.querySelector('.virtual').scrollTop") as Promise<number>;
  const last = (place: number) => timeline.locator(`li[aria-posinset="${place}"]`);
  await last(34).waitFor();
  await add(1);
  await last(35).waitFor();
  await timeline.focus();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
  await add(1);
  await page.getByText('36 evaluations', { exact: true }).waitFor();
  t.equal(await top(), 0);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await last(36).waitFor();
  t.ok((await top()) > 0);
  t.strictSame(faults, []);
});
