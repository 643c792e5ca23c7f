import { test } from 'tap';
import { LabelEndings } from '../../src/detectors/labels/classifier.ts';

const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from([...`\0\0\0\0${text}`].map((c) => c.charCodeAt(0)));

function fits(word: string, text: string): boolean {
  const b = bytesOf(text);
  return new LabelEndings([word]).fits(b, b.length);
}

test('the last four letters tell that a word is no label', async (t) => {
  t.ok(fits('zip_code', 'zipcode'));
  t.ok(fits('zip_code', 'ZIP CODE'));
  t.ok(fits('zip_code', 'zip_code_2'));
  t.ok(fits('zip_code', 'zip_code_02'));
  t.notOk(fits('zip_code', 'anode'));
  t.notOk(fits('zip_code', 'zip'));
});

test('anything may stand before a short word, and digits may inside it', async (t) => {
  t.ok(fits('key', 'the key'));
  t.ok(fits('key', 'key'));
  t.ok(fits('icd10', 'icd10'));
});
