import type { Page } from 'playwright-core';
import t from 'tap';
import { signedIn, startConsoleApp } from './browser.ts';

/** Milliseconds for which the main thread of a page has had a processor: what others take from it is not counted. */
async function busyTime(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}

/** Scrolls the timeline from one part of its height to another in ten frames. Resolves with the most rows that were there. */
async function scroll(page: Page, from: number, to: number): Promise<number> {
  return (await page.evaluate(`(async () => {
    const element = document.querySelector('.virtual');
    let rows = 0;
    for (let frame = 1; frame <= 10; frame++) {
      element.scrollTop = element.scrollHeight * (${from} + (${to - from} * frame) / 10);
      await new Promise(requestAnimationFrame);
      rows = Math.max(rows, element.querySelectorAll('li').length);
    }
    return rows;
  })()`)) as number;
}

t.test('a session of 10,000 actions scrolls smoothly, and is printed whole', async (t) => {
  const app = await startConsoleApp(t, { ASSIZE_RATE_LIMIT_INTEGRATION: '0' });
  const { key } = await app.integration('AGENT');
  const act = (n: number) =>
    app.call(key, 'POST', '/v1/evaluate', { externalSessionId: 'long', input: { tool: `tool.${n % 7}`, n } });
  const { body } = await act(0);
  t.equal(body.data.enforcementAction, 'ALLOW');
  for (let n = 1; n < 10_000; n += 50) {
    await Promise.all(Array.from({ length: Math.min(50, 10_000 - n) }, (_, place) => act(n + place)));
  }
  const { page, faults } = await signedIn(t, app, `/console/sessions/${body.data.sessionId}`);
  await page
    .getByText(/^10,000/)
    .first()
    .waitFor();
  const list = page.getByRole('region', { name: 'Timeline' });
  await list.getByRole('listitem').first().waitFor();
  // From the end to the beginning and back, in stretches of ten frames.
  const busy = await busyTime(page);
  const costs: number[] = [];
  let rows = 0;
  for (let stretch = -12; stretch < 12; stretch++) {
    const before = await busy();
    rows = Math.max(rows, await scroll(page, Math.abs(stretch) / 12, Math.abs(stretch + 1) / 12));
    costs.push(((await busy()) - before) / 10);
  }
  costs.sort((a, b) => a - b);
  const median = costs[12] ?? Number.NaN;
  const worst = costs[23] ?? Number.NaN;
  t.comment(`a frame costs ${median.toFixed(1)} ms, at worst ${worst.toFixed(1)} ms; rows at once ${rows}`);
  t.ok(median <= 34, 'thirty frames a second');
  t.ok(worst <= 100, 'no frame that an eye sees as a halt');
  t.ok(rows < 100, 'only the rows in sight exist');
  // What is scrolled to is there.
  await page.evaluate("document.querySelector('.virtual').scrollTop = 0");
  await list.getByRole('listitem').filter({ hasText: 'tool.0' }).first().waitFor();
  await page.evaluate(`window.print = () => {
    window.printed = { rows: document.querySelectorAll('.virtual > ol > li').length, loading: document.querySelectorAll('.waiting-row').length };
    dispatchEvent(new Event('afterprint'));
  }`);
  await page.getByRole('button', { name: 'Print' }).click();
  t.strictSame(await (await page.waitForFunction('window.printed')).jsonValue(), {
    rows: 10_000,
    loading: 0,
  });
  await page.waitForFunction("document.querySelectorAll('.virtual > ol > li').length < 100");
  t.strictSame(faults, []);
});
