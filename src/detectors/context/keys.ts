import { foldedKey, type Label, readLabel } from '../secrets/label-rules.ts';
import { LOWER, UPPER } from '../text/bytes.ts';
import { FOLD } from '../text/fold.ts';
import { byteAt, classOf, entry } from '../text/read.ts';
import { HASH_SEED, hashPair, hashStep } from './hash.ts';
import { NEGATIVE, wordTable } from './table.ts';

/** What a JSON key says about its value. */
export interface KeyInfo {
  /** Contexts it gives, each once. */
  contexts: readonly number[];
  /** What its value is, when the key says so; null when it does not. */
  label: Label | null;
  /** Whether it names a kind of value at all. */
  named: boolean;
  /** Whether the key itself is too plain to hold a value. */
  plain: boolean;
  /** Whether it is a word of a schema or a form, whose text tells about a value and is none. */
  describes: boolean;
  /** Whether it holds the value that a member beside it names: {"name": …, "value": …}. */
  holds: boolean;
  /** Whether it holds a user and a password: {"auth": ["bob", …]}. */
  logsIn: boolean;
  /** Whether it holds rows, whose columns a member beside it names. */
  lists: boolean;
}

const MAX_CACHED = 10_000;
const MAX_KEY = 64;
const DESCRIBING = new Set(
  'type description title format pattern label placeholder hint help message error comment ref required integrity resolved version license $ref id checksum digest sha sha1 sha256 sha512 md5 hash engines'.split(
    ' ',
  ),
);
const HOLDING = new Set(
  'value values val content text default answer newvalue new_value fieldvalue field_value plaintext stringvalue string_value'.split(
    ' ',
  ),
);
const LOGGING_IN = new Set('auth httpauth http_auth basicauth basic_auth proxyauth proxy_auth'.split(' '));
const LISTING = new Set(['rows', 'data', 'values', 'records', 'items']);
/** Letters of the longest of these. */
const MAX_WORD = 12;
const PLAIN_KEY = /^[A-Za-z_$ ]{0,32}$|^[A-Za-z_$][A-Za-z0-9_$]{0,11}$/;

/** Words of a key: at anything but letters and where camel case begins a word. */
function wordsOf(key: string): number[] {
  const words: number[] = [];
  let hash = HASH_SEED;
  let length = 0;
  let wasLower = false;
  for (let i = 0; i <= key.length && i <= MAX_KEY; i++) {
    const byte = i < key.length ? byteAt(FOLD, key.charCodeAt(i)) : 32;
    const cls = classOf(byte);
    const isLetter = (cls & (UPPER | LOWER)) !== 0 || byte >= 0x80;
    if (length > 0 && (!isLetter || (wasLower && cls & UPPER))) {
      words.push(hash);
      hash = HASH_SEED;
      length = 0;
    }
    if (isLetter) {
      hash = hashStep(hash, byte);
      length++;
    }
    wasLower = (cls & LOWER) !== 0;
  }
  return words;
}

/** The hash of all letters of a key as one word: cardnumber. */
function joinedHash(key: string): number {
  let hash = HASH_SEED;
  for (let i = 0; i < key.length; i++) {
    const byte = byteAt(FOLD, key.charCodeAt(i));
    if (classOf(byte) & (UPPER | LOWER)) hash = hashStep(hash, byte);
  }
  return hash;
}

/** Whether a key is a path or a reference, whose last part names a file, a package or a type and no value. */
function isPath(key: string): boolean {
  return (key.includes('/') && !key.includes(':')) || key.includes('::') || key.startsWith('#');
}

function readKey(key: string): KeyInfo {
  const words = wordsOf(key);
  const contexts: number[] = [];
  const give = (hash: number): void => {
    for (const context of wordTable.get(hash).contexts)
      if (!contexts.includes(context)) contexts.push(context);
  };
  words.forEach((word, i) => {
    give(word);
    if (i > 0) give(hashPair(entry(words, i - 1), word));
  });
  if (words.length > 1 && key.length <= MAX_KEY) give(joinedHash(key));
  const label = key.length <= MAX_KEY && !isPath(key) ? readLabel(foldedKey(key)) : null;
  const named = label !== null || contexts.some((context) => context < NEGATIVE);
  const word = key.length <= MAX_WORD ? key.toLowerCase() : '';
  return {
    contexts,
    label,
    named,
    plain: PLAIN_KEY.test(key),
    describes: DESCRIBING.has(word),
    holds: HOLDING.has(word),
    logsIn: LOGGING_IN.has(word),
    lists: LISTING.has(word),
  };
}

/** A key that is kept, and the one that stood after it last time. */
interface Known {
  key: string;
  info: KeyInfo;
  next: Known | null;
}

/**
 * Keys repeat from request to request: what they say is kept, for a bounded number of them. Records repeat within one:
 * the key that followed the last time mostly does again, and comparing it is cheaper than looking it up.
 */
export class KeyCache {
  readonly #known = new Map<string, Known>();
  #last: Known | null = null;

  /** For the next key of a document. */
  get(key: string): KeyInfo {
    const last = this.#last;
    let known = last === null ? null : last.next;
    if (known === null || known.key !== key) {
      known = this.#known.get(key) ?? this.#add(key);
      if (key.length > MAX_KEY) return known.info;
      if (last !== null) last.next = known;
    }
    this.#last = known;
    return known.info;
  }

  #add(key: string): Known {
    const known = { key, info: readKey(key), next: null };
    if (this.#known.size === MAX_CACHED) {
      this.#known.clear();
      this.#last = null;
    }
    if (key.length <= MAX_KEY) this.#known.set(key, known);
    return known;
  }
}
