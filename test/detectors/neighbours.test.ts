import { test } from 'tap';
import { Random } from '../../bench/detection/random.ts';
import { createDetector } from '../../src/detectors/index.ts';
import { LETTERED } from './lettered-values.ts';
import { KINDS, type Kind } from './values.ts';

const fixed = (tag: string, word: string, ...values: string[]): Kind => ({
  tag,
  word,
  make: (r) => r.pick(values),
  forms: [(v) => v],
});

/** Kinds without a check digit. */
const UNCHECKED: readonly Kind[] = [
  fixed(
    'PHONE_NUMBER',
    'phone',
    '+1 415 555 0132',
    '+14155550132',
    '(415) 555-0132',
    '415-555-0132',
    '415.555.0132',
    '4155550132',
    '+44 20 7123 4567',
  ),
  fixed('US_ITIN', 'itin', '911-70-1234', '911701234'),
  fixed(
    'IP_ADDRESS',
    'address',
    '192.168.1.17',
    '8.8.8.8',
    '10.0.0.0/8',
    '2001:db8::17',
    'fe80::1ff:fe23:4567:890a',
  ),
  fixed('MAC_ADDRESS', 'device', '00:1b:63:84:45:e6', '00-1B-63-84-45-E6', '001b.6384.45e6'),
  fixed('DATE_OF_BIRTH', 'dob', '1984-03-05', '05.03.1984', '3/5/1984', '12 May 1984', '12-MAY-1984'),
  fixed('KR_RRN', 'rrn', '960121-1234567'),
  fixed('TH_TNIN', 'tnin', '1-2345-67890-12-1'),
  fixed('IN_AADHAAR', 'aadhaar', '3123 4567 8909'),
  fixed('US_PASSPORT', 'passport', '912803456', 'A12803456'),
  fixed('US_BANK_NUMBER', 'account number', '945456787'),
  fixed('MRN', 'mrn', '94545678', 'A1234567'),
];

const BEFORE = [
  '7,',
  '7, ',
  '7;',
  '7|',
  '7\t',
  "7,'",
  '7,"',
  '(7,',
  '7,(',
  '[7,',
  '{',
  '<',
  "'",
  '"',
  '(',
  '[',
  ',',
  ';',
  '|',
  '\t',
  '=',
  '\n',
  '7\n',
  'x,',
  '12,7,',
  '-1,',
  '1.5,',
];
const AFTER = [
  ',7',
  ', 7',
  ';7',
  '|7',
  '\t7',
  "',7",
  '",7',
  ',7)',
  ')',
  '),(8',
  ']',
  '}',
  '>',
  "'",
  '"',
  ',',
  ';',
  '|',
  '\t',
  '.',
  '. 7',
  '\n7',
  ',x',
  ',1.5',
  ',-1',
  ',12,7',
  '',
];

for (const sensitivity of ['balanced', 'strict'] as const) {
  const detector = createDetector({ sensitivity });
  for (const { tag, word, make, forms } of [...KINDS, ...LETTERED, ...UNCHECKED]) {
    test(`${sensitivity}: ${tag}, called ${word}, is found and masked whole beside every separator`, async (t) => {
      const r = new Random(tag.length * 31);
      const key = word.replaceAll(' ', '_');
      const missed = new Set<string>();
      for (const before of BEFORE) {
        for (const after of AFTER) {
          for (const form of forms) {
            const value = form(make(r));
            const text = before + value + after;
            const scan = detector.scan({ [key]: text });
            const left = (scan.redacted() as Record<string, string>)[key];
            const isWhole =
              left?.startsWith(`${before}[`) &&
              left.endsWith(`]${after}`) &&
              !left.includes(value.slice(0, 4));
            if (!isWhole || !scan.tags.includes(tag)) missed.add(JSON.stringify([text, left]));
          }
        }
      }
      t.same([...missed].slice(0, 12), [], `${missed.size} missed`);
    });
  }
}

test('thousands separators, decimals and amounts stay harmless beside commas', async (t) => {
  for (const text of [
    '1,234,567 and 12,345,678.90 of 1,234,567,890,123,456 bytes',
    '3,14159265358979 and 0.4111111111111111 and 2.71828,3.14159',
    'call us about 12,345,678 units or 1 234 567,89 or 1.234.567,8',
    'the phone is at 52.520008,13.404954',
    'account 1 234 567,89',
    '[1,22,333,4444,55555,666666,7777777]',
    'rgb(12,34,56,78) 0,1,1,2,3,5,8,13,21,34,55,89,144,233,377,610,987,1597,2584,4181,6765',
  ]) {
    t.same(createDetector().scan({ text }).tags, [], text);
    t.same(createDetector().scan({ rows: [text, text] }).tags, [], text);
  }
});

test('every number of a row of fields is found and masked', async (t) => {
  const detector = createDetector();
  const rows = [
    ['1,4111111111111111,Jane', '1,[CREDIT_CARD],Jane'],
    ['5,536-22-1847', '5,[US_SSN]'],
    [
      "INSERT INTO t VALUES (7,4111111111111111,'536-22-1847'),(8,5555555555554444,NULL)",
      "INSERT INTO t VALUES (7,[CREDIT_CARD],'[US_SSN]'),(8,[CREDIT_CARD],NULL)",
    ],
    [
      '4111111111111111,5555555555554444,536-22-1847,415-555-0132,10.1.2.3',
      '[CREDIT_CARD],[CREDIT_CARD],[US_SSN],[PHONE_NUMBER],[IP_ADDRESS]',
    ],
  ] as const;
  for (const [text, masked] of rows) t.equal(detector.scan({ text }).redacted()?.['text' as never], masked);
});
