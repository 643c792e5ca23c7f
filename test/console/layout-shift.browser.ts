import type { Page } from 'playwright-core';
import t from 'tap';
import { openPage, settled, signIn } from './browser.ts';
import { everyPage } from './every-page.ts';
import { startScene } from './scene.ts';

// takes long: begins first

/** Google calls up to .1 good; a person who reads sees less. */
const most = 0.01;
const slowdown = 4;

/** Notes what moved without input. */
const watch = `
  globalThis.shifts = [];
  const nameOf = (node) => node?.nodeType === 1
    ? node.tagName.toLowerCase() + (node.classList.length ? '.' + [...node.classList].join('.') : '') : '#text';
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) if (!hadRecentInput)
      shifts.push({ value, moved: sources.map(({ node, previousRect, currentRect }) =>
        nameOf(node) + ' from ' + box(previousRect) + ' to ' + box(currentRect)) });
  }).observe({ type: 'layout-shift', buffered: true });`;

interface Shift {
  value: number;
  moved: string[];
}

const viewports = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/**
 * Returns a function that resolves once the page has drawn the answers to all of its requests, and asks for nothing more. The stream of events
 * never ends.
 */
function watchAnswers(page: Page): () => Promise<void> {
  const open = new Set<unknown>();
  page.on('request', (request) => {
    if (!request.url().includes('/v1/events')) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return async () => {
    for (let quiet = 0; quiet < 3; quiet++) {
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
      if (open.size > 0) quiet = -1;
    }
  };
}

const { app, ...scene } = await startScene(t);

for (const [name, viewport] of Object.entries(viewports)) {
  t.test(`no page moves what is shown while it loads: ${name}`, async (t) => {
    const { page, context } = await openPage(t, app, { viewport });
    await signIn(page, app.url);
    await page.addInitScript({ content: watch });
    const answered = watchAnswers(page);
    const devTools = await context.newCDPSession(page);
    // A slow page is slow by keeping the processor busy, which one that only waits need not.
    const slowBy = (rate: number) => devTools.send('Emulation.setCPUThrottlingRate', { rate });
    for (const { name, path, ready } of everyPage(scene)) {
      await slowBy(slowdown);
      await page.goto(app.url + path);
      await page.locator('main').getByText(ready).filter({ visible: true }).first().waitFor();
      await answered();
      await slowBy(1);
      await settled(page);
      const shifts = (await page.evaluate('shifts')) as Shift[];
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      t.ok(sum <= most, `${name}: ${sum.toFixed(3)}`, { shifts });
    }
  });
}
