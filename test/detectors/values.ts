import type { Random } from '../../bench/detection/random.ts';

/** How to make valid values of a kind, how they are written, and a word that names them. */
export interface Kind {
  tag: string;
  word: string;
  make: (r: Random) => string;
  forms: readonly ((value: string) => string)[];
}

const digitsOf = (text: string): number[] => [...text].map(Number);
const sum = (text: string, weights: readonly number[]): number =>
  digitsOf(text).reduce((total, d, i) => total + d * (weights[i] ?? 0), 0);

export function luhnDigit(body: string): string {
  const total = digitsOf(body)
    .reverse()
    .reduce((s, d, i) => s + (i % 2 === 0 ? (d * 2 > 9 ? d * 2 - 9 : d * 2) : d), 0);
  return String((10 - (total % 10)) % 10);
}

/** Tries the last digits until the rule holds: an independent statement of what a valid number is. */
function complete(r: Random, body: () => string, size: number, holds: (all: string) => boolean): string {
  for (;;) {
    const head = body();
    for (let tail = 0; tail < 10 ** size; tail++) {
      const all = head + String(tail).padStart(size, '0');
      if (holds(all) && r.next() < 2) return all;
    }
  }
}

const plain = (v: string): string => v;
const group =
  (sizes: readonly number[], separator: string) =>
  (v: string): string => {
    let at = 0;
    const parts = sizes.map((n) => {
      at += n;
      return v.slice(at - n, at);
    });
    return parts.join(separator);
  };
const day = (r: Random): string => String(r.int(1, 28)).padStart(2, '0');
const month = (r: Random): string => String(r.int(1, 12)).padStart(2, '0');
const first = (r: Random, from: number, to: number): string => String(r.int(from, to));

export function mod97(text: string): number {
  let rest = 0;
  for (const c of text) rest = Number(`${rest}${Number.parseInt(c, 36)}`) % 97;
  return rest;
}

