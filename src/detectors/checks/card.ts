import { byteAt } from '../text/bytes.ts';
import { isRepeated, luhn, number } from './check-digits.ts';

/** First digits (ranges of up to four) and lengths of an issuer's cards, as the networks publish them (ISO/IEC 7812). */
type Range = readonly [issuer: string, prefixes: string, lengths: string];

/** Ranges of numbers that are cards wherever they stand. */
const PLAIN: readonly Range[] = [
  ['Visa', '4', '13 16 19'],
  ['Mastercard', '51-55 2221-2720', '16'],
  ['Mir', '2200-2204', '16'],
  ['American Express', '34 37', '15'],
  ['Diners Club', '3000-3059 36 38 39', '14 16'],
  ['JCB', '3528-3589', '16 19'],
  ['Maestro and Dankort', '50 56-58', '16 19'],
  ['Maestro', '63 67', '16 19'],
  ['Discover, RuPay, UnionPay', '60 62 64 65 81', '16 19'],
];

/** Ranges that are cards when a word says so: identifiers of other kinds have these lengths, too. */
const NAMED: readonly Range[] = [
  ['Maestro', '50 56-58 60 62 63 64 65 66 67 68 69', '12-19'],
  ['JCB', '1800 2131', '15'],
  ['JCB', '3528-3589', '16-19'],
  ['UATP', '1', '15'],
  ['Diners Club', '3000-3059 3095 36 38 39', '14-19'],
  ['Mir', '2200-2204', '16-19'],
  ['RuPay, UnionPay', '81 82', '16-19'],
  ['Troy, Humo and Uzcard', '9792 9860 8600', '16'],
];

/** First four digits from one to another, and a bit for each length that a card has which begins so. */
interface Issuer {
  from: number;
  to: number;
  lengths: number;
}

function issuers(ranges: readonly Range[]): readonly Issuer[] {
  return ranges.flatMap(([, prefixes, sizes]) => {
    let lengths = 0;
    for (const [from, to] of rangesOf(sizes))
      for (let n = Number(from); n <= Number(to); n++) lengths |= 1 << n;
    return rangesOf(prefixes).map(([from, to]) => ({
      from: Number(from.padEnd(4, '0')),
      to: Number(to.padEnd(4, '9')),
      lengths,
    }));
  });
}

function rangesOf(list: string): [string, string][] {
  return list.split(' ').map((range) => {
    const [from = '', to = from] = range.split('-');
    return [from, to];
  });
}

const plain = issuers(PLAIN);
const named = [...plain, ...issuers(NAMED)];

/** Digits of the shortest and the longest card. */
export const MIN_CARD = 12;
export const MAX_CARD = 19;

function isNumberOf(all: readonly Issuer[], d: Uint8Array, o: number, n: number): boolean {
  if (n > MAX_CARD || n < MIN_CARD || !luhn(d, o, n) || isRepeated(d, o, n)) return false;
  const four = number(d, o, 4);
  return all.some(({ from, to, lengths }) => four >= from && four <= to && ((lengths >> n) & 1) === 1);
}

/** Whether the digits are a card's wherever they stand. */
export function isCard(d: Uint8Array, o: number, n: number): boolean {
  return byteAt(d, o) !== 0 && isNumberOf(plain, d, o, n);
}

/** Whether the digits are a card's when a word says that they are. */
export function isNamedCard(d: Uint8Array, o: number, n: number): boolean {
  return byteAt(d, o) !== 0 && isNumberOf(named, d, o, n);
}
