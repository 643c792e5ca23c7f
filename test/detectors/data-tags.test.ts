import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { createDetector, taxonomy } from '../../src/detectors/index.ts';
import { tagId } from '../../src/detectors/taxonomy.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/data-tags.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| [A-Z][A-Z0-9_]+ +\|/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
const optIn = taxonomy.filter((info) => info.optIn).map(({ tag }) => tag);
const detector = createDetector({ enabledTags: optIn });

const exampleOf = (cell = ''): unknown => JSON.parse(cell.slice(1, -1));

test('the page has every tag of the taxonomy, in order, with its categories', async (t) => {
  t.same(
    rows.map(([tag = '', categories = '']) => [tag, categories.split(', ')]).sort(),
    taxonomy.map(({ tag, categories }) => [tag, [...categories]]).sort(),
  );
});

for (const [tag = '', , , strengths = '', found, missed] of rows) {
  test(`${tag}: the example is found, nothing of it stays, the near miss is not found`, async (t) => {
    const scan = detector.scan(exampleOf(found));
    t.ok(scan.tags.includes(tag), String(found));
    for (const finding of scan.findings().filter((f) => f.tag === tag)) {
      t.ok(strengths.split(', ').includes(finding.strength), finding.strength);
    }
    t.notOk(detector.scan(scan.redacted()).tags.includes(tag), JSON.stringify(scan.redacted()));
    t.notOk(detector.scan(exampleOf(missed)).tags.includes(tag), String(missed));
  });
}

test('a name that is no tag is refused where it is used', async (t) => {
  t.throws(() => tagId('NO_SUCH_TAG'), RangeError);
});