export const KINDS: readonly Kind[] = [
  {
    tag: 'CREDIT_CARD',
    word: 'card number',
    make: (r) => {
      const body = r.pick(['4', '51', '2221', '6011', '3528']) + r.digits(11);
      return body.padEnd(15, '7').slice(0, 15) + luhnDigit(body.padEnd(15, '7').slice(0, 15));
    },
    forms: [
      plain,
      group([4, 4, 4, 4], ' '),
      group([4, 4, 4, 4], '-'),
      group(new Array(16).fill(1), ' '),
      group([8, 8], '\n'),
    ],
  },
  {
    tag: 'IBAN_CODE',
    word: 'IBAN',
    make: (r) => {
      const body = r.digits(18);
      return `DE${String(98 - mod97(`${body}DE00`)).padStart(2, '0')}${body}`;
    },
    forms: [plain, group([4, 4, 4, 4, 4, 2], ' '), (v) => v.toLowerCase(), group([4, 4, 4, 4, 4, 2], '-')],
  },
  {
    tag: 'CA_SIN',
    word: 'SIN',
    make: (r) =>
      complete(
        r,
        () => first(r, 1, 7) + r.digits(7),
        1,
        (a) => luhnDigit(a.slice(0, 8)) === a[8],
      ),
    forms: [plain, group([3, 3, 3], ' '), group([3, 3, 3], '-')],
  },
  {
    tag: 'AU_TFN',
    word: 'TFN',
    make: (r) =>
      complete(
        r,
        () => r.digits(8),
        1,
        (a) => sum(a, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
      ),
    forms: [plain, group([3, 3, 3], ' ')],
  },
  {
    tag: 'AU_ABN',
    word: 'ABN',
    make: (r) =>
      complete(
        r,
        () => first(r, 1, 9) + r.digits(8),
        2,
        (a) => (sum(a, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0,
      ),
    forms: [plain, group([2, 3, 3, 3], ' ')],
  },
  {
    tag: 'PL_PESEL',
    word: 'PESEL',
    make: (r) =>
      complete(
        r,
        () => r.digits(2) + month(r) + day(r) + r.digits(4),
        1,
        (a) => sum(a, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
      ),
    forms: [plain],
  },
  {
    tag: 'TR_NATIONAL_ID',
    word: 'TCKN',
    make: (r) =>
      complete(
        r,
        () => first(r, 1, 9) + r.digits(8),
        2,
        (a) =>
          sum(a, [7, 9, 7, 9, 7, 9, 7, 9, 7]) % 10 === Number(a[9]) &&
          sum(a.slice(0, 10), new Array(10).fill(1)) % 10 === Number(a[10]),
      ),
    forms: [plain],
  },
  {
    tag: 'ZA_ID_NUMBER',
    word: 'South African ID',
    make: (r) =>
      complete(
        r,
        () => r.digits(2) + month(r) + day(r) + r.digits(4) + r.pick(['0', '1']) + r.pick(['8', '9']),
        1,
        (a) => luhnDigit(a.slice(0, 12)) === a[12],
      ),
    forms: [plain, group([6, 4, 3], ' ')],
  },
  {
    tag: 'BR_CPF',
    word: 'CPF',
    make: (r) =>
      complete(
        r,
        () => r.digits(9),
        2,
        (a) =>
          ((sum(a, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10 === Number(a[9]) &&
          ((sum(a, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10 === Number(a[10]),
      ),
    forms: [plain, (v) => `${v.slice(0, 3)}.${v.slice(3, 6)}.${v.slice(6, 9)}-${v.slice(9)}`],
  },
  {
    tag: 'NL_BSN',
    word: 'BSN',
    make: (r) =>
      complete(
        r,
        () => first(r, 1, 9) + r.digits(7),
        1,
        (a) => sum(a, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
      ),
    forms: [plain],
  },
  {
    tag: 'US_NPI',
    word: 'NPI',
    make: (r) =>
      complete(
        r,
        () => first(r, 1, 2) + r.digits(8),
        1,
        (a) => luhnDigit(`80840${a.slice(0, 9)}`) === a[9],
      ),
    forms: [plain, group([4, 3, 3], '-')],
  },
  {
    tag: 'UK_NHS',
    word: 'NHS number',
    make: (r) =>
      complete(
        r,
        () => r.digits(9),
        1,
        (a) => sum(a, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
      ),
    forms: [plain, group([3, 3, 4], ' '), group([3, 3, 4], '-')],
  },
  {
    tag: 'ABA_ROUTING_NUMBER',
    word: 'routing number',
    make: (r) =>
      complete(
        r,
        () => `1${r.int(0, 2)}${r.digits(6)}`,
        1,
        (a) => sum(a, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
      ),
    forms: [plain, group([4, 4, 1], '-')],
  },
  {
    tag: 'SE_PERSONNUMMER',
    word: 'personnummer',
    make: (r) =>
      complete(
        r,
        () => r.digits(2) + month(r) + day(r) + r.digits(3),
        1,
        (a) => luhnDigit(a.slice(0, 9)) === a[9],
      ),
    forms: [plain, group([6, 4], '-'), (v) => `19${v}`],
  },
  {
    tag: 'FR_NIR',
    word: 'NIR',
    make: (r) =>
      complete(
        r,
        () => `${r.int(1, 2)}${r.digits(2)}${month(r)}75${r.digits(6)}`,
        2,
        (a) => 97 - Number(BigInt(a.slice(0, 13)) % 97n) === Number(a.slice(13)),
      ),
    forms: [plain, group([1, 2, 2, 2, 3, 3, 2], ' '), group([13, 2], ' ')],
  },
  {
    tag: 'US_SSN',
    word: 'SSN',
    make: (r) => `${r.int(1, 5)}${r.digits(2)}${r.int(10, 99)}${r.int(1000, 9999)}`,
    forms: [plain, group([3, 2, 4], '-'), (v) => `${v.slice(0, 3)} ${v.slice(3, 5)} ${v.slice(5)}`],
  },
];

/** Kinds whose last digit is a check digit that catches every change of it. */
export const CHECKED = KINDS.filter(({ tag }) => tag !== 'US_SSN');
