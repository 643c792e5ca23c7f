import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { table } from '../../scripts/docs/data-tags-table.ts';
import { equivalentNames } from '../../scripts/docs/equivalent-names.ts';
import { createDetector, taxonomy } from '../../src/detectors/index.ts';
import { documentation } from '../../src/detectors/kinds/documentation.ts';
import { kinds, tagId } from '../../src/detectors/kinds/taxonomy.ts';
import * as A from '../../src/detectors/tokens/randomness.ts';
import { vendorTokens } from '../../src/detectors/tokens/vendor-tokens.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/data-tags.md'), 'utf8');
const cells = (start: RegExp): string[][] =>
  page
    .split('\n')
    .filter((line) => start.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
const optIn = taxonomy.filter((info) => info.optIn).map(({ tag }) => tag);
const detector = createDetector({ enabledTags: optIn });

test('the page has the table that the records give', async (t) => {
  t.ok(page.includes(`\n${table}\n`), 'replace it with what npm run -s docs -- data-tags prints');
  t.ok(page.includes(`\n${equivalentNames}\n`), 'the second table that it prints');
});

test('each kind has one row of documentation', async (t) => {
  t.same(
    [...documentation.keys()],
    kinds.map(({ tag }) => tag),
  );
});

for (const { tag, isRecognized } of kinds) {
  const docs = documentation.get(tag);
  if (docs === undefined) continue;
  if (isRecognized) {
    test(`${tag}: no pattern finds the example`, async (t) => {
      t.notOk(detector.scan(docs.found).tags.includes(tag));
    });
    continue;
  }

  test(`${tag}: the example is found, nothing of it stays, the near miss is not found`, async (t) => {
    const scan = detector.scan(docs.found);
    t.ok(scan.tags.includes(tag), JSON.stringify(docs.found));
    for (const finding of scan.detections().filter((f) => f.tag === tag))
      t.ok(docs.strength.includes(finding.strength), finding.strength);
    t.notOk(detector.scan(scan.redacted()).tags.includes(tag), JSON.stringify(scan.redacted()));
    t.notOk(detector.scan(docs.missed).tags.includes(tag), JSON.stringify(docs.missed));
  });
}

const CHARACTERS: Readonly<Record<number, string>> = {
  [A.LOWER_HEX]: '0-9 a-f',
  [A.ANY_HEX]: '0-9 a-f A-F',
  [A.UPPER_DIGIT]: '0-9 A-Z',
  [A.LOWER_DIGIT]: '0-9 a-z',
  [A.ALPHANUMERIC]: '0-9 A-Z a-z',
  [A.WORD]: '0-9 A-Z a-z _',
  [A.BASE64_URL]: '0-9 A-Z a-z _ -',
  [A.BASE64]: '0-9 A-Z a-z + /',
  [A.DOTTED]: '0-9 A-Z a-z _ - . =',
  [A.PADDED]: '0-9 A-Z a-z _ - . = + /',
  [A.DOLLARED]: '0-9 A-Z a-z $',
};
const vendorRows = cells(/^\| `/)
  .filter((row) => row.length === 4)
  .flatMap(([prefixes = '', tag = '', then = '', source = '']) =>
    prefixes.split(', ').map((prefix) => ({ format: [prefix.slice(1, -1), tag, then].join(' | '), source })),
  );

test('the page has the format of every vendor token that is looked for, and no other', async (t) => {
  const inCode = vendorTokens.map(({ prefix, tag, min, max, alphabet }) => {
    const size = min === max ? `${min}` : `${min} to ${max}`;
    return [prefix, taxonomy[tag]?.tag, `${size} of ${CHARACTERS[alphabet]}`].join(' | ');
  });
  t.same(vendorRows.map(({ format }) => format).sort(), inCode.sort());
});

test('every vendor token has a source or says that none was found, and the page counts them', async (t) => {
  const NONE = 'seen in the field, no public page found';
  t.same(
    vendorRows.filter(({ source }) => source !== NONE && !/^https:\/\/[^ ]+( \([^()]+\))?$/.test(source)),
    [],
  );
  const sourced = vendorRows.filter(({ source }) => source !== NONE).length;
  t.ok(page.includes(`${sourced} of ${vendorRows.length} prefixes have a page`));
  t.ok(page.includes(`the ${vendorRows.length - sourced} prefixes without a page`));
});

test('a name that is no tag is refused where it is used', async (t) => {
  t.throws(() => tagId('NO_SUCH_TAG'), RangeError);
});
