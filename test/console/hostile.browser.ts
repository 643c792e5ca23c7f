import t, { type Test } from 'tap';
import { adminKey } from '../helpers/app.ts';
import { type ConsoleApp, follow, signedIn, startConsoleApp } from './browser.ts';
import { everyPage } from './every-page.ts';
import { hostilePayloads } from './hostile-payloads.ts';
import { startScene } from './scene.ts';

// takes long: begins first

const isToolName = (text: string) =>
  !/\p{C}|\p{Z}|[\u3164\uffa0\u115f]/u.test(text.trim().replaceAll(' ', ''));

/** A page that notes what became active on it. */
async function watched(t: Test, app: ConsoleApp) {
  const opened = await signedIn(t, app);
  await opened.page.addInitScript({
    content: 'globalThis.harmed = []; globalThis.alert = (what) => harmed.push(what);',
  });
  const check = async (name: string) => {
    const found = (await opened.page.evaluate(`({
      harmed: globalThis.harmed,
      active: [...document.querySelectorAll('script:not([src]), iframe, object, embed, form[action], base, link[rel=import], img:not([src^="data:"]), [onerror], [onload], [onclick]')].map((one) => one.outerHTML.slice(0, 100)),
      links: [...document.querySelectorAll('a[href]')].map((one) => one.href).filter((href) => !href.startsWith(location.origin + '/')),
      bare: document.body.innerText.match(/.{0,20}[\\u202a-\\u202e\\u2066-\\u2069\\u200b-\\u200f\\u0000-\\u0008]/)?.[0] ?? null,
    })`)) as { harmed: string[]; active: string[]; links: string[]; bare: string | null };
    t.strictSame(found, { harmed: [], active: [], links: [], bare: null }, name);
  };
  return { ...opened, check };
}

// Whatever an agent sends reaches the eyes of an operator: as text that does nothing, shows all there is, and is no link.
t.test('200 hostile payloads stay inert on every page that shows them', async (t) => {
  const app = await startConsoleApp(t);
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.policy(
    id,
    `schemaVersion: 1\nname: hold\nrules:\n  - { id: hold, when: 'true', effect: APPROVAL_REQUIRED, message: 'held {{tool}} {{input.text}}' }\n`,
  );
  await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, { name: hostilePayloads[0] });
  t.equal(hostilePayloads.length, 200);
  const evaluations: string[] = [];
  let sessionId = '';
  for (const [n, payload] of hostilePayloads.entries()) {
    const { status, body, text } = await app.call(key, 'POST', '/v1/evaluate', {
      ...(n === 0
        ? { externalSessionId: payload.slice(0, 200), metadata: { [`key ${payload}`]: payload } }
        : { sessionId }),
      // A tool's name must not contain what cannot be seen: such a request is refused.
      input: {
        ...(isToolName(payload) && { tool: payload.slice(0, 100) }),
        text: payload,
        [`key ${payload}`]: [payload],
      },
      targetKey: payload.slice(0, 200),
      correlationId: payload.slice(0, 100),
    });
    if (status !== 200) throw new Error(text);
    sessionId = body.data.sessionId;
    evaluations.push(body.data.evaluationRunId);
  }

  const { page, faults, check } = await watched(t, app);
  for (const path of [
    '/console/',
    '/console/reviews',
    '/console/sessions',
    `/console/sessions/${sessionId}`,
    '/console/integrations',
    `/console/integrations/${id}`,
  ]) {
    await page.goto(app.url + path);
    await page.locator('main .sent, main li, main td').first().waitFor();
    // What loads after the first entry.
    await page.waitForTimeout(500);
    await check(path);
  }
  for (const [n, evaluation] of evaluations.entries()) {
    await follow(page, `${app.url}/console/evaluations/${evaluation}`);
    await page.getByText(evaluation).first().waitFor({ state: 'attached' });
    await check(`payload ${n}`);
  }
  t.strictSame(faults, []);
});

t.test('what other operators entered stays inert, too', async (t) => {
  const { app, ...scene } = await startScene(t);
  const hostile = '<img src=x onerror=alert(1)>\u202egnp.exe\u2066 javascript:alert(1)';
  /** Names have no marks that turn the direction of text. */
  const name = '<img src=x onerror=alert(1)>gnp.exe javascript:alert(1)';
  const send = async (method: 'POST' | 'PATCH' | 'PUT', path: string, json: object) => {
    const { status, text } = await app.call(adminKey, method, `/v1/${path}`, json);
    if (status >= 300) throw new Error(`${path}: ${text}`);
  };
  const integration = `integrations/${scene.integrationId}`;
  const tool = { name: 'x.y', description: hostile, inputSchema: { type: 'object', title: hostile } };
  await send('PATCH', integration, { name, description: hostile });
  await send('POST', `${integration}/keys`, { name });
  await send('POST', `${integration}/tools/import`, { tools: [tool] });
  await send('PATCH', `operators/${scene.operatorId}`, { name });
  await send('POST', 'operator-keys', { operatorId: scene.operatorId, name });
  await send('PATCH', `entities/${scene.entityId}`, {
    name,
    owner: name,
    metadata: { [hostile]: hostile },
  });
  await send('PATCH', `webhooks/${scene.webhookId}`, { name });
  await send('PATCH', `lists/${scene.listId}`, { add: ['other.example'], note: hostile });
  await send('POST', `reviews/${scene.reviewId}/comments`, { text: hostile });
  const { page, faults, check } = await watched(t, app);
  const showing = new Set([
    ...['now', 'reviews', 'violations', 'statistics', 'list', 'entities', 'entity', 'webhooks', 'webhook'],
    ...['policy-bindings', 'integrations', 'integration', 'operators', 'operator'],
  ]);
  await page.reload();
  for (const { name, path } of everyPage(scene).filter((one) => showing.has(one.name))) {
    await follow(page, app.url + path);
    await page.locator('main').getByText('gnp.exe').filter({ visible: true }).first().waitFor();
    await check(name);
    showing.delete(name);
  }
  await page.goto(`${app.url}/console/policies/${scene.policyId}?tab=bindings`);
  await page.getByRole('button', { name: 'Unbind the policy' }).click();
  await page.getByRole('dialog').getByText('gnp.exe').waitFor();
  await check('a question');
  await page.getByRole('dialog').getByRole('button', { name: 'Unbind the policy' }).click();
  await page.locator('.announcements').getByText('gnp.exe').waitFor();
  await check('an announcement');
  t.strictSame([...showing, ...faults], []);
});
