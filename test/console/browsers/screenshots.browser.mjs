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

const pages = ['now', 'reviews', 'evaluation', 'session', 'policies', 'integrations', 'violations'];
const names = [...pages, 'record', 'start'];
/** The policy page shows it, and no starter policy: those change for reasons of their own. */
const policy = `# Lookups cost money: a session has ten of them.
schemaVersion: 1
name: lookup-limit
description: Holds what a session looks up after its tenth lookup

params:
  lookups: 10

counters:
  lookups: { over: session, per: tool }

rules:
  - id: many-lookups
    name: Many lookups
    when: tool == "crm.lookup" && counters.lookups[tool] > params.lookups
    effect: APPROVAL_REQUIRED
    severity: MEDIUM
    message: the session has looked up more than ten customers

tests:
  - name: a first lookup is allowed
    given: { tool: crm.lookup }
    expect: { enforcementAction: ALLOW }
  - name: another tool is not counted
    given: { tool: email.send }
    expect: { enforcementAction: ALLOW }
`;
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
  const files = [];
  async function compare(page, look, one) {
    const file = `${one.name}-${look}.png`;
    files.push(file);
    const taken = PNG.sync.read(await picture(page, app, one));
    if (isAnew) write(join(kept, file), taken);
    const pixels = differing(file, taken);
    t.ok(pixels <= mostPixels, `${pixels} pixels of ${file} differ: see build/screenshots-changed`);
  }
  const looks = new Map();
  for (const [width, scale] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await openPictured(t, app, { viewport: viewports[width], colorScheme, ...scale });
      looks.set(`${width}-${colorScheme}`, page);
    }
  }
  const cases = everyPage(scene).filter(({ name }) => names.includes(name));
  for (const [look, page] of looks) for (const one of cases) await compare(page, look, one);
  // Last, as lists have it from then on.
  const policyId = await app.policy(scene.integrationId, policy);
  const policyPage = everyPage({ ...scene, policyId }).find(({ name }) => name === 'policy');
  for (const [look, page] of looks) await compare(page, look, policyPage);
  t.strictSame(files.sort(), readdirSync(kept).sort());
});
