import { CHECKSUM } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import { QUOTE } from '../labels/labels.ts';
import type { Pass } from '../pass.ts';
import { bitCount, byteAt, DIGIT, isBreak, isExactly, setOf, UPPER, unitAt } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import * as A from './randomness.ts';
import { ALPHABET, BASE64, looksDrawn } from './randomness.ts';

/** A token that its first characters give away. */
export interface VendorToken {
  tag: number;
  prefix: string;
  /** Alphabet of what follows the prefix, and how much of it there is. */
  alphabet: number;
  min: number;
  max: number;
  /** Whether the prefix is letters only, which base64 has by chance: then it must not stand inside such a text. */
  isFaint: boolean;
  /** Whether the prefix is so short that names in code begin with it: then there are capitals, as in any drawn text. */
  isShort: boolean;
  /** Whether names in code begin with the prefix too: then what follows looks drawn by chance. */
  isDrawn: boolean;
}

const ALPHABETS: Readonly<Record<string, number>> = {
  hex: A.LOWER_HEX,
  Hex: A.ANY_HEX,
  upper: A.UPPER_DIGIT,
  lower: A.LOWER_DIGIT,
  alnum: A.ALPHANUMERIC,
  word: A.WORD,
  url: A.BASE64_URL,
  base64: A.BASE64,
  dot: A.DOTTED,
  padded: A.PADDED,
  dollar: A.DOLLARED,
};

/**
 * Prefixes, alphabet and length of what follows them, and whether that must look drawn. Where a format is documented, and which ones were only seen in the
 * field, says the table of vendor tokens in docs/data-tags.md.
 */
