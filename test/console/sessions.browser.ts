import t from 'tap';
import { signedIn, startConsoleApp } from './browser.ts';
import { playScene } from './scene.ts';

t.test('an operator sees whom a session delegated to, and ends both', async (t) => {
  const app = await startConsoleApp(t);
  const { key, sessionId } = await playScene(app);
  const child = { parentSessionId: sessionId, externalSessionId: 'sub-agent 1' };
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', child);
  const { page, faults } = await signedIn(t, app, `/console/sessions/${sessionId}`);
  const below = page.getByRole('region', { name: 'Delegated to' });
  await below.getByRole('row', { name: /sub-agent 1.*Active/ }).waitFor();
  await page.getByRole('button', { name: 'End the session' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
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

t.test(
  'a session names its integration and entity, and says how often each tool was let through',
  async (t) => {
    const app = await startConsoleApp(t);
    const { sessionId } = await playScene(app);
    const { page, faults } = await signedIn(t, app, `/console/sessions/${sessionId}`);
    await page.locator('.details').getByRole('link', { name: 'Customer support' }).waitFor();
    const counts = page.locator('.tool-counts li');
    await counts.filter({ hasText: 'web.search' }).getByText('1 of 1 let through').waitFor();
    await page.locator('.details').getByRole('link', { name: 'support agent' }).click();
    await page.getByRole('heading', { name: 'support agent' }).waitFor();
    t.strictSame(faults, []);
  },
);
