import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { LINE_FEED, LOWER_E } from '../text/ascii.ts';
import { ALNUM } from '../text/bytes.ts';
import { is, isAt, loweredAt } from '../text/read.ts';
import { report } from './command-words.ts';
import { isLabelled, isStrong } from './label-value.ts';
import { isFiller } from './plain-words.ts';

const USERNAME = tagId('USERNAME');
/** Of inloggen and einloggen. */
const INLOG = 'inlogg';
/** Words of sentences that tell how somebody signs in. */
const LOGIN_PHRASES = ['log in', 'login', 'sign in', 'log on', 'credential', 'creds', INLOG];
/** How far behind them the user and the password are looked for, and words before these. */
const REACH = 140;
const MAX_BEFORE = 6;
/** Words after which the user comes, and those that may stand before or between them. */
const LINKS = new Set(
  'with as using mit als con como avec com met med z jako user username benutzer usuario utente gebruiker user: username: creds credentials creds: -> \u2192'.split(
    ' ',
  ),
);
const PASSED = new Set(
  'to s en n for f\u00fcr pour para per of our the this there here into in at on is are it you can dich te se si bitte please just portal site via zum zur en al na do der dem das'.split(
    ' ',
  ),
);
/** What parts the user from the password: a sign between spaces, or a word, where the password must look like nothing else. */
const SIGNS = new Set(['/', '|', '&', '+', '-', '::']);
const WORDS = new Set('and und et y e en i och og ja'.split(' '));
const USER = /^\p{L}[\p{L}\p{N}._@+\\-]{1,63}$/u;
const PASSWORD = /^(?=.*\d)(?=.*\p{L})(?![\w.-]+\.[a-z]{2,5}$)(?![a-z]+:\/\/)[^\s/<>(){}[\]|]{5,40}$/iu;
/** A name with a number at its end: OAuth2, admin1. */
const PROTOCOL = /^\p{Lu}+\d*$/u;
const NUMBERED = /^\p{L}+\d{1,4}$/u;

/**
 * The user and the password that a sentence gives to sign in with: "log in with maria / hunter2", "sign in: leo / s1gnin-Okapi",
 * "login with demo@kiosk.example and ki0sk-Demo". The phrase begins at `word`. Returns where it ends, for the
 * user is read as well, or 0.
 */
export function loginPair(pass: Pass, word: number): number {
  const { bytes: b, end } = pass.text;
  const phrase = LOGIN_PHRASES.find((text) => isAt(b, word, text));
  if (phrase === undefined) return 0;
  let stop = word + phrase.length;
  while (stop < end && stop - word < REACH && b[stop] !== LINE_FEED) stop++;
  const start = word + phrase.length;
  const words = wordsOf(pass.slice(start, stop), start);
  const user = userAt(words);
  if (user === 0) return 0;
  const [name, separator, password] = words.slice(user, user + 3);
  if (name === undefined) return 0;
  // maria/hunter2, maria:hunter2
  const inner = name.text.search(/[/:](?=[^/])/);
  if (inner > 1 && !name.text.includes('@')) {
    const second = { text: name.text.slice(inner + 1), from: name.from + inner + 1 };
    return given(pass, { text: name.text.slice(0, inner), from: name.from }, second, false) ? start : 0;
  }
  if (separator === undefined) return 0;
  if (name.text.endsWith(','))
    return given(pass, { text: name.text.slice(0, -1), from: name.from }, separator, true) ? start : 0;
  const isSign = SIGNS.has(separator.text);
  if (password === undefined || !(isSign || WORDS.has(separator.text))) return 0;
  return given(pass, name, password, !isSign) ? start : 0;
}

interface Part {
  readonly text: string;
  readonly from: number;
}

function wordsOf(text: string, start: number): readonly Part[] {
  const words: Part[] = [];
  for (const { 0: word, index } of text.matchAll(/\S+/g)) words.push({ text: word, from: start + index });
  return words;
}

/** The place of the user among the words behind the phrase; 0 for none. */
function userAt(words: readonly Part[]): number {
  for (let k = 0; k < Math.min(words.length, MAX_BEFORE); k++) {
    const text = words[k]?.text.toLowerCase() ?? '';
    if (LINKS.has(text) || text.endsWith(':')) {
      const next = words[k + 1]?.text.toLowerCase() ?? '';
      if (!LINKS.has(next) && !PASSED.has(next) && !next.endsWith(':')) return k + 1;
    } else if (k > 0 && !PASSED.has(text)) return 0;
  }
  return 0;
}

/** Reports the password, which must look like nothing else where only a word parts it from the user. */
function given(pass: Pass, user: Part, { text, from }: Part, isDoubtful: boolean): boolean {
  const value = text.replace(/["'`,.;:?)]+$/, '').replace(/^["'`]/, '');
  const begin = from + (text.startsWith(value) ? 0 : 1);
  const name = user.text.replace(/["'`]/g, '');
  if (!USER.test(name) || !PASSWORD.test(value) || isFiller(value) || PROTOCOL.test(value)) return false;
  if (isDoubtful && (!isStrong(pass.text.bytes, begin) || NUMBERED.test(value))) return false;
  if (report(pass, begin, begin + value.length) === 0) return false;
  if (user.text === name && pass.isOn(USERNAME) && isLabelled('username', name, false))
    pass.found(USERNAME, BARE, user.from, user.from + name.length);
  return true;
}

/** Whether a phrase of these begins at `at`. */
export function opensLogin(b: Uint8Array, at: number): boolean {
  const isOwnWord = !is(b, at - 1, ALNUM) || (isAt(b, at, INLOG) && loweredAt(b, at - 1) === LOWER_E);
  return isOwnWord && LOGIN_PHRASES.some((text) => isAt(b, at, text));
}