const ROWS: readonly string[] = [
  'AWS_ACCESS_KEY AKIA,ASIA,ABIA,ACCA upper 16',
  'AWS_ACCESS_KEY A3T upper 17',
  'GITHUB_TOKEN ghp_,gho_,ghu_,ghs_,ghr_ word 36-251',
  'GITHUB_TOKEN github_pat_ word 82',
  'GITLAB_TOKEN glpat-,gldt-,glrt-,glrtr-,glptt-,glft-,glsoat-,glimt-,glagent-,gloas-,glcbt-,glffct-,glwt- dot 20-64',
  'GITLAB_TOKEN GR1348941 url 20',
  'SLACK_TOKEN xoxb-,xoxp-,xoxs-,xoxo-,xoxe-,xapp-,xoxe.xoxb-,xoxe.xoxp-,xoxd-,xoxc- url 20-300',
  'SLACK_TOKEN xoxa-,xoxr- url 10-300',
  'STRIPE_KEY sk_live_,sk_test_,rk_live_,rk_test_,sk_prod_,rk_prod_ alnum 10-247',
  'STRIPE_KEY whsec_ base64 24-80',
  'ANTHROPIC_KEY sk-ant-api03-,sk-ant-admin01-,sk-ant-oat01-,sk-ant-sid01- url 80-120',
  'OPENAI_KEY sk-proj-,sk-svcacct-,sk-admin-,sk-None- url 40-200',
  'OPENAI_KEY sk- alnum 48',
  'API_KEY sk- hex 32',
  'API_KEY sk_ hex 48',
  'API_KEY pat dot 79',
  'GCP_API_KEY AIza url 35',
  'GCP_API_KEY ya29. url 60-400',
  'GCP_API_KEY GOCSPX- url 28',
  'NPM_TOKEN npm_ alnum 36',
  'PYPI_TOKEN pypi- url 85-1200',
  'PYPI_TOKEN pypi-AgE url 50-1200',
  'HUGGINGFACE_TOKEN hf_,api_org_ alnum 34-37',
  'SENDGRID_KEY SG. dot 66',
  'TWILIO_KEY SK,AC Hex 32',
  'API_KEY shpat_,shpca_,shppa_,shpss_ Hex 32',
  'API_KEY dop_v1_,doo_v1_,dor_v1_ Hex 64',
  'API_KEY dp.pt.,dp.ct.,dp.sa.,dp.said.,dp.scim.,dp.audit. alnum 40-44',
  'API_KEY dp.st. dot 40-80',
  'API_KEY hvs.,hvb.,hvr. url 24-220',
  'API_KEY glsa_ url 41',
  'API_KEY glc_ base64 32-400',
  'API_KEY dapi hex 32-34',
  'API_KEY lin_api_ alnum 40',
  'API_KEY NRAK-,NRII-,NRJS-,NRIQ- url 19-40',
  'API_KEY PMAK- url 59',
  'API_KEY PMAT- url 26',
  'API_KEY pscale_tkn_,pscale_pw_,pscale_oauth_ dot 32-64',
  'API_KEY pul- hex 40',
  'API_KEY rubygems_ hex 48',
  'API_KEY rdme_ lower 70',
  'API_KEY xkeysib-,xsmtpsib- url 81',
  'API_KEY sntrys_ padded 80-300',
  'API_KEY sntryu_ hex 64',
  'API_KEY shippo_live_,shippo_test_ Hex 40',
  'API_KEY squ_,sqp_,sqa_ hex 40',
  'API_KEY sgp_ url 40-64',
  'API_KEY sq0atp-,sq0csp-,sq0idp- url 22-43',
  'API_KEY EAAA url 60',
  'API_KEY EAACEdEose0cBA,EAAM,EAAC alnum 60-300',
  'API_KEY EAA alnum 100-400',
  'API_KEY IGQV,IGAA url 100-300',
  'API_KEY tskey-api-,tskey-auth-,tskey-client-,tskey-scim-,tskey-webhook- url 20-64',
  'API_KEY tfp_ dot 59',
  'API_KEY figd_ url 40-44',
  'API_KEY sbp_,sbp_oauth_ hex 40',
  'API_KEY gsk_ alnum 52',
  'API_KEY xai- alnum 80',
  'API_KEY r8_ alnum 37',
  'API_KEY pplx- alnum 48-56',
  'API_KEY lsv2_pt_,lsv2_sk_ url 43',
  'API_KEY pcsk_ url 60-80',
  'API_KEY CFPAT- url 43',
  'API_KEY dckr_pat_,dckr_oat_ url 27-40',
  'API_KEY CCIPAT_,CCIPRJ_ url 40-80',
  'API_KEY bkua_ alnum 40-60',
  'API_KEY bkaa_ alnum 40-80',
  'API_KEY access-sandbox-,access-development-,access-production- url 36',
  'API_KEY rzp_live_,rzp_test_ alnum 14',
  'API_KEY ATATT3,ATCTT3 dot 60-260',
  'API_KEY ATBB alnum 32',
  'API_KEY AKCp alnum 69',
  'API_KEY cmVmd alnum 59',
  'API_KEY AGE-SECRET-KEY-1 upper 58',
  'API_KEY p8e- alnum 32',
  'API_KEY LTAI alnum 12-24',
  'API_KEY CLOJARS_ alnum 60',
  'API_KEY duffel_test_,duffel_live_ dot 43',
  'API_KEY dt0c01.,dt0s01.,dt0s16. dot 89-96',
  'API_KEY EZAK,EZTK alnum 54',
  'API_KEY FLWSECK_TEST-,FLWPUBK_TEST-,FLWSECK-,FLWPUBK- url 12-36',
  'API_KEY fo1_ url 43',
  'API_KEY fm2_,fm1r_,fm1a_ base64 80-700',
  'API_KEY fio-u- dot 64',
  'API_KEY pat-na1-,pat-eu1- url 36',
  'API_KEY HRKU-AA url 58',
  'API_KEY ico- alnum 32',
  'API_KEY s4t2ud-,s4t2af- hex 64',
  'API_KEY key-,pubkey- hex 32',
  'API_KEY pk.eyJ,sk.eyJ,tk.eyJ dot 60-200',
  'API_KEY ntn_ alnum 43-50',
  'API_KEY secret_ alnum 43',
  'API_KEY sha256~ url 43',
  'API_KEY pnu_ alnum 36',
  'API_KEY sm_aat_,sm_pat_,sm_sat_ alnum 16',
  'API_KEY nfp_ alnum 36-44',
  'API_KEY napi_ lower 48-70',
  'API_KEY oy2 lower 43',
  'API_KEY cio alnum 32',
  'API_KEY SCW upper 17',
  'API_KEY sl.,sl.u. url 60-1400',
  'API_KEY re_ url 32-36',
  'API_KEY ops_eyJ dot 250-1200',
  'API_KEY ops_eyJ base64 250-1200',
  'API_KEY nvapi- url 64-70',
  'API_KEY phc_,phx_,phs_,pha_,phr_ alnum 40-48',
  'API_KEY AQVN url 35-38',
  'API_KEY YC url 38',
  'API_KEY t1. dot 88-400',
  'API_KEY y0_,y1_,y2_,y3_ url 55',
  'API_KEY ysc2_ alnum 48',
  'API_KEY live_pk_,live_sk_,test_pk_,test_sk_ alnum 24-60',
  'API_KEY b_ url 44',
  'API_KEY v1.0- url 171',
  'API_KEY cfk_,cfut_,cfat_ word 41-64',
  'API_KEY packagist_ort_,packagist_out_,packagist_uut_ hex 68',
  'API_KEY xaat-,xapt- url 36',
  'API_KEY sk-or-v1- hex 64',
  'API_KEY ABSKQmVkcm9ja0FQSUtleS base64 60-120',
  'API_KEY tvly- url 32-58',
  'API_KEY aio_ alnum 28',
  'API_KEY jina_ alnum 60',
  'API_KEY fc- hex 32',
  'API_KEY sk-lf-,pk-lf- url 36',
  'API_KEY e2b_ hex 40',
  'API_KEY tgp_v1_ url 43',
  'API_KEY rnd_ alnum 28',
  'API_KEY mdb_sa_sk_ url 40',
  'API_KEY apify_api_ alnum 36',
  'API_KEY sb_secret_ url 31',
  'API_KEY 4b1d alnum 38',
  'API_KEY dnkey- dot 79',
  'API_KEY eyJrIjoi alnum 70-400',
  'API_KEY pat.,sat. dot 68',
  'API_KEY API- upper 26',
  'API_KEY tk-us- url 48',
  'API_KEY A3- url 36-37',
  'API_KEY fw_ alnum 24',
  'API_KEY csk- lower 48',
  'API_KEY pa- url 43 drawn',
  'API_KEY mlsn. Hex 64',
  'API_KEY vcp_,vci_,vca_,vcr_,vck_ alnum 56',
  'API_KEY hcaik_,hcxik_,hcamk_ lower 58',
  'API_KEY pylf_v1_us_,pylf_v1_eu_,pylf_v2_us_,pylf_v2_eu_ alnum 40-60',
  'API_KEY access_token$production$,access_token$sandbox$ dollar 49',
  'API_KEY live_,test_ Hex 35 drawn',
  'API_KEY live_ dot 40 drawn',
  'API_KEY live_ alnum 30 drawn',
  'API_KEY pdl_live_apikey_,pdl_sdbx_apikey_ word 53',
  'API_KEY lin_oauth_ Hex 64',
  'API_KEY pk_ word 39-42 drawn',
  'API_KEY ion_ lower 42',
  'API_KEY ddp_,ddo_ alnum 36',
  'API_KEY dbtc_,dbtu_,dbts_ url 40-60 drawn',
  'API_KEY AKID alnum 32',
  'API_KEY secret-live-,secret-test- dot 36-60',
  'API_KEY secret- alnum 40-50 drawn',
  'API_KEY sdk- url 36 drawn',
  'API_KEY retool_01 lower 24',
  'API_KEY CCDB1_ word 63',
  'API_KEY mfa. url 84',
];

