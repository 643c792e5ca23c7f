import { CHECKSUM } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { byteAt, classAt, DIGIT, endOf, hexAt, isExactly, unitAt, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { ALPHABET, ALPHANUMERIC, BASE64, BASE64_URL, DOTTED, LOWER_HEX, looksRandom } from './randomness.ts';

const API_KEY = tagId('API_KEY');
const AZURE = tagId('AZURE_SECRET');
const GCP = tagId('GCP_API_KEY');
const SLACK = tagId('SLACK_TOKEN');

/** Tokens that their parts give away, not a prefix. Each returns where it ends, or 0. */

function runEnd(b: Uint8Array, from: number, alphabet: number): number {
  let i = from;
  while (unitAt(ALPHABET, byteAt(b, i)) & alphabet) i++;
  return i;
}

/** Telegram: the number of the bot, a colon, 35 characters that begin with A; the colon is at `at`, and an A behind it. */
export function botToken(pass: Pass, from: number, at: number): number {
  const b = pass.text.bytes;
  if (at - from < 8 || at - from > 10) return 0;
  const end = runEnd(b, at + 1, BASE64_URL);
  if (end - at !== 36) return 0;
  return pass.found(API_KEY, CHECKSUM, from, end);
}

/** Mailchimp: 32 hexadecimal digits, `-us` and the number of the data centre; the word ends at `to`. */
export function dataCentreKey(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (to - from !== 32 || b[to] !== Char.HYPHEN || b[to + 1] !== Char.LOWER_U || b[to + 2] !== Char.LOWER_S)
    return 0;
  for (let i = from; i < to; i++) if (hexAt(b, i) > 15) return 0;
  const end = endOf(b, to + 3, DIGIT);
  if (end === to + 3 || classAt(b, end) & WORD) return 0;
  return pass.found(API_KEY, CHECKSUM, from, end);
}

/** Discord: the number of the bot in base64 (which begins with M, N or O), six characters, 27 to 38 more. */
export function threePartToken(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  const first = byteAt(b, from);
  if (first < 77 || first > 79 || to - from < 23 || to - from > 28 || b[to] !== Char.FULL_STOP) return 0;
  const second = runEnd(b, to + 1, BASE64_URL);
  if (second - to !== 7 || b[second] !== Char.FULL_STOP) return 0;
  const end = runEnd(b, second + 1, BASE64_URL);
  if (end - second < 28 || end - second > 39) return 0;
  return pass.found(API_KEY, CHECKSUM, from, end);
}

/** Addresses that are secrets themselves: who knows the path may post. */
const WEBHOOKS = [
  { tag: SLACK, host: 'hooks.slack.com/services/', min: 24 },
  { tag: SLACK, host: 'hooks.slack.com/workflows/', min: 24 },
  { tag: API_KEY, host: 'discord.com/api/webhooks/', min: 24 },
  { tag: API_KEY, host: 'discordapp.com/api/webhooks/', min: 24 },
  { tag: API_KEY, host: 'hooks.zapier.com/hooks/catch/', min: 12 },
];

/** A webhook's URL from `from`, whose host begins at `host` and which ends at `to`; returns whether it is one. */
export function webhook(pass: Pass, from: number, host: number, to: number): boolean {
  const b = pass.text.bytes;
  for (const { tag, host: name, min } of WEBHOOKS) {
    let i = 0;
    while (i < name.length && b[host + i] === name.charCodeAt(i)) i++;
    if (i < name.length || to - host - i < min) continue;
    pass.found(tag, CHECKSUM, from, to);
    return true;
  }
  return false;
}

/** Microsoft Teams: a connector of a group at outlook.office.com or NAME.webhook.office.com; the path begins at `path`. */
export function teamsWebhook(pass: Pass, from: number, path: number, to: number): boolean {
  const b = pass.text.bytes;
  if (!isExactly(b, path - OFFICE.length, OFFICE) || to - path < 80) return false;
  pass.found(API_KEY, CHECKSUM, from, to);
  return true;
}
const OFFICE = 'office.com';

/** Azure DevOps and other services of Azure: 84 letters and digits, `JQQJ99` after 52, or `AZDO` before the last four. */
export function azureKey(pass: Pass, from: number, to: number): boolean {
  const b = pass.text.bytes;
  if (to - from !== 84 || !(isExactly(b, from + 52, 'JQQJ99') || isExactly(b, from + 76, 'AZDO')))
    return false;
  pass.found(AZURE, CHECKSUM, from, to);
  return true;
}

/** Salesforce: the number of the organisation, which begins with 00D, an exclamation mark at `at`, some hundred characters. */
export function sessionOfSalesforce(pass: Pass, from: number, at: number): number {
  const b = pass.text.bytes;
  if (b[at] !== Char.EXCLAMATION_MARK || !isExactly(b, from, '00D') || (at - from !== 15 && at - from !== 18))
    return 0;
  const end = runEnd(b, at + 1, DOTTED);
  if (end - at < 60 || end - at > 200) return 0;
  return pass.found(API_KEY, CHECKSUM, from, end);
}

/** HCP Terraform: 14 characters, `.atlasv1.`, 60 to 80 more; the first part ends at `to`. */
export function terraformToken(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (to - from !== 14 || b[to] !== Char.FULL_STOP || !isExactly(b, to, '.atlasv1.')) return 0;
  const end = runEnd(b, to + 9, DOTTED);
  if (end - to < 69 || end - to > 89) return 0;
  return pass.found(API_KEY, CHECKSUM, from, end);
}

/** MaxMind: six letters and digits, a low line, 29 more, `_mmk`: the word from `from` to `to`. */
export function licenseOfMaxMind(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (
    !isExactly(b, to - 4, '_mmk') ||
    b[from + 6] !== Char.LOW_LINE_SIGN ||
    runEnd(b, from + 7, ALPHANUMERIC) !== to - 4
  )
    return 0;
  return pass.found(API_KEY, CHECKSUM, from, to);
}

const AUTHRESS = ['sc_', 'ext_', 'scauth_', 'authress_'];

/** Authress: a prefix and five parts, the third one `acc_` or `acc-` and more; the dot before it is at `at`. */
export function authressKey(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (b[at + 4] !== Char.LOW_LINE_SIGN && b[at + 4] !== Char.HYPHEN) return 0;
  let from = at;
  while (at - from < 60 && (unitAt(ALPHABET, byteAt(b, from - 1)) & DOTTED) !== 0) from--;
  if (!AUTHRESS.some((prefix) => isExactly(b, from, prefix))) return 0;
  const end = runEnd(b, at + 1, DOTTED | BASE64);
  if (end - at < 45) return 0;
  return pass.found(API_KEY, CHECKSUM, from, end);
}

/** Facebook: the number of an app, a bar at `to`, 27 to 40 letters and digits. */
export function appToken(pass: Pass, from: number, to: number): number {
  const end = runEnd(pass.text.bytes, to + 1, BASE64_URL);
  if (end - to < 28 || end - to > 41 || !looksRandom(pass.text.bytes, to + 1, end)) return 0;
  return pass.found(API_KEY, CHECKSUM, from, end);
}

const MIN_REFRESH = 43;
const MAX_REFRESH = 240;
/** Digits of the number of an Asana user or token. */
const MIN_GID = 13;
const MAX_GID = 19;
const ASANA_SECRET = 32;

/**
 * Tokens that begin with one digit and a slash: Google's refresh token, `1//0` and at least 43 more; Asana's, one or two
 * numbers, a colon, 32 hexadecimal digits. Returns where it ends, or 0.
 */
export function slashedToken(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (isExactly(b, from + 1, '//0')) {
    const end = runEnd(b, from + 4, BASE64_URL);
    if (end - from < MIN_REFRESH || end - from > MAX_REFRESH || !looksRandom(b, from + 4, end)) return 0;
    return pass.found(GCP, CHECKSUM, from, end);
  }
  let i = numberEnd(b, from + 2);
  if (b[i] === Char.SLASH) i = numberEnd(b, i + 1);
  if (b[i] !== Char.COLON_SIGN) return 0;
  const end = runEnd(b, i + 1, LOWER_HEX);
  if (end - i - 1 !== ASANA_SECRET || classAt(b, end) & WORD) return 0;
  return pass.found(API_KEY, CHECKSUM, from, end);
}

/** Where the number of an Asana user or token that begins at `from` ends; `from` itself for none. */
function numberEnd(b: Uint8Array, from: number): number {
  let i = from;
  while (i - from <= MAX_GID && classAt(b, i) & DIGIT) i++;
  return i - from < MIN_GID || i - from > MAX_GID ? from : i;
}

/**
 * A client secret of Microsoft Entra ID: three characters, a digit and `Q~`, then 31 to 34 more; `q` is where the Q
 * stands. Returns where it ends, or 0.
 */
export function azureSecret(pass: Pass, q: number): number {
  const b = pass.text.bytes;
  if (b[q] !== Char.UPPER_Q || b[q + 1] !== Char.TILDE || byteAt(b, q - 1) < 48 || byteAt(b, q - 1) > 57)
    return 0;
  const from = q - 4;
  for (let i = from; i < q - 1; i++) if (!isPart(byteAt(b, i))) return 0;
  if (classAt(b, from - 1) & WORD) return 0;
  let to = q + 2;
  while (to - q < 40 && isPart(byteAt(b, to))) to++;
  if (to - q < 33 || to - q > 36) return 0;
  return pass.found(AZURE, CHECKSUM, from, to);
}

function isPart(c: number): boolean {
  return (unitAt(ALPHABET, c) & BASE64_URL) !== 0 || c === Char.FULL_STOP || c === Char.TILDE;
}
