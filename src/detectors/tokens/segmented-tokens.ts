import { CHECKSUM } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { byteAt, is, isExactly, unitAt, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { ALPHABET, BASE64, DOTTED, looksRandom } from './randomness.ts';

const API_KEY = tagId('API_KEY');
const AZURE = tagId('AZURE_SECRET');
const GCP = tagId('GCP_API_KEY');
const SLACK = tagId('SLACK_TOKEN');
/** Characters of the longest token. */
const MAX_TOKEN = 320;

/** Tokens that their parts give away, not a prefix. Each function returns where the token ends, or 0. */

/** A token from `from` on, when its rest, from `at` on, has this form; what the form captures must look drawn by chance. */
function token(pass: Pass, tag: number, from: number, at: number, rest: RegExp): number {
  const matched = rest.exec(pass.plain(at, at + MAX_TOKEN));
  if (matched === null) return 0;
  const [{ length }, random] = matched;
  if (random !== undefined && !looksRandom(pass.text.bytes, at + length - random.length, at + length))
    return 0;
  return pass.found(tag, CHECKSUM, from, at + length);
}

const BOT = /^:[\w-]{35}(?![\w-])/;
/** Telegram: the number of the bot, a colon at `at`, 35 characters that begin with A. */
export function botToken(pass: Pass, from: number, at: number): number {
  return at - from < 8 || at - from > 10 ? 0 : token(pass, API_KEY, from, at, BOT);
}

const DATA_CENTRE = /^[0-9A-Fa-f]{32}-us[0-9]+(?![\w\x80-\xbf])/;
/** Mailchimp: 32 hexadecimal digits, `-us` and the number of the data centre; the word ends at `to`. */
export function dataCentreKey(pass: Pass, from: number, to: number): number {
  const isOne = to - from === 32 && isExactly(pass.text.bytes, to, '-us');
  return isOne ? token(pass, API_KEY, from, from, DATA_CENTRE) : 0;
}

const THREE_PARTS = /^[M-O][\w\x80-\xbf]{22,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/;
/** Discord: the number of the bot in base64 (which begins with M, N or O), six characters, 27 to 38 more. */
export function threePartToken(pass: Pass, from: number, to: number): number {
  const isOne = to - from < 29 && pass.text.bytes[to] === Char.FULL_STOP;
  return isOne ? token(pass, API_KEY, from, from, THREE_PARTS) : 0;
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
  for (const { tag, host: name, min } of WEBHOOKS) {
    if (!isExactly(pass.text.bytes, host, name) || to - host - name.length < min) continue;
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

const SESSION = /^![\w.=-]{59,199}(?![\w.=-])/;
/** Salesforce: the number of the organisation, which begins with 00D, an exclamation mark at `at`, some hundred characters. */
export function sessionOfSalesforce(pass: Pass, from: number, at: number): number {
  const b = pass.text.bytes;
  const isOne = b[at] === Char.EXCLAMATION_MARK && (at - from === 15 || at - from === 18);
  return isOne && isExactly(b, from, '00D') ? token(pass, API_KEY, from, at, SESSION) : 0;
}

const TERRAFORM = /^\.atlasv1\.[\w.=-]{60,80}(?![\w.=-])/;
/** HCP Terraform: 14 characters, `.atlasv1.`, 60 to 80 more; the first part ends at `to`. */
export function terraformToken(pass: Pass, from: number, to: number): number {
  const isOne = to - from === 14 && isExactly(pass.text.bytes, to, '.atlasv1.');
  return isOne ? token(pass, API_KEY, from, to, TERRAFORM) : 0;
}

const MAXMIND = /^.{6}_[A-Za-z0-9]{29}_mmk(?![\w\x80-\xbf])/;
/** MaxMind: six letters and digits, a low line, 29 more, `_mmk`: the word that begins at `from`. */
export function licenseOfMaxMind(pass: Pass, from: number): number {
  return token(pass, API_KEY, from, from, MAXMIND);
}

const AUTHRESS = ['sc_', 'ext_', 'scauth_', 'authress_'];

/** Authress: a prefix and five parts, the third one `acc_` or `acc-` and more; the dot before it is at `at`. */
export function authressKey(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (b[at + 4] !== Char.LOW_LINE_SIGN && b[at + 4] !== Char.HYPHEN) return 0;
  let from = at;
  while (at - from < 60 && (unitAt(ALPHABET, byteAt(b, from - 1)) & DOTTED) !== 0) from--;
  if (!AUTHRESS.some((prefix) => isExactly(b, from, prefix))) return 0;
  const end = runEnd(b, at + 1);
  if (end - at < 45) return 0;
  return pass.found(API_KEY, CHECKSUM, from, end);
}

function runEnd(b: Uint8Array, from: number): number {
  let i = from;
  while (unitAt(ALPHABET, byteAt(b, i)) & (DOTTED | BASE64)) i++;
  return i;
}

const APP = /^\|([\w-]{27,40})(?![\w-])/;
const REFRESH = /^\/\/0([\w-]{39,236})(?![\w-])/;
const ASANA = /^\/(?:[0-9]{13,19}\/)?[0-9]{13,19}:[0-9a-f]{32}(?![\w\x80-\xbf])/;

/** Facebook: the number of an app, a bar at `to`, 27 to 40 letters and digits. */
export function appToken(pass: Pass, from: number, to: number): number {
  return token(pass, API_KEY, from, to, APP);
}

/**
 * Tokens that begin with one digit and a slash: Google's refresh token, `1//0` and at least 39 more; Asana's, one or two
 * numbers, a colon, 32 hexadecimal digits. Returns where it ends, or 0.
 */
export function slashedToken(pass: Pass, from: number): number {
  if (isExactly(pass.text.bytes, from + 1, '//0')) return token(pass, GCP, from, from + 1, REFRESH);
  return token(pass, API_KEY, from, from + 1, ASANA);
}

const ENTRA = /^[\w.~-]{3}[0-9]Q~[\w.~-]{31,34}(?![\w.~-])/;
/** A client secret of Microsoft Entra ID: three characters, a digit and `Q~`, then 31 to 34 more; the Q stands at `q`. */
export function azureSecret(pass: Pass, q: number): number {
  const { bytes: b, start } = pass.text;
  const from = q - 4;
  const isOne = b[q] === Char.UPPER_Q && b[q + 1] === Char.TILDE && from >= start && !is(b, from - 1, WORD);
  return isOne ? token(pass, AZURE, from, from, ENTRA) : 0;
}
