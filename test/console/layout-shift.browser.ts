import t from 'tap';
import { openPage, settled, signIn, startConsoleApp } from './browser.ts';
import { everyPage } from './every-page.ts';
import { playScene } from './scene.ts';

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

const app = await startConsoleApp(t);
const scene = await playScene(app);

for (const [name, viewport] of Object.entries(viewports)) {
  t.test(`no page moves what is shown while it loads: ${name}`, async (t) => {
    const { page, context } = await openPage(t, app, { viewport });
    await signIn(page, app.url);
    await page.addInitScript({ content: watch });
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    for (const { name, path, ready } of everyPage(scene)) {
      await page.goto(app.url + path);
      await page.locator('main').getByText(ready).filter({ visible: true }).first().waitFor();
      await settled(page);
      const shifts = (await page.evaluate('shifts')) as Shift[];
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      t.ok(sum <= most, `${name}: ${sum.toFixed(3)}`, { shifts });
    }
  });
}
