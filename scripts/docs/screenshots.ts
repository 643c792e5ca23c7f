import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isShort } from '../../bench/measure.ts';
import { closeBrowser, signedIn, startConsoleApp } from '../../test/console/browser.ts';
import { everyPage } from '../../test/console/every-page.ts';
import { playScene } from '../../test/console/scene.ts';

// Pictures of every page of the console, in both themes, on a desk, a tablet and a phone: npm run docs -- screenshots [folder [page…]]
const [folder = join(import.meta.dirname, '../../build/screenshots'), ...names] = process.argv.slice(2);
const viewports = {
  1440: { width: 1440, height: 900 },
  1024: { width: 1024, height: 768 },
  390: { width: 390, height: 844 },
};

const teardowns: (() => unknown)[] = [];
const lifetime = { teardown: (done: () => unknown) => void teardowns.unshift(done) };
mkdirSync(folder, { recursive: true });
const app = await startConsoleApp(lifetime);
const scene = await playScene(app);
for (const [width, viewport] of Object.entries(viewports).slice(0, isShort ? 1 : 3)) {
  for (const colorScheme of isShort ? (['light'] as const) : (['light', 'dark'] as const)) {
    const { page } = await signedIn(lifetime, app, '/console/', {
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
    });
    for (const { name, path, ready } of everyPage(scene)) {
      if (names.length > 0 && !names.includes(name)) continue;
      await page.goto(app.url + path);
      await page.locator('main').getByText(ready).filter({ visible: true }).first().waitFor();
      // Fonts, and what loads after the first entry.
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
  }
}
await closeBrowser();
for (const done of teardowns) await done();
