import { tagId } from '../kinds/taxonomy.ts';
import { classify, type Label, wholeLabel } from '../labels/classifier.ts';
import {
  ALNUM,
  ALPHA,
  byteAt,
  classOf,
  DIGIT,
  is,
  LOWER,
  loweredAt,
  UNDERSCORE,
  UPPER,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { FOLD } from '../text/text.ts';
import {
  HASH_SEED,
  hashBytes,
  hashPair,
  hashStep,
  MAX_WORD,
  mayBeWord,
  NEGATIVE,
  type WordEntry,
  wordTable,
} from './words.ts';

/** The roles of a key beside a name of its value, as bits. */
const DESCRIBES = 1;
const HOLDS = 2;
const LOGS_IN = 4;
const LISTS = 8;
const BINDS = 16;
const TURN = 32;
/** The roles of some words as a key, as bits of the above. */
const ROLES = new Map<string, number>();
for (const [role, words] of [
  [
    DESCRIBES,
    'type description title format pattern label placeholder hint help message error comment ref required integrity resolved version license $ref id checksum digest sha sha1 sha256 sha512 md5 hash engines policy mode algorithm alg encryption strength charset rules provider method level scheme kind',
  ],
  [
    HOLDS,
    'value values val content text default answer newvalue new_value fieldvalue field_value plaintext stringvalue string_value keys typed input',
  ],
  [LOGS_IN, 'auth httpauth http_auth basicauth basic_auth proxyauth proxy_auth'],
  [
    TURN,
    'new old current previous confirm confirmation repeat first second plain raw admin root user db database prod production staging dev test default',
  ],
  [LISTS, 'rows data values records items'],
  [BINDS, 'args params parameters values bindings binds bindvars bind_vars'],
] as const) {
  for (const word of words.split(' ')) ROLES.set(word, (ROLES.get(word) ?? 0) | role);
}
/** Letters of the longest of these. */
const MAX_ROLE = 12;

/** The roles of a key, as bits of the above. */
function rolesOf(key: string): number {
  return key.length <= MAX_ROLE ? (ROLES.get(key.toLowerCase()) ?? 0) : 0;
}

const MAX_OWN_KEY = 40;
const MAX_GAP = 4;
/** Keys that do not say what they hold: {"type": "passport", "number": "X1234567"}. */
const PLAIN_KEY = new Set(
  'number num no nr value val v id text content data code identifier answer'.split(' '),
);

/**
 * Where the key of a member begins whose value begins at `at`, as text has it: `"snapshot-index": 8288774`,
 * `index=8288774`. 0 when there is none, or one that does not say what it holds: only then do words before it.
 */
export function ownKey(b: Uint8Array, at: number): number {
  let to = skipBack(b, at);
  const operator = byteAt(b, to - 1);
  if (operator !== Char.COLON_SIGN && operator !== Char.EQUALS_SIGN) return 0;
  to = skipBack(b, to - 1);
  if (operator === Char.COLON_SIGN && b[to] !== Char.DOUBLE_QUOTE && b[to] !== Char.BACKSLASH) return 0;
  let from = to;
  let name = '';
  while (to - from < MAX_OWN_KEY && isKey(b, from - 1))
    name = String.fromCharCode(loweredAt(b, --from)) + name;
  return to - from < 2 || PLAIN_KEY.has(name) ? 0 : from;
}

/** Names in camel case, and single words, that name a thing, so that the number is that of the thing: traceId, ref. */
const CAMEL =
  /(?:[a-z](?:Ids?|ID|IDs|Uid|UID|Ref|Seq)|^(?:id|ids|ID|Id|uid|sid|ref|gid|rid|pid|seq|ts|guid|uuid|hash|etag))$/;

/** Whether a name says that its value names or counts something: no digits under it are a card or a telephone number. */
function isIdName(name: string): boolean {
  return (
    CAMEL.test(name) ||
    /[_.-](?:ids?|uid|uuid|guid|sid|gid|pid|refs?|reference|rid|etag|hash|seq|ts|str)$/i.test(name)
  );
}

/** Whether the key or label right before `at` names a thing: `"id": 8288774`, `order_id=8288774`. */
export function hasIdKey(b: Uint8Array, at: number): boolean {
  let to = skipBack(b, at);
  const operator = byteAt(b, to - 1);
  if (operator !== Char.COLON_SIGN && operator !== Char.EQUALS_SIGN) return false;
  to = skipBack(b, to - 1);
  let name = '';
  for (let i = to; to - i < MAX_OWN_KEY && isKey(b, i - 1); i--)
    name = String.fromCharCode(byteAt(b, i - 1)) + name;
  return isIdName(name);
}

function skipBack(b: Uint8Array, at: number): number {
  let i = at;
  while (
    at - i < MAX_GAP &&
    (b[i - 1] === Char.BLANK || b[i - 1] === Char.DOUBLE_QUOTE || b[i - 1] === Char.BACKSLASH)
  )
    i--;
  return i;
}

function isKey(b: Uint8Array, i: number): boolean {
  return is(b, i, ALNUM | UNDERSCORE) || b[i] === Char.HYPHEN || b[i] === Char.FULL_STOP;
}

/** The information that a JSON key gives about its value. */
export interface KeyInfo {
  /** Contexts it gives, each once. */
  contexts: readonly number[];
  /** The label of its value, when the key says so; null when it does not. */
  label: Label | null;
  /** Whether it names a kind of value at all. */
  named: boolean;
  /** Whether it names a thing, as `id` does: see `isIdName`. */
  isId: boolean;
  /** Whether the key itself is too plain to hold a value. */
  plain: boolean;
  /** Whether it is a word of a schema or a form, whose text tells about a value and is none. */
  describes: boolean;
  /** Whether it holds the value that a member beside it names: {"name": …, "value": …}. */
  holds: boolean;
  /** Whether it is the turn, the stage or the owner of one of several values: {"password": {"old": …, "new": …}}. */
  isTurn: boolean;
  /** Whether it is a word in the plural, so that its members are called as one likes: {"passwords": {"bob": …}}. */
  isPlural: boolean;
  /** Whether it holds a user and a password: {"auth": ["bob", …]}. */
  logsIn: boolean;
  /** Whether it holds rows, whose columns a member beside it names. */
  lists: boolean;
  /** Whether it holds the values that are bound to a statement of SQL beside it. */
  binds: boolean;
  /** Whether a member of it that is only called a key is a secret: {"jwt": {"key": …}}. */
  keyed: boolean;
}

/** Keys of a generation: two of them are kept. The files of one kind have some ten thousand. */
const MAX_CACHED = 20_000;
const MAX_KEY = 64;
/** Characters of the longest key that is kept. */
const MAX_KEPT = 128;

/** The most characters of a plain key, without and with digits. */
const MAX_PLAIN = 32;
const MAX_PLAIN_WITH_DIGITS = 12;

/** Appended to the name of an object to classify a member that is called just `key`. */
const MEMBER = '_key';

/** The key that is read, as bytes, from this place on: zeros stand before it. */
const START = 4;
const bytes = new Uint8Array(START + MAX_KEY + MEMBER.length + 1);

/** The number of letters in the key that was read, and the number of its words. */
let letters = 0;
let words = 0;

/** Reads the words of a key: they end at anything but letters, and where camel case begins one. */
function readWords(key: string, contexts: number[]): void {
  letters = words = 0;
  let from = 0;
  let previous = 0;
  let wasLower = false;
  const end = START + Math.min(key.length, MAX_KEY);
  for (let i = START; i <= end; i++) {
    const byte = i - START < key.length ? byteAt(FOLD, key.charCodeAt(i - START)) : Char.BLANK;
    const cls = classOf(byte);
    const isLatin = (cls & ALPHA) !== 0;
    const isLetter = isLatin || byte >= 0x80;
    bytes[i] = byte;
    if (from !== 0 && (!isLetter || (wasLower && (cls & UPPER) !== 0))) {
      previous = readWord(from, i, previous, contexts);
      words++;
      from = 0;
    }
    if (isLetter) {
      if (from === 0) from = i;
      if (isLatin) letters++;
    }
    wasLower = (cls & LOWER) !== 0;
  }
}

/** Notes what a word says, alone and with the one before; returns its hash when it may begin a pair, else 0. */
function readWord(from: number, to: number, previous: number, contexts: number[]): number {
  const hash = hashBytes(bytes, from, to);
  if (to - from > MAX_WORD || !mayBeWord(hash)) return 0;
  const word = wordTable.get(hash);
  give(word, contexts);
  if (previous !== 0) give(wordTable.get(hashPair(previous, hash)), contexts);
  return word.opensPair ? hash : 0;
}

function give(word: WordEntry, contexts: number[]): void {
  for (const context of word.contexts) if (!contexts.includes(context)) contexts.push(context);
}

/** Reads all letters of the key as one word: cardnumber. */
function readJoined(length: number, contexts: number[]): void {
  if (letters > MAX_WORD) return;
  let hash = HASH_SEED;
  for (let i = START; i < START + length; i++) {
    const byte = byteAt(bytes, i);
    if ((classOf(byte) & ALPHA) !== 0) hash = hashStep(hash, byte);
  }
  give(wordTable.get(hash), contexts);
}

/** Whether a key is a path or a reference, whose last part names a file, a package or a type and no value. */
function isPath(key: string): boolean {
  return (key.includes('/') && !key.includes(':')) || key.includes('::');
}

/** Whether a key is a short name or a few words without anything that may be part of a value. */
function isPlain(key: string): boolean {
  if (key.length > MAX_PLAIN) return false;
  let hasDigit = false;
  let hasBlank = false;
  for (let i = 0; i < key.length; i++) {
    const c = key.charCodeAt(i);
    if (c >= 0x80) return false;
    const cls = classOf(c);
    if ((cls & DIGIT) !== 0) hasDigit = true;
    else if (c === Char.BLANK) hasBlank = true;
    else if ((cls & (ALPHA | UNDERSCORE)) === 0 && c !== Char.DOLLAR) return false;
  }
  if (!hasDigit) return true;
  return !hasBlank && key.length <= MAX_PLAIN_WITH_DIGITS && (classOf(key.charCodeAt(0)) & DIGIT) === 0;
}

/** The information of nearly all keys, and of a value without a key: none. */
export const NO_KEY: KeyInfo = {
  contexts: [],
  label: null,
  named: false,
  isId: false,
  plain: true,
  describes: false,
  holds: false,
  isTurn: false,
  isPlural: false,
  logsIn: false,
  lists: false,
  binds: false,
  keyed: false,
};
const KEYED: KeyInfo = { ...NO_KEY, keyed: true };
const MEANINGLESS: KeyInfo = { ...NO_KEY, plain: false };
const MEANINGLESS_KEYED: KeyInfo = { ...KEYED, plain: false };

/** Whether the key that was read, and ends at `end`, makes a secret of its member that is only called a key. */
function holdsKeys(end: number): boolean {
  for (let i = 0; i < MEMBER.length; i++) bytes[end + i] = MEMBER.charCodeAt(i);
  return classify(bytes, START, end + MEMBER.length) !== null;
}

/** Kinds whose words also stand before an id: card_id, phone_number_id. */
const OF_THINGS = ['CREDIT_CARD', 'PHONE_NUMBER'].map(tagId);

/** The contexts without those kinds: a key that names a thing by its id says nothing of the id itself. */
export function withoutThings(contexts: readonly number[]): readonly number[] {
  return contexts.some((context) => OF_THINGS.includes(context))
    ? contexts.filter((context) => !OF_THINGS.includes(context))
    : contexts;
}

function readKey(key: string): KeyInfo {
  const isId = isIdName(key);
  let contexts: number[] = [];
  readWords(key, contexts);
  const isShort = key.length <= MAX_KEY;
  if (words > 1 && isShort) readJoined(key.length, contexts);
  if (isId) contexts = [...withoutThings(contexts)];
  const end = START + key.length;
  const label = isShort
    ? ((isPath(key) ? null : classify(bytes, START, end)) ?? wholeLabel(bytes, START, end))
    : null;
  const plain = isPlain(key);
  const roles = rolesOf(key);
  const keyed = isShort && words > 0 && holdsKeys(end);
  if (contexts.length === 0 && label === null && roles === 0 && !isId)
    return keyed ? (plain ? KEYED : MEANINGLESS_KEYED) : plain ? NO_KEY : MEANINGLESS;
  return {
    contexts,
    label,
    named: label !== null || contexts.some((context) => context < NEGATIVE),
    isId,
    plain,
    describes: (roles & DESCRIBES) !== 0,
    holds: (roles & HOLDS) !== 0,
    isTurn: (roles & TURN) !== 0,
    isPlural: /s$/i.test(key) && !/ss$/i.test(key),
    logsIn: (roles & LOGS_IN) !== 0,
    lists: (roles & LISTS) !== 0,
    binds: (roles & BINDS) !== 0,
    keyed,
  };
}

/** A key that is kept. */
export interface KnownKey {
  readonly key: string;
  readonly info: KeyInfo;
  /** Whether members beside it may say more of its kind. */
  readonly isTold: boolean;
  /** Whether it was read as a text and nothing was found in it. */
  isEmpty: boolean;
  /** The one that stood after it last time. */
  next: KnownKey | null;
}

/**
 * Keys repeat from request to request: what they say is kept, for a bounded number of them, those that were used lately.
 * Records repeat within one: the key that followed the last time mostly does again, and comparing it is cheaper than
 * looking it up.
 */
export class KeyCache {
  readonly #told: ReadonlySet<string>;
  #known = new Map<string, KnownKey>();
  /** Keys that were kept before `#known` was begun: one that is used again goes on into it. */
  #former = new Map<string, KnownKey>();
  #last: KnownKey | null = null;

  /** `told` are the keys of which members beside them may say more. */
  constructor(told: ReadonlySet<string>) {
    this.#told = told;
  }

  /** The information that a name gives, as a key of a document would. */
  get(key: string): KeyInfo {
    return this.find(key).info;
  }

  /** For the next key of a document. */
  find(key: string): KnownKey {
    const last = this.#last;
    let known = last === null ? null : last.next;
    if (known === null || known.key !== key) {
      known = this.#known.get(key) ?? this.#add(key);
      if (key.length > MAX_KEPT) return known;
      if (last !== null) last.next = known;
    }
    this.#last = known;
    return known;
  }

  #add(key: string): KnownKey {
    if (key.length > MAX_KEPT) return this.#read(key);
    if (this.#known.size === MAX_CACHED) {
      this.#former = this.#known;
      this.#known = new Map();
    }
    const known = this.#former.get(key) ?? this.#read(key);
    known.next = null; // what is forgotten must not be held by what is kept
    this.#known.set(key, known);
    return known;
  }

  #read(key: string): KnownKey {
    return { key, info: readKey(key), isTold: this.#told.has(key), isEmpty: false, next: null };
  }
}