export const vendorTokens: readonly VendorToken[] = ROWS.flatMap((row) => {
  const [tag = '', prefixes = '', alphabet = '', size = '', drawn = ''] = row.split(' ');
  const [min = '', max = min] = size.split('-');
  return prefixes.split(',').map((prefix) => ({
    tag: tagId(tag),
    prefix,
    alphabet: ALPHABETS[alphabet] as number,
    min: Number(min),
    max: Number(max),
    isShort: prefix.length < 4 && !/^(?:hex|Hex|upper|lower)$/.test(alphabet),
    isDrawn: drawn !== '',
    isFaint: tag === 'API_KEY' && /^[A-Za-z0-9]+$/.test(prefix),
  }));
});

const NONE: readonly VendorToken[] = [];
/** Tokens by their first two characters. */
const buckets: (readonly VendorToken[])[] = new Array(128 * 128).fill(NONE);
/** The places that two characters may have: the first of a token, or the last before a dash or low line of its prefix. */
const OPENS = 1;
const ENDS_PREFIX = 2;
const PAIRS = new Uint8Array(128 * 128);

/** The signs that part a prefix. */
const SIGNS = '-_.~';
const pairOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127);

function mark(pair: number, bit: number): void {
  PAIRS[pair] = byteAt(PAIRS, pair) | bit;
}

