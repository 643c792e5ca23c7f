import type { Random } from '../../bench/detection/random.ts';
import { type Kind, luhnDigit, mod97 } from './values.ts';

const plain = (v: string): string => v;
const parts =
  (separator: string, ...ends: readonly number[]) =>
  (v: string): string =>
    ends.map((end, i) => v.slice(ends[i - 1] ?? 0, end)).join(separator);
const fours =
  (separator: string) =>
  (v: string): string =>
    (v.match(/.{1,4}/g) as string[]).join(separator);
const two = (r: Random, from: number, to: number): string => String(r.int(from, to)).padStart(2, '0');
const weighed = (digits: string, weights: readonly number[]): number =>
  [...digits].reduce((sum, d, i) => sum + Number(d) * (weights[i] as number), 0);

const NIF = 'TRWAGMYFPDXBNJZSQVHLCKE';
const HETU = '0123456789ABCDEFHJKLMNPRSTUVWXY';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Basic bank account numbers of some countries: `n` a digit, `a` a letter, `c` either. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  GB: 'aaaannnnnnnnnnnnnn',
  FR: 'nnnnnnnnnncccccccccccnn',
  NL: 'aaaannnnnnnnnn',
  BE: 'nnnnnnnnnnnn',
  CH: 'nnnnncccccccccccc',
  NO: 'nnnnnnnnnnn',
  MT: 'aaaannnnncccccccccccccccccc',
  LC: 'aaaacccccccccccccccccccccccc',
  MU: 'aaaannnnnnnnnnnnnnnnnnnaaa',
};

function iban(r: Random): string {
  const country = r.pick(Object.keys(ACCOUNTS));
  const from: Readonly<Record<string, string>> = { n: '0123456789', a: UPPER, c: `${UPPER}0123456789` };
  const account = [...(ACCOUNTS[country] as string)].map((kind) => r.text(from[kind] as string, 1)).join('');
  return `${country}${String(98 - mod97(`${account}${country}00`)).padStart(2, '0')}${account}`;
}

/** A German tax number: of the first ten digits one stands twice, one not at all (ISO 7064 mod 11,10). */
function taxId(r: Random): string {
  const digits = [...'0123456789'].sort(() => r.next() - 0.5).slice(0, 9);
  digits.splice(r.int(1, 9), 0, digits[0] as string);
  if (digits[0] === '0') return taxId(r);
  const product = digits.reduce((p, d) => (((p + Number(d)) % 10 || 10) * 2) % 11, 10);
  return digits.join('') + String((11 - product) % 10);
}

/** Kinds with letters, groups of uneven size or checks of their own. */
export const LETTERED: readonly Kind[] = [
  {
    tag: 'IBAN_CODE',
    word: 'account',
    make: iban,
    forms: [plain, fours(' '), fours('-'), (v) => v.toLowerCase()],
  },
  {
    tag: 'CREDIT_CARD',
    word: 'Amex',
    make: (r) => {
      const body = `${r.pick(['34', '37'])}${r.digits(12)}`;
      return body + luhnDigit(body);
    },
    forms: [plain, parts(' ', 4, 10, 15), parts('-', 4, 10, 15)],
  },
  {
    tag: 'ES_NIF',
    word: 'DNI',
    make: (r) => {
      const body = r.digits(8);
      return body + NIF[Number(body) % 23];
    },
    forms: [plain, parts('-', 8, 9), (v) => v.toLowerCase()],
  },
  {
    tag: 'ES_NIE',
    word: 'NIE',
    make: (r) => {
      const [first, body] = [r.int(0, 2), r.digits(7)];
      return `${'XYZ'[first]}${body}${NIF[Number(`${first}${body}`) % 23]}`;
    },
    forms: [plain, parts('-', 8, 9)],
  },
  {
    tag: 'SG_NRIC_FIN',
    word: 'NRIC',
    make: (r) => {
      const [series, body] = [r.pick([...'STFG']), r.digits(7)];
      const rest = (weighed(body, [2, 7, 6, 5, 4, 3, 2]) + ('TG'.includes(series) ? 4 : 0)) % 11;
      return `${series}${body}${('ST'.includes(series) ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK')[rest]}`;
    },
    forms: [plain],
  },
  {
    tag: 'FI_PERSONAL_IDENTITY_CODE',
    word: 'hetu',
    make: (r) => {
      const [born, serial] = [
        `${two(r, 1, 28)}${two(r, 1, 12)}${two(r, 0, 99)}`,
        String(r.int(2, 899)).padStart(3, '0'),
      ];
      return `${born}-${serial}${HETU[Number(born + serial) % 31]}`;
    },
    forms: [plain],
  },
  {
    tag: 'MEDICAL_LICENSE',
    word: 'DEA',
    make: (r) => {
      const body = r.digits(6);
      return `${r.pick([...'ABFM'])}${r.pick([...UPPER])}${body}${weighed(body, [1, 2, 1, 2, 1, 2]) % 10}`;
    },
    forms: [plain],
  },
  { tag: 'DE_TAX_ID', word: 'Steuer-ID', make: taxId, forms: [plain, parts(' ', 2, 5, 8, 11)] },
  {
    tag: 'TH_TNIN',
    word: 'Thai ID',
    make: (r) => {
      const body = `${r.int(1, 8)}10${r.digits(9)}`;
      const sum = weighed(body, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
      return body + String((11 - (sum % 11)) % 10);
    },
    forms: [plain, parts('-', 1, 5, 10, 12, 13)],
  },
];
