import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import t from 'tap';
import { everyPage } from '../every-page.ts';
import { openPictured, picture, startPictured, viewports } from '../pictures.ts';

// takes long: begins first

// The ten most important pages look as they did. After a change that is meant, look at build/screenshots-changed, and write them anew:
// SCREENSHOTS=anew npm run test:slow -- console test/console/browsers/screenshots.browser.mjs

const pages = ['now', 'reviews', 'evaluation', 'session', 'policies', 'policy', 'integrations', 'violations'];
const names = [...pages, 'record', 'start'];
/** A desk at half its size: 1440 pixels of text are 100 KB. */
const sizes = { 1440: { deviceScaleFactor: 0.5 }, 390: {} };

const kept = join(import.meta.dirname, 'screenshots');
const changed = join(import.meta.dirname, '../../../build/screenshots-changed');
const isAnew = process.env.SCREENSHOTS === 'anew';

/** Pixels that may differ, of 329,160 or 324,000. The same browser draws the same: this is for another version of a library. */
const mostPixels = 60;
/** Colours that a person could not tell apart: a token that changes by one step of a channel is not seen, by three it is. */
const threshold = 0.01;

const write = (file, png) => writeFileSync(file, PNG.sync.write(png, { colorType: 2, deflateLevel: 9 }));

/** Pixels that differ. The new picture and the differences are then in `changed`. */
function differing(file, taken) {
  const before = PNG.sync.read(readFileSync(join(kept, file)));
  const { width, height } = before;
  if (taken.width !== width || taken.height !== height) return width * height;
  const differences = new PNG({ width, height });
  const options = { threshold, includeAA: true };
  const pixels = pixelmatch(before.data, taken.data, differences.data, width, height, options);
  if (pixels > mostPixels) {
    write(join(changed, file), taken);
    write(join(changed, file.replace('.png', '-differences.png')), differences);
  }
  return pixels;
}

t.test('the ten most important pages look as they did, in both themes, on a desk and a phone', async (t) => {
  rmSync(changed, { recursive: true, force: true });
  for (const folder of [kept, changed]) mkdirSync(folder, { recursive: true });
  const { app, scene } = await startPictured(t);
  const cases = everyPage(scene).filter(({ name }) => names.includes(name));
  const files = [];
  for (const [width, scale] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await openPictured(t, app, { viewport: viewports[width], colorScheme, ...scale });
      for (const one of cases) {
        const file = `${one.name}-${width}-${colorScheme}.png`;
        files.push(file);
        const taken = PNG.sync.read(await picture(page, app, one));
        if (isAnew) write(join(kept, file), taken);
        const pixels = differing(file, taken);
        t.ok(pixels <= mostPixels, `${pixels} pixels of ${file} differ: see build/screenshots-changed`);
      }
      await page.context().close();
    }
  }
  t.strictSame(files.sort(), readdirSync(kept).sort());
});
