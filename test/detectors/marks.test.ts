import { test } from 'tap';
import { CONFIG_FILES } from '../../bench/detection/config-files.ts';
import { stringsOf } from '../../bench/detection/floors.ts';
import { MAKERS } from '../../bench/detection/harmless.ts';
import { LOGS } from '../../bench/detection/logs.ts';
import { CONTEXTS, grouped, NATIONAL_IDS } from '../../bench/detection/national-ids.ts';
import { OBFUSCATIONS, VALUES } from '../../bench/detection/obfuscations.ts';
import { Random } from '../../bench/detection/random.ts';
import { ASSIGNMENTS, COMMANDS, HARMLESS, SENTENCES } from '../../bench/detection/secret-forms.ts';
import { BY_FORM, BY_NAME, LABELS } from '../../bench/detection/vendor-formats.ts';
import { createDetector } from '../../src/detectors/index.ts';
import { kinds } from '../../src/detectors/kinds/index.ts';

// Texts are read sign by sign or, where they are long, by their marks: what is found must not depend on it.

const PAIRS = (['balanced', 'strict'] as const).map((sensitivity) => [
  createDetector({ sensitivity }, Number.POSITIVE_INFINITY),
  createDetector({ sensitivity }, 0),
]);
const detector = createDetector();
const r = new Random(41);

const passwords = ['hunter2', 'correct-horse-battery', 'Tr0ub4dor&3'];
const label = LABELS[0] as (vendor: string) => string;
const SAMPLES: Readonly<Record<string, () => unknown>> = {
  'examples of all kinds': () => kinds.flatMap(({ docs }) => [docs.found, docs.missed]),
  'national identifiers': () =>
    NATIONAL_IDS.flatMap((id) =>
      Object.values(CONTEXTS).map((write) => write(id, grouped(id, id.values[0] as string))),
    ),
  'tokens by form': () => BY_FORM.flatMap(([, make]) => [make(r), `see (${make(r)}).`, `x-${make(r)},`]),
  'tokens by label': () =>
    BY_NAME.flatMap(([name, make]) => ASSIGNMENTS.map((assign) => assign(label(name), make(r)))),
  passwords: () =>
    passwords.flatMap((value) => [
      ...[...COMMANDS, ...SENTENCES, ...Object.values(CONFIG_FILES)].map((write) => write(value)),
      ...ASSIGNMENTS.map((assign) => assign('db_password', value)),
    ]),
  obfuscations: () =>
    Object.values(VALUES).flatMap((value) => Object.values(OBFUSCATIONS).map((hide) => hide(value))),
  'harmless texts': () => [
    HARMLESS,
    Object.values(LOGS).map((write) => write(r)),
    Object.values(MAKERS).map((make) => make(r)),
  ],
};

for (const [name, make] of Object.entries(SAMPLES)) {
  test(`${name}: marks change nothing`, async (t) => {
    const texts = stringsOf(make());
    t.ok(texts.length > 20, String(texts.length));
    for (const text of texts) {
      for (const [plain, marked] of PAIRS) {
        const found = plain?.scan({ text }).detections();
        const others = marked?.scan({ text }).detections();
        if (JSON.stringify(found) !== JSON.stringify(others)) t.same(others, found, JSON.stringify(text));
      }
    }
    // all in one: sign by sign, a word at an odd place may be noticed behind the end of what was found before
    const all = { text: texts.join('\n') };
    for (const [plain, marked] of PAIRS) {
      const others = new Set(
        marked
          ?.scan(all)
          .detections()
          .map((one) => JSON.stringify(one)),
      );
      const missed = plain
        ?.scan(all)
        .detections()
        .filter((one) => !others.has(JSON.stringify(one)));
      t.same(missed, []);
    }
  });
}

const VALUE = ' card 4111 1111 1111 1111, mail jane.doe@example.com, db_password=hunter2';
const FOUND = ['CREDIT_CARD', 'EMAIL_ADDRESS', 'PASSWORD'];

test('values are found wherever they stand to blocks of 32 bytes and to what is read at once', async (t) => {
  for (const around of [256, 16_384, 32_768]) {
    for (let before = around - 120; before < around + 40; before++) {
      const text = 'a'.repeat(before) + VALUE;
      const types = detector
        .scan({ text })
        .detections()
        .map(({ tag }) => tag);
      if (String(types.toSorted()) !== String(FOUND)) t.same(types, FOUND, `after ${before} letters`);
    }
  }
});

test('nothing of a longer text before is seen behind the end of a shorter one', async (t) => {
  detector.scan({ text: `${'a '.repeat(400)}${'4111111111111111 '.repeat(60)}` });
  for (let size = 256; size < 330; size++) t.same(detector.scan({ text: 'a'.repeat(size) }).tags, []);
});

test('a long text of letters alone may be a seed phrase', async (t) => {
  const words = 'abandon ability able about above absent absorb abstract absurd abuse access accident'.split(
    ' ',
  );
  const phrase = [...words, ...words].join('  ');
  t.ok(phrase.length > 150);
  t.same(detector.scan({ phrase: `${phrase}${' '.repeat(120)}` }).tags, detector.scan({ phrase }).tags);
});

test('a token is found whatever character of its alphabet stands behind its prefix', async (t) => {
  const body = 'qQLmn7keY5JN06Mhy9wR3USpFI0ye9ORQEXCfTOEBXN0Alm7Oxa4q1264m5p9n712dBKkPr8ZwyWwUml5lpUG7';
  for (const first of '+/=.-_a7')
    for (const prefix of ['glc_', 'sntrys_']) {
      const text = `${prefix}${first}${body}${' '.repeat(300)}`;
      const found = PAIRS.map((pair) => pair.map((one) => one.scan({ text }).detections()));
      t.same(found[0]?.[1], found[0]?.[0], text);
    }
});

test('texts of nothing but words and digits that are listed leave room for what is found behind them', async (t) => {
  for (const piece of ['key', '密码', '(at)', '1a '])
    for (const size of [16_384, 33_000]) {
      const text = piece.repeat(size).slice(0, size) + VALUE;
      const types = detector.scan({ text }).tags;
      for (const type of FOUND) t.ok(types.includes(type), `${type} after ${piece}`);
    }
});