for (const token of vendorTokens) {
  const { prefix } = token;
  const pair = pairOf(prefix.charCodeAt(0), prefix.charCodeAt(1));
  const others = buckets[pair] as readonly VendorToken[];
  // longer prefixes first: sk-ant- before sk-
  buckets[pair] =
    others === NONE ? [token] : [...others, token].sort((x, y) => y.prefix.length - x.prefix.length);
  mark(pair, OPENS);
  for (let i = 2; i < prefix.length; i++) {
    if (SIGNS.includes(prefix.charAt(i)))
      mark(pairOf(prefix.charCodeAt(i - 2), prefix.charCodeAt(i - 1)), ENDS_PREFIX);
  }
}
mark(pairOf(101, 121), OPENS); // eyJ of a JSON web token

/** Whether any token begins with the two bytes at `from`: tells nearly every word that it is none. */
export function opensVendor(b: Uint8Array, from: number): boolean {
  return (byteAt(PAIRS, pairOf(byteAt(b, from), byteAt(b, from + 1))) & OPENS) !== 0;
}

/** Whether a text begins with a token's whole prefix. */
export function opensAsToken(text: string): boolean {
  const pair = pairOf(text.charCodeAt(0), text.charCodeAt(1));
  // a list of objects is farther away than a byte
  if ((byteAt(PAIRS, pair) & OPENS) === 0) return false;
  return (buckets[pair] as readonly VendorToken[]).some(({ prefix }) => text.startsWith(prefix));
}

/** Whether a token's whole prefix is at `from`. */
export function startsVendor(b: Uint8Array, from: number): boolean {
  const candidates = buckets[pairOf(byteAt(b, from), byteAt(b, from + 1))] as readonly VendorToken[];
  return candidates.some(({ prefix }) => isExactly(b, from, prefix));
}

/** Whether the prefix of any token has the two bytes before the dash or low line at `at`. */
export function endsPrefix(b: Uint8Array, at: number): boolean {
  return (byteAt(PAIRS, pairOf(byteAt(b, at - 2), byteAt(b, at - 1))) & ENDS_PREFIX) !== 0;
}

/** A vendor's token that begins at `from`; returns where it ends, or 0. */
export function vendorToken(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (from < pass.overlongEnd) return 0;
  const candidates = buckets[pairOf(byteAt(b, from), byteAt(b, from + 1))] as readonly VendorToken[];
  for (let k = 0; k < candidates.length; k++) {
    const token = candidates[k] as VendorToken;
    if (!isExactly(b, from, token.prefix)) continue;
    const end = bodyEnd(pass, from + token.prefix.length, token);
    if (end === 0 || (token.isDrawn && !looksDrawn(b, from + token.prefix.length, end))) continue;
    if (token.isFaint && (isBase64Only(b[from - 1]) || isBase64Only(b[end]))) continue;
    pass.found(token.tag, CHECKSUM, from, end);
    return token.tag === ACCESS_KEY ? secretBeside(pass, end) : end;
  }
  return 0;
}

const ACCESS_KEY = tagId('AWS_ACCESS_KEY');
const SECRET_KEY = tagId('AWS_SECRET_KEY');
const SECRET_SIZE = 40;
const PARTS = [...`"', :`].map((c) => c.charCodeAt(0));
const MAX_PARTS = 4;

