import { test } from 'tap';
import { Random } from '../../bench/detection/random.ts';
import { createDetector } from '../../src/detectors/index.ts';
import { taxonomy } from '../../src/detectors/kinds/taxonomy.ts';
import { ALPHABET, DOTTED } from '../../src/detectors/tokens/randomness.ts';
import { type VendorToken, vendorTokens } from '../../src/detectors/tokens/vendor-tokens.ts';

const detector = createDetector();
const ROUNDS = 40;

function charactersOf(alphabet: number): string {
  const all = Array.from({ length: 128 }, (_, c) => String.fromCharCode(c));
  // dots and equals signs stand at certain places only
  return all
    .filter((c, i) => (ALPHABET[i] as number) & alphabet && !(alphabet === DOTTED && '.='.includes(c)))
    .join('');
}

/** The tags of the texts found exactly there. */
function tagsOf(value: string): string[] {
  const text = `use ${value} now`;
  const found = detector.scan({ text }).detections();
  return found
    .filter(({ start, end }) => start === 4 && end === 4 + value.length)
    .map(({ tag, strength }) => `${tag} ${strength}`);
}

/** A body that, as nearly all do, has a digit or a dash: a word of letters only is never looked at. */
function bodyOf(r: Random, characters: string, size: number): string {
  for (;;) {
    const body = r.text(characters, size);
    if (/[0-9-]/.test(body)) return body;
  }
}

/** Whether a token of another row may be written with this prefix and that many characters. */
function fitsAnother(token: VendorToken, value: string): boolean {
  return vendorTokens.some((other) => {
    const left = value.length - other.prefix.length;
    return other !== token && value.startsWith(other.prefix) && left >= other.min && left <= other.max;
  });
}

for (const token of vendorTokens) {
  const { prefix, min, max, alphabet } = token;
  const tag = `${taxonomy[token.tag]?.tag} checksum`;

  test(`${prefix}: ${min} to ${max} characters of its alphabet are found, one less or one more is not`, async (t) => {
    const r = new Random(prefix.length * 6151 + min);
    const characters = charactersOf(alphabet);
    for (let round = 0; round < ROUNDS; round++) {
      for (const size of [min, r.int(min, max), max]) {
        const value = prefix + bodyOf(r, characters, size);
        if (!tagsOf(value).includes(tag)) return t.fail(`${value} gives ${tagsOf(value)}`);
      }
      for (const size of [min - 1, max + 1]) {
        const value = prefix + r.text(characters, size);
        if (!fitsAnother(token, value) && tagsOf(value).includes(tag)) return t.fail(`${value} is found`);
      }
    }
    return t.pass();
  });
}
