import { prose } from './harmless.ts';
import { Random } from './random.ts';

/** Builds an input of about `size` characters that is as slow to read as we could think of. */
type Attack = (size: number) => unknown;

const repeat = (piece: string, size: number): string =>
  piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const many = (make: (i: number) => string, size: number): string => {
  let out = '';
  for (let i = 0; out.length < size; i++) out += make(i);
  return out;
};

/** Four letters and digits, others for each `i`: counted up, long texts would have other words than short ones. */
const word = (i: number): string => (36 ** 3 + ((i * 7919) % (36 ** 4 - 36 ** 3))).toString(36);

/** A word in capitals and small letters, as the bits of a number say. */
const spelled = (text: string, bits: number): string =>
  [...text].map((c, k) => ((bits >> k) & 1 ? c.toUpperCase() : c)).join('');

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'members under a word for passwords': (n) => ({
    passwords: [Object.fromEntries(Array.from({ length: n / 12 }, (_, i) => [`k${i}`, `v${i}`]))],
  }),
  'members that hold values': (n) =>
    Object.fromEntries(
      Array.from({ length: n / 20 }, (_, i) => [`${spelled('plaintext', i)}`, word(i)]).concat(
        Array.from({ length: n / 20 }, (_, i) => [`x${i}`, word(i)]),
      ),
    ),
  'members that are degrees': (n) =>
    Object.fromEntries(Array.from({ length: n / 18 }, (_, i) => [`lat_${word(i)}`, 52.5 + i / 1e5])),
  'one digit, one space': (n) => repeat('1 ', n),
  'groups of four': (n) => repeat('4111 ', n),
  'groups of three': (n) => repeat('415 ', n),
  'sixteen digits that fail': (n) => repeat('4111111111111112 ', n),
  'one long run of digits': (n) => repeat('4111111111111111', n),
  'ten digits': (n) => many((i) => `${4_150_000_000 + i} `, n),
  'at signs': (n) => repeat('@', n),
  'addresses without an end': (n) => repeat('a@a.', n),
  'long local parts': (n) => repeat(`${'a.'.repeat(40)}@`, n),
  colons: (n) => repeat(':', n),
  'address groups': (n) => repeat('a:', n),
  'hardware addresses that fail': (n) => repeat('aa:bb:cc:dd:ee:', n),
  'dotted octets': (n) => repeat('1.1.1.', n),
  'labels without values': (n) => repeat('password=', n),
  'distinct labels': (n) => many((i) => `${word(i)}_key=`, n),
  'columns of labels': (n) => repeat(`${'token\t'.repeat(40)}\n`, n),
  'labels in one line': (n) => repeat('token\t', n),
  'heads and a cell': (n) => repeat('id,password\n1,\n', n),
  'rows of an insert': (n) =>
    `INSERT INTO t (${repeat('password,', n / 2)}a) VALUES ${repeat("('x','y'),", n / 2)}`,
  'labels in quotes': (n) => repeat('"api_key":"', n),
  'words that are context': (n) => many((i) => `phone ssn card passport ${1_000_000 + i} `, n),
  'unknown words before numbers': (n) => many((i) => `${prose(new Random(i), 6)} ${2_000_000_000 + i} `, n),
  'base58 words': (n) =>
    many(
      (i) => `1${new Random(i).text('ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789', 33)} `,
      n,
    ),
  'bech32 words': (n) => repeat(`bc1${'q'.repeat(70)}9 `, n),
  'ether addresses': (n) => repeat('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD ', n),
  'base64 of base64': (n) => repeat('QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB', n),
  'base64 of numbers': (n) => repeat('MTIzNDU2Nzg5MCAxMjM0NTY3ODkwIDEyMzQ1Njc4OTAg', n),
  'base64 that turns binary': (n) => repeat(`${'QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB'.repeat(4)}AA/`, n),
  'country codes': (n) => repeat('GB12 ', n),
  'account numbers that fail': (n) => repeat('GB12ABCD12345612345678 ', n),
  'vendor prefixes': (n) => repeat('sk-proj-', n),
  'vendor bodies': (n) => repeat(`ghp_${'a1B2c3D4'.repeat(4)}abc-`, n),
  dashes: (n) => repeat('-', n),
  armour: (n) => repeat('-----BEGIN PRIVATE KEY-', n),
  'armour that never ends': (n) => repeat('-----BEGIN PRIVATE KEY-----', n),
  URLs: (n) => repeat('https://a:', n),
  'low lines': (n) => repeat('sk_', n),
  backslashes: (n) => repeat('\\', n),
  escapes: (n) => repeat('\\u005c', n),
  'percent signs': (n) => repeat('%25', n),
  'zero width': (n) => repeat('1\u200b', n),
  'compatibility characters': (n) => repeat('\u{1D7CF}', n),
  ideographs: (n) => repeat('漢字', n),
  ligatures: (n) => repeat('ﬃ', n),
  identifiers: (n) => repeat('X1234567A ', n),
  'identifiers after a word': (n) => repeat('AB 12 34 56 ', n),
  'tokens of a web': (n) => repeat('eyJhbGciOiJIUzI1NiJ9.', n),
  'findings only': (n) => repeat('a@b.co ', n),
  'small members': (n) => Array.from({ length: n / 12 }, (_, i) => ({ [`k${i % 9000}`]: 'x' })),
  'distinct keys': (n) =>
    Object.fromEntries(Array.from({ length: n / 24 }, (_, i) => [`account_number_${i}`, '1'])),
  'small numbers': (n) => Array.from({ length: n / 7 }, (_, i) => 100_000 + i),
  'arrays of digits': (n) =>
    Array.from({ length: n / 42 }, () => [4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]),
  'deep nesting': (n) =>
    Array.from({ length: n / 140 }, () => JSON.parse(`${'['.repeat(60)}"4111"${']'.repeat(60)}`)),
};
