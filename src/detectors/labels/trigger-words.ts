import { byteAt, entry, intAt, LOWERED } from '../text/bytes.ts';
import { FOLD } from '../text/text.ts';

/** For words of two letters: at an odd place, their first letter is the second of a pair, whatever stands before it. */
const BEFORE = -1;
/**
 * Words that name secrets, and two pairs of letters of each, one at an even and one at an odd offset: text is read two
 * characters at a time, so that one of them is seen. The rarer the pair is in text and code, the better.
 */
const WORDS: readonly (readonly [word: string, even: number, odd: number])[] = [
  ['pass', 2, 1],
  // Paßwort: ß is folded to one s
  ['paswort', 2, 1],
  ['pwd', 0, 1],
  ['token', 2, 1],
  ['key', 0, 1],
  ['secret', 2, 1],
  ['credential', 0, 7],
  ['kennwort', 0, 3],
  ['contrasena', 4, 5],
  ['senha', 2, 3],
  ['wachtwoord', 4, 3],
  ['haslo', 2, 1],
  ['losenord', 2, 1],
  ['salasana', 4, 1],
  ['sifre', 2, 1],
  ['heslo', 2, 1],
  ['adgangskode', 2, 1],
  ['jelsz', 2, 1],
  ['mat khau', 4, 5],
  ['المرور', 2, 3],
  ['סיסמה', 0, 1],
  ['login', 0, 1],
  ['creds', 0, 3],
  ['auth(', 0, 1],
  ['authorization', 6, 7],
  ['getconnection(', 6, 5],
  ['new pdo(', 4, 5],
  ['wifi.begin(', 2, 1],
  ['mysqli(', 2, 3],
  ['mysql.connect(', 2, 3],
  ['mysqli_connect(', 2, 3],
  ['dbi->connect(', 0, 1],
  ['jwt.sign(', 0, 1],
  ['jwt.encode(', 0, 1],
  ['jwt.verify(', 0, 1],
  ['jwt.decode(', 0, 1],
  ['assword:', 2, 1],
  ['hmac(', 0, 3],
  ['identified', 6, 5],
  ['net use', 4, 3],
  ['{ssha', 0, 1],
  ['(at)', 0, 1],
  ['[at]', 0, 1],
  ['{at}', 0, 1],
  [' dot ', 2, 1],
  ['rabbitmqctl', 6, 7],
  ['sqlplus', 2, 1],
  ['auth ', 0, 1],
  ['psk', 0, 1],
  ['bindpw', 4, 3],
  ['rootpw', 4, 3],
  ['пароль', 0, 1],
  ['パスワード', 0, 1],
  ['密码', 0, BEFORE],
  ['密碼', 0, BEFORE],
  ['비밀번호', 0, 1],
  ['비번', 0, BEFORE],
  ['पासवर्ड', 0, 1],
  ['รหัสผ่าน', 0, 1],
  ['κωδικ', 2, 1],
  ['口令', 0, BEFORE],
  ['parol', 2, 1],
  ['lozink', 2, 3],
  ['kodeord', 2, 3],
  ['kata sandi', 0, 1],
  ['clave', 2, 1],
  ['stname', 2, 1],
  ['enname', 2, 3],
  ['ilyname', 4, 3],
  ['snmp', 2, 1],
  ['sert into ', 4, 3],
  ['pw ', 0, 1],
  ['pw,', 0, 1],
  ['pw;', 0, 1],
  ['pw\t', 0, 1],
  ['ftp(', 2, 1],
  ['akia', 0, 1],
  ['asia', 0, 1],
];

/** Where in a word the pair of letters stands at which it is noticed, for words that begin at an even or odd place. */
interface Spot {
  word: readonly number[];
  /** The word as it is written; several characters of other scripts share a byte. */
  spelling: string;
  offset: number;
}

const NONE: readonly Spot[] = [];
const ANY: readonly number[] = [...new Uint8Array(256).keys()];
const spots: (readonly Spot[])[] = new Array(65536).fill(NONE);
/** For each class of a pair and what stands before it, a bit for each byte that may stand after it, by five bits of both. */
const NEIGHBOURS = new Int32Array(2 * WORDS.length * 32);
/** A class for each pair of bytes, the first in the low half, at which a word is noticed; from 1 on. */
export const SPOT_PAIRS: ReadonlyMap<number, number> = build();

function build(): Map<number, number> {
  const pairs = new Map<number, number>();
  let classes = 0;
  for (const [text, even, odd] of WORDS) {
    const word = foldedWord(text);
    for (const offset of [even, odd]) {
      const firsts = offset === BEFORE ? ANY : casesOf(entry(word, offset));
      const seconds = casesOf(entry(word, offset + 1));
      const own = { word, spelling: text, offset };
      let added = 0;
      let marked = 0;
      for (const pair of firsts.flatMap((x) => seconds.map((y) => x | (y << 8)))) {
        const others = spots[pair] as readonly Spot[];
        spots[pair] = others === NONE ? [own] : [...others, own];
        const known = pairs.get(pair);
        if (known === undefined && added === 0) added = ++classes;
        const kind = known ?? added;
        pairs.set(pair, kind);
        if (kind !== marked) markNeighbours(kind, word[offset - 1], word[offset + 2]);
        marked = kind;
      }
    }
  }
  return pairs;
}

/** The words themselves, for measurements. */
export const TRIGGER_WORDS: readonly string[] = WORDS.map(([word]) => word);

function foldedWord(text: string): readonly number[] {
  return [...text].map((c) => byteAt(FOLD, c.charCodeAt(0)));
}

/** Notes what stands before and after the pair in a word: anything where the word begins or ends with it. */
function markNeighbours(kind: number, before: number | undefined, after: number | undefined): void {
  const bits = after === undefined ? -1 : 1 << (after & 31);
  for (let x = 0; x < 32; x++)
    if (before === undefined || x === (before & 31)) {
      const at = ((kind - 1) << 5) | x;
      NEIGHBOURS[at] = intAt(NEIGHBOURS, at) | bits;
    }
}

/** Whether a word may have a pair of this class between these two bytes. */
export function mayBeSpot(kind: number, before: number, after: number): boolean {
  return ((intAt(NEIGHBOURS, ((kind - 1) << 5) | (before & 31)) >> (after & 31)) & 1) === 1;
}

function casesOf(byte: number): readonly number[] {
  return byte >= 97 && byte <= 122 ? [byte, byte - 32] : [byte];
}

let spelling = '';

/** The word that was found last. */
export function spottedSpelling(): string {
  return spelling;
}

/** Where the word that names a secret begins, of which the pair at `at` is part; -1 when there is none. */
export function spottedWord(b: Uint8Array, at: number): number {
  const found = spots[byteAt(b, at) | (byteAt(b, at + 1) << 8)] as readonly Spot[];
  for (let k = 0; k < found.length; k++) {
    const { word, offset, spelling: written } = found[k] as Spot;
    const from = at - offset;
    let i = 0;
    while (i < word.length && LOWERED[byteAt(b, from + i)] === word[i]) i++;
    if (i === word.length) {
      spelling = written;
      return from;
    }
  }
  return -1;
}
