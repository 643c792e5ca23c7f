import { CHECKSUM, FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { ALPHA, CLASS, SPACE } from '../text/bytes.ts';
import { isAt } from '../text/read.ts';
import { isFiller } from './plain-words.ts';
import { teamsWebhook, webhook } from './segmented-tokens.ts';

const CONNECTION = tagId('CONNECTION_STRING');
const URL = tagId('URL');
const MAX_URL = 2048;
const MAX_AUTHORITY = 300;

/**
 * A URL whose `://` begins at `at`: a connection string when its authority has a user and a password (RFC 3986
 * userinfo), else, where that is wanted, a URL. Returns where to go on, or 0.
 */
export function locator(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (b[at + 1] !== 47 || b[at + 2] !== 47) return 0;
  let from = at;
  while (at - from < 20 && isScheme(b[from - 1] as number)) from--;
  if (at - from < 2) return 0;
  const user = at + 3;
  let colon = 0;
  let host = 0;
  let i = user;
  for (; i - user < MAX_AUTHORITY && !ends(b[i] as number) && b[i] !== 47 && b[i] !== 63; i++) {
    if (b[i] === 58 && colon === 0) colon = i;
    if (b[i] === 64) host = i;
  }
  const hasPassword =
    colon !== 0 && host > colon + 1 && !isReference(b, colon + 1) && !isExample(pass, user, colon, host);
  const mayHook = b[user] === 104 || b[user] === 100 || opensHook(b, i); // hooks., discord
  if (!hasPassword && (at < pass.urlEnd || !(mayHook || pass.isOn(URL)))) return 0;
  let to = i;
  while (to - from < MAX_URL && !ends(b[to] as number)) to++;
  while (isTrailing(b[to - 1] as number)) to--;
  if (hasPassword) {
    pass.found(CONNECTION, CHECKSUM, from, to);
    return to;
  }
  pass.urlEnd = to;
  if (mayHook && (webhook(pass, from, user, to) || teamsWebhook(pass, from, i, to))) return to;
  if (hasHost(b, host === 0 ? user : host + 1, i)) pass.found(URL, FORMATTED, from, to);
  return 0;
}

/** Whether the path from `at` begins as that of a webhook of Teams does. */
function opensHook(b: Uint8Array, at: number): boolean {
  return b[at] === 47 && b[at + 1] === 119 && b[at + 2] === 101 && b[at + 3] === 98 && b[at + 4] === 104;
}

function isScheme(c: number): boolean {
  return ((CLASS[c] as number) & ALPHA) !== 0 || c === 43 || c === 45 || (c >= 48 && c <= 57);
}

function ends(c: number): boolean {
  return (
    c === 0 ||
    ((CLASS[c] as number) & SPACE) !== 0 ||
    c === 34 ||
    c === 39 ||
    c === 60 ||
    c === 62 ||
    c === 96
  );
}

const EXAMPLE_USERS = new Set(['guest', 'foo', 'user', 'username']);

/** Whether user and password only stand for some: user:pass, foo:bar, guest:guest. */
export function isExample(pass: Pass, user: number, colon: number, host: number): boolean {
  const password = pass.slice(colon + 1, host).toLowerCase();
  if (password.length > 24) return false;
  if (isAt(pass.text.bytes, user, 'your')) return true;
  const name = pass.slice(user, colon).toLowerCase();
  return (
    (name !== '' && isFiller(name) && isFiller(password)) || (password === name && EXAMPLE_USERS.has(name))
  );
}

/** ${PASSWORD}, <password>, {{…}}: a template, not a value. */
export function isReference(b: Uint8Array, at: number): boolean {
  return b[at] === 36 || b[at] === 123 || b[at] === 60 || b[at] === 42 || (b[at] === 37 && b[at + 1] === 123);
}

function isTrailing(c: number): boolean {
  return c === 46 || c === 44 || c === 41 || c === 59 || c === 33 || c === 93;
}

/** A host has a dot inside, or is in brackets. */
function hasHost(b: Uint8Array, from: number, to: number): boolean {
  if (b[from] === 91) return true;
  for (let i = from + 1; i < to - 1; i++) if (b[i] === 46) return true;
  return false;
}
