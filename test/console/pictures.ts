import type { BrowserContextOptions, Page } from 'playwright-core';
import { createClock, type Lifetime } from '../helpers/app.ts';
import { type ConsoleApp, follow, settled, signedIn, startConsoleApp } from './browser.ts';
import type { ConsolePageCase } from './every-page.ts';
import { playScene, type Scene } from './scene.ts';

// The console as it is pictured: the same scene at the same times in the same letters, so that two pictures differ only where the
// console does.

export const viewports = {
  1440: { width: 1440, height: 900 },
  1024: { width: 1024, height: 768 },
  390: { width: 390, height: 844 },
} as const;

/** Between two requests of the scene: lists are in the order in which it was played. */
const stepMs = 7_000;

export interface PicturedScene {
  app: ConsoleApp;
  scene: Scene;
}

export async function startPictured(t: Lifetime): Promise<PicturedScene> {
  const clock = createClock(Date.parse('2030-01-15T10:40:00.000Z'));
  const app = await startConsoleApp(t, {}, { clock });
  const stepping =
    <Given extends unknown[], Result>(run: (...given: Given) => Result) =>
    (...given: Given): Result => {
      clock.advance(stepMs);
      return run(...given);
    };
  const scene = await playScene({
    ...app,
    call: stepping(app.call),
    integration: stepping(app.integration),
    policy: stepping(app.policy),
  });
  return { app, scene };
}

/** One, because how many were signed depends on how long the scene took. */
const signedRoots = {
  success: true,
  data: [
    {
      seq: 1,
      at: '2030-01-15T10:41:00.000Z',
      treeSize: 3,
      keyId: '0'.repeat(64),
      hash: '0'.repeat(64),
      rootHash: '0'.repeat(64),
      previous: '0'.repeat(64),
      signature: '',
    },
  ],
  pagination: { total: 1, page: 1, size: 50 },
};

/** A page that is signed in, whose clock stands still. */
export async function openPictured(
  t: Lifetime,
  app: ConsoleApp,
  options: BrowserContextOptions,
): Promise<Page> {
  const { page } = await signedIn(t, app, '/console/', {
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    ...options,
  });
  await page.clock.setFixedTime(app.clock.now());
  await page.route('**/v1/record/roots*', (route) => route.fulfill({ json: signedRoots }));
  await page.addInitScript({
    content: `document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.setProperty('--sans', '"Liberation Sans", sans-serif');
      document.documentElement.style.setProperty('--mono', '"Liberation Mono", monospace');
    })`,
  });
  return page;
}

/** What is random, or measured, becomes the same text of the same length. */
const steady = `(() => {
  const digits = (text) => [...text].map((_, place) => (place % 10).toString()).join('');
  const changes = [
    [/\\b[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}\\b/g, () => '01234567-89ab-7cde-8f01-23456789abcd'],
    [/^(…?)[\\da-f]{8}$/, (_, dots) => dots + '01234567'],
    [/\\b[\\da-f]{12,64}\\b/g, digits],
    [/\\basz_[\\w-]+/g, (key) => key.slice(0, 9) + digits(key.slice(9))],
    [/(ends in ).+/g, (_, words) => words + '0123'],
    [/\\b[\\d.,]+ ms\\b/g, () => '12.3 ms'],
  ];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { data } = nodes.currentNode;
    const next = changes.reduce((text, [pattern, change]) => text.replace(pattern, change), data);
    if (next !== data) nodes.currentNode.data = next;
  }
})()`;

/** Opens a page of the console, and pictures what is in the window. */
export async function picture(
  page: Page,
  { url }: ConsoleApp,
  { path, ready }: ConsolePageCase,
): Promise<Buffer> {
  await follow(page, url + path);
  await page.locator('main').getByText(ready).filter({ visible: true }).first().waitFor();
  await settled(page);
  await page.evaluate(steady);
  return await page.screenshot({ animations: 'disabled' });
}
