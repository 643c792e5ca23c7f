import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isShort } from '../../bench/measure.ts';
import { closeBrowser } from '../../test/console/browser.ts';
import { everyPage } from '../../test/console/every-page.ts';
import { openPictured, picture, startPictured, viewports } from '../../test/console/pictures.ts';

// Pictures of every page of the console, in both themes, on a desk, a tablet and a phone: npm run docs -- screenshots [folder [page…]]
const [folder = join(import.meta.dirname, '../../build/screenshots'), ...names] = process.argv.slice(2);

const teardowns: (() => unknown)[] = [];
const lifetime = { teardown: (done: () => unknown) => void teardowns.unshift(done) };
mkdirSync(folder, { recursive: true });
const { app, scene } = await startPictured(lifetime);
for (const [width, viewport] of Object.entries(viewports).slice(0, isShort ? 1 : 3)) {
  for (const colorScheme of isShort ? (['light'] as const) : (['light', 'dark'] as const)) {
    const page = await openPictured(lifetime, app, { viewport, colorScheme });
    for (const one of everyPage(scene)) {
      if (names.length > 0 && !names.includes(one.name)) continue;
      writeFileSync(join(folder, `${one.name}-${width}-${colorScheme}.png`), await picture(page, app, one));
    }
  }
}
await closeBrowser();
for (const done of teardowns) await done();
