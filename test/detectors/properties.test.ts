import { test } from 'tap';
import { Random } from '../../bench/detection/random.ts';
import { createDetector } from '../../src/detectors/index.ts';
import { LETTERED } from './lettered-values.ts';
import { CHECKED, KINDS } from './values.ts';

const balanced = createDetector();
const strict = createDetector({ sensitivity: 'strict' });
const ROUNDS = 40;

/** Another character of the same kind. */
function another(r: Random, c: string): string {
  const all = /\d/.test(c) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  return r.pick([...all.replace(c, '')]);
}

for (const { tag, word, make, forms } of [...KINDS, ...LETTERED]) {
  test(`${tag}, called ${word}: every valid value, in each written form, is found beside its word and masked whole`, async (t) => {
    const r = new Random(tag.length * 7919);
    for (let round = 0; round < ROUNDS; round++) {
      const value = make(r);
      for (const form of forms) {
        const text = `the ${word} is ${form(value)}, thanks`;
        const finding = balanced
          .scan({ note: text })
          .detections()
          .find((f) => f.tag === tag);
        if (finding === undefined) return t.fail(`${tag} ${JSON.stringify(text)}`);
        const found = text.slice(finding.start, finding.end);
        if (found !== form(value)) return t.equal(found, form(value));
        const redacted = JSON.stringify(balanced.scan({ note: text }).redacted());
        if (redacted.includes(form(value))) return t.fail(`${redacted} still has the value`);
      }
    }
    return t.pass();
  });
}

for (const { tag, word, make, forms } of [...CHECKED, ...LETTERED]) {
  test(`${tag}, called ${word}: no value whose last character was changed is found, however it is written`, async (t) => {
    const r = new Random(tag.length * 104_729);
    for (let round = 0; round < ROUNDS; round++) {
      const value = make(r);
      const changed = value.slice(0, -1) + another(r, value.at(-1) as string);
      for (const form of forms) {
        const input = { note: `the ${word} is ${form(changed)}` };
        for (const detector of [balanced, strict]) {
          if (detector.scan(input).tags.includes(tag)) return t.fail(JSON.stringify(input));
        }
      }
    }
    return t.pass();
  });
}

test('what was masked is not found again, whatever stood beside it', async (t) => {
  const r = new Random(11);
  for (let round = 0; round < 300; round++) {
    const parts = Array.from({ length: 6 }, () => {
      const kind = r.pick(KINDS);
      return `${kind.word}: ${r.pick(kind.forms)(kind.make(r))}`;
    });
    const input = {
      [`${r.pick(['a', 'note', 'data'])}`]: parts.join(r.pick(['\n', '; ', ', '])),
      list: parts,
    };
    const again = balanced.scan(balanced.scan(input).redacted());
    if (again.tags.length > 0) return t.same(again.tags, [], JSON.stringify(input));
  }
  return t.pass();
});
