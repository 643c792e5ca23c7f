import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { ASTERISK, BLANK, COLON_SIGN, COMMA, EQUALS_SIGN, FULL_STOP, HYPHEN } from '../text/ascii.ts';
import { ALPHA, LETTER, WORD } from '../text/bytes.ts';
import { FOLD } from '../text/fold.ts';
import { byteAt, is, isAt } from '../text/read.ts';
import { isLabelled } from './label-value.ts';
import { labelBefore } from './labels.ts';

const USERNAME = tagId('USERNAME');
/** Last letters of verbs between a label and the name of an account. */
const VERBS = ['is', 'lautet', 'ist', 'est', 'es', 'to', 'jest', 'er', 'on', 'este', 'je', 'was', 'as'];
const ENDS = new Uint8Array(256);
for (const verb of VERBS) ENDS[verb.charCodeAt(verb.length - 1)] = 1;
for (const c of 'èéäå') ENDS[byteAt(FOLD, c.charCodeAt(0))] = 1;
const MAX_VERB = 6;
const MAX_NAME = 64;
const ID = 'user id ';
/** Labels that name an account only where a line or a member begins. */
const ACCOUNTS = [
  'user',
  'usuario',
  'utilisateur',
  'benutzer',
  'utente',
  'gebruiker',
  'bruker',
  'bruger',
  'anvandare',
  'utilizador',
];

/** The name of an account that a sentence gives, whose first letter is at `from`: my username is jdoe42. Returns its end, or 0. */
export function statedUser(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (b[from - 1] === EQUALS_SIGN)
    return isAt(b, from - SET.length, SET) && !is(b, from - SET.length - 1, WORD) ? named(pass, from) : 0;
  if (b[from - 1] !== BLANK) return 0;
  if (isBesidePassword(b, from)) return named(pass, from);
  const before = byteAt(b, from - 2);
  if (before === COLON_SIGN || before === EQUALS_SIGN) return ofAccount(b, from - 2) ? named(pass, from) : 0;
  if (ENDS[before] === 0) return 0;
  let verb = from - 1;
  while (from - verb < MAX_VERB + 2 && is(b, verb - 1, ALPHA | LETTER)) verb--;
  if (b[verb - 1] !== BLANK) return 0;
  const isVerb =
    verb === from - 2 || VERBS.some((word) => word.length === from - 1 - verb && isAt(b, verb, word));
  if (!isVerb || !(isAt(b, verb - ID.length, ID) || labelBefore(pass, verb - 1)?.kind === 'username'))
    return 0;
  return named(pass, from);
}

/** A member of a log or a list that gives the account: user=jdoe42. */
const SET = 'user=';
const NAMES = [' user ', ' username ', ' login ', ' account '];
const PASSWORDS = [' pass', ' pw ', ', pass', ', pw ', ' / '];

/** Whether the name at `from` stands between words for an account and a password: try user jdoe42 password …. */
function isBesidePassword(b: Uint8Array, from: number): boolean {
  if (!NAMES.some((name) => isAt(b, from - name.length, name))) return false;
  let to = from;
  while (to - from < MAX_NAME && byteAt(b, to) > BLANK && b[to] !== COMMA) to++;
  return PASSWORDS.some((text) => isAt(b, to, text));
}

/** Whether what ends at `to` calls the account of somebody, at the beginning of its line. */
function ofAccount(b: Uint8Array, to: number): boolean {
  const end = b[to - 1] === BLANK ? to - 1 : to;
  let from = end;
  while (end - from < 16 && is(b, from - 1, ALPHA | LETTER)) from--;
  if (!ACCOUNTS.some((word) => word.length === end - from && isAt(b, from, word))) return false;
  let start = from;
  while (b[start - 1] === BLANK || b[start - 1] === HYPHEN || b[start - 1] === ASTERISK) start--;
  return byteAt(b, start - 1) < BLANK;
}

function named(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  let to = from;
  while (to - from < MAX_NAME && byteAt(b, to) > BLANK && !END.includes(byteAt(b, to))) to++;
  if (b[to - 1] === FULL_STOP) to--;
  if (!pass.isOn(USERNAME) || !isLabelled('username', pass.slice(from, to), false)) return 0;
  pass.found(USERNAME, BARE, from, to);
  return to;
}

const END: readonly number[] = [...',;"\'()<>|'].map((c) => c.charCodeAt(0));
