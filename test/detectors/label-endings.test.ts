import { test } from 'tap';
import { LabelEndings } from '../../src/detectors/secrets/label-endings.ts';

const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from([...`\0\0\0\0${text}`].map((c) => c.charCodeAt(0)));

function fits(pattern: RegExp, text: string): boolean {
  const endings = new LabelEndings([pattern], []);
  const b = bytesOf(text);
  const inText = endings.fits(b, b.length);
  return inText && endings.fitsKey(text) === inText;
}

test('the last four letters tell that a word is no label', async (t) => {
  t.ok(fits(/(?:^|_)zip_?codes?$/, 'zipcode'));
  t.ok(fits(/(?:^|_)zip_?codes?$/, 'ZIP CODES'));
  t.ok(fits(/(?:^|_)zip_?codes?$/, 'zip_code_2'));
  t.notOk(fits(/(?:^|_)zip_?codes?$/, 'anode'));
  t.notOk(fits(/(?:^|_)zip_?codes?$/, 'zip'));
});

test('anything may stand before a short word, and digits may inside it', async (t) => {
  t.ok(fits(/(?:^|_)key$/, 'the key'));
  t.ok(fits(/(?:^|_)key$/, 'key'));
  t.ok(fits(/(?:^|_)md5key$/, 'md5key'));
  t.ok(fits(/(?:^|_)icd(?:_?10)?$/, 'icd10'));
});
