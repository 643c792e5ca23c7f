import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { closeBrowser, signedIn, startConsoleApp } from './browser.ts';
import { hostilePayloads } from './hostile-payloads.ts';

t.teardown(closeBrowser);

const isToolName = (text: string) =>
  !/\p{C}|\p{Z}|[\u3164\uffa0\u115f]/u.test(text.trim().replaceAll(' ', ''));

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

  const { page, faults } = await signedIn(t, app);
  await page.addInitScript({
    content: 'globalThis.harmed = []; globalThis.alert = (what) => harmed.push(what);',
  });
  const check = async (name: string) => {
    const found = (await page.evaluate(`({
      harmed: globalThis.harmed,
      active: [...document.querySelectorAll('script:not([src]), iframe, object, embed, form[action], base, link[rel=import], img:not([src^="data:"]), [onerror], [onload], [onclick]')].map((one) => one.outerHTML.slice(0, 100)),
      links: [...document.querySelectorAll('a[href]')].map((one) => one.href).filter((href) => !href.startsWith(location.origin + '/')),
      bare: /[\\u202a-\\u202e\\u2066-\\u2069\\u200b-\\u200f\\u0000-\\u0008]/.test(document.body.innerText),
    })`)) as { harmed: string[]; active: string[]; links: string[]; bare: boolean };
    t.strictSame(found, { harmed: [], active: [], links: [], bare: false }, name);
  };
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
    // As a link of the console does: without loading everything anew.
    await page.evaluate(
      `history.pushState(null, '', '/console/evaluations/${evaluation}'); dispatchEvent(new PopStateEvent('popstate'));`,
    );
    await page.getByText(evaluation).first().waitFor({ state: 'attached' });
    await check(`payload ${n}`);
  }
  t.strictSame(faults, []);
});