/** AWS: the secret of 40 characters right behind the access key that ends at `at`, in a row or among arguments. Returns where all ends. */
function secretBeside(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let from = at;
  while (from - at < MAX_PARTS && PARTS.includes(byteAt(b, from))) from++;
  let to = from;
  while (to - from <= SECRET_SIZE && unitAt(ALPHABET, byteAt(b, to)) & BASE64) to++;
  if (from === at || to - from !== SECRET_SIZE || !looksDrawn(b, from, to)) return at;
  return pass.found(SECRET_KEY, CHECKSUM, from, to);
}

/** Bytes that base64 has and tokens of letters and digits do not. */
function isBase64Only(c: number | undefined): boolean {
  return c === Char.PLUS || c === Char.SLASH;
}

/** End of a body of the right alphabet, length and variety; a line break inside one of fixed length is passed over. */
function bodyEnd(pass: Pass, from: number, token: VendorToken): number {
  const { bytes: b, end } = pass.text;
  const { alphabet, min, max } = token;
  let read = 0;
  let low = 0;
  let high = 0;
  let capitals = 0;
  let i = from;
  for (; i < end && read <= max; i++) {
    const c = byteAt(b, i);
    if (unitAt(ALPHABET, c) & alphabet) {
      read++;
      if (c < 64) low |= 1 << (c & 31);
      else high |= 1 << (c & 31);
      if (c > 64 && c < 91) capitals++;
    } else {
      let size = read > 0 && read < min ? partingSize(b, i) : 0;
      if (
        c === Char.BLANK &&
        read >= MIN_PIECE &&
        read < min &&
        isRest(b, i + 1, alphabet, min - read, max - read)
      )
        size = 1;
      if (size === 0 || (unitAt(ALPHABET, byteAt(b, i + size)) & alphabet) === 0) break;
      i += size - 1;
    }
  }
  if (b[i - 1] === Char.FULL_STOP && read > min) {
    i--;
    read--;
  }
  if (read > max) pass.overlongEnd = i;
  if (read < min || read > max || (token.isShort && capitals === 0)) return 0;
  return bitCount(low) + bitCount(high) < Math.min(8, min / 3) ? 0 : i; // xxxxxxxx: a placeholder
}

const MAX_PARTING = 12;

/** Characters of the pieces of a token with a blank between them. */
const MIN_PIECE = 4;

/** Whether the word at `from` is the rest of a token: as long as that, with digits, and with capitals where these are more than small letters. */
function isRest(b: Uint8Array, from: number, alphabet: number, min: number, max: number): boolean {
  let to = from;
  while (to - from <= max && unitAt(ALPHABET, byteAt(b, to)) & alphabet) to++;
  const kinds = A.classes(b, from, to);
  return (
    to - from >= Math.max(min, MIN_PIECE) &&
    to - from <= max &&
    (kinds & DIGIT) !== 0 &&
    (kinds & UPPER) !== 0
  );
}

/** 1 for the operators that join literals. */
const JOINS = setOf('.|+&,~');

/**
 * Size of what stands between two parts of a token: a line break, with the backslash of a shell before it, signs of emphasis, or
 * quotes that end and begin literals, beside each other or with an operator between them.
 */
function partingSize(b: Uint8Array, at: number): number {
  let i = at;
  const quote = byteAt(b, i);
  if (QUOTE[quote] === 1) {
    i++;
    while (
      i - at < MAX_PARTING &&
      (byteAt(b, i) <= Char.BLANK || b[i] === Char.BACKSLASH || JOINS[byteAt(b, i)] === 1)
    )
      i++;
    return b[i] === quote ? i + 1 - at : 0;
  }
  if (quote === Char.ASTERISK && b[i + 1] === Char.ASTERISK) return 2;
  if (b[i] === Char.BACKSLASH) i++;
  const line = i;
  while (isBreak(byteAt(b, i)) && i - line < 2) i++;
  return i > line ? i - at : 0;
}
