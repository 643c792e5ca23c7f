import type { Pass } from '../pass.ts';
import {
  ALNUM,
  bitCount,
  byteAt,
  classAt,
  classOf,
  DIGIT,
  hexAt,
  isAt,
  loweredAt,
  unitAt,
  WORD,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import type { Text } from '../text/text.ts';
import { ALPHABET, BASE64, BASE64_URL } from '../tokens/randomness.ts';
import { ByteBuffer, decodeBase64 } from './decode.ts';

/** Encoded content up to this length is not worth a tag: identifiers and short hashes are everywhere. */
export const MAX_UNTAGGED = 64;
/** Characters of the shortest line that an encoder breaks. */
export const MIN_ENCODED_LINE = 60;
/** The longest digests, of 64 bytes: in hexadecimal, and in base64 with its padding. */
const MAX_HEX_DIGEST = 128;
const MAX_BASE64_DIGEST = 88;
/** How far before a digest its name may begin, and how much else may stand in a field that it has to itself. */
const DIGEST_REACH = 32;
/** The names before a digest in lockfiles and web pages (W3C Subresource Integrity). */
const INTEGRITY = ['sha512-', 'sha384-', 'sha256-', 'sha1-'];
const DIGEST_NAME =
  /sha-?\d|md5|hash|digest|checksum|integrity|fingerprint|etag|blake|sum\b|public_?key|p256dh|signature|\bsig\b/;
/** Hexadecimal digits of the digests of SHA-384 and SHA-512. */
const HEX_DIGESTS: readonly number[] = [96, 128];
/** Hexadecimal digits of the longest numbers of algorithms: 4096 bits. */
const MAX_NUMBER = 1024;
/** The names of signatures and numbers of algorithms, right before the literal of their digits. */
const NUMBER_NAME =
  /(?:sig(?!n(?!ature))\w*|modul\w*|prime|expon\w*|generator|order|curve|\b[npqger])(?:\W{0,6}|\W{1,3}0x|\W{1,3}\w{0,12}\W{1,3})$/;
/** The names of a place in a list that goes on, right before its value: next_cursor, pageToken, scroll id. */
const CURSOR_NAME =
  /(?:cursor|scroll[_ -]?id|(?:page|next|continuation|starting|pagination|sync)[_ -]?token)(?:\W{0,8}|\sis\W{1,2})$/i;
/** The names of ids but those of sessions, as keys or before an operator: uploadId, attachment_id. */
const ID_NAME =
  /(?<![sS](?:ession|ESSION)[_-]?)(?:(?<=[a-z\d])I[dD]|(?:^|[_-])[iI][dD])(?:\W{0,3}[:=]\W{0,3})?$/;
/** Characters of the longest cursor or id that is passed over: as many go unseen in words that are too short for a tag. */
const MAX_CURSOR = 512;

/** The class of each character that base64 has, 8 for those that are neither digit nor letter; 0 for all others. */
const ENCODED_KIND = new Uint8Array(256);
for (let c = 0; c < 256; c++) if (isEncoded(c)) ENCODED_KIND[c] = classOf(c) & ALNUM || 8;

/** Characters that are looked at together to tell encoded content from names and numbers with slashes between them. */
const STRETCH = 64;
/**
 * How many of them are of another class than the one before: 41 ± 4 in random content, at most half in names and numbers.
 * In random content of one case, such as hexadecimal or base32, there are 19 to 30.
 */
const MIN_CHANGES = 32;
const MIN_CHANGES_ONE_CASE = 12;
/** Signs in a stretch: 2 ± 1.4 of 64 characters in random content, one between two words in long names: Type_0_is_not_an_array. */
const MAX_SIGNS = 10;

export function isEncoded(c: number): boolean {
  return (unitAt(ALPHABET, c) & (BASE64 | BASE64_URL)) !== 0;
}

/**
 * End of the stretches from `from` on that are base64 of binary data: digits and letters of both cases change as in
 * nothing that is written or counted. Line breaks count for nothing.
 */
export function randomEnd(b: Uint8Array, from: number, to: number): number {
  let start = from;
  for (;;) {
    const end = stretchEnd(b, start, to);
    if (end === 0) return start;
    start = end;
  }
}

/** Where a random stretch from `from` ends; 0 when it is none. */
function stretchEnd(b: Uint8Array, from: number, to: number): number {
  let last = 0;
  let seen = 0;
  let changes = 0;
  let signs = 0;
  let read = 0;
  let i = from;
  for (; i < to && read < STRETCH; i++) {
    const kind = byteAt(ENCODED_KIND, byteAt(b, i));
    if (kind === 0) continue;
    changes += ((kind ^ last) + 15) >> 4; // 1 for a change: a branch here would be mispredicted every other time
    last = kind;
    seen |= kind;
    signs += kind >> 3;
    read++;
  }
  const isRandom = changes >= MIN_CHANGES && signs <= MAX_SIGNS && (seen & ALNUM) === ALNUM;
  return read === STRETCH && isRandom ? i : 0;
}

/** Whether the name of a cursor or an id stands before encoded bytes in their text, or is the key of all of it. */
export function isCursorOrId(pass: Pass, from: number, to: number): boolean {
  if (to - from > MAX_CURSOR) return false;
  const { bytes: b, start, end } = pass.text;
  if (end - start <= MAX_CURSOR && names(pass.member)) return true;
  let before = '';
  for (let i = Math.max(start, from - DIGEST_REACH); i < from; i++)
    before += String.fromCharCode(byteAt(b, i));
  return /\W$/.test(before) && names(before);
}

function names(text: string): boolean {
  return CURSOR_NAME.test(text) || ID_NAME.test(text);
}

/** Whether a long word of digits and letters of one case is encoded data: hexadecimal, base32 or base36. */
export function isRandomWord(b: Uint8Array, from: number, to: number): boolean {
  if (to - from <= MAX_UNTAGGED) return false;
  let changes = 0;
  let letters = 0;
  let was = 0;
  for (let i = from; i < from + STRETCH; i++) {
    const c = byteAt(b, i);
    const is = classOf(c) & DIGIT;
    if (is !== was) changes++;
    if (is === 0) letters |= 1 << (c & 31);
    was = is;
  }
  const variety = bitCount(letters);
  return changes >= MIN_CHANGES_ONE_CASE && variety > 4;
}

/**
 * End of the run of base64 that goes on at `from`: line breaks inside are part of it where lines are as long as encoders
 * make them.
 */
export function runEnd(b: Uint8Array, from: number): number {
  let i = from;
  let line = from;
  for (;;) {
    while (isEncoded(byteAt(b, i))) i++;
    const next = i - line >= MIN_ENCODED_LINE ? nextLine(b, i) : 0;
    if (next === 0) return i;
    i = line = next;
  }
}

/** Where the next line begins when it goes on with base64; 0 when it does not. */
function nextLine(b: Uint8Array, at: number): number {
  let i = b[at] === Char.CARRIAGE_RETURN ? at + 1 : at;
  if (b[i] !== Char.LINE_FEED) return 0;
  i++;
  while (b[i] === Char.BLANK && i - at < 10) i++;
  return unitAt(ALPHABET, byteAt(b, i)) & BASE64 && isEncoded(byteAt(b, i + 1)) ? i : 0;
}

/**
 * Whether encoded bytes are a digest: 16 to 64 bytes that stand alone in their field or line, or whose name stands before
 * them.
 */
export function isDigest(pass: Pass, from: number, to: number, isHexadecimal: boolean): boolean {
  const { bytes: b, start, end } = pass.text;
  if (isHexadecimal && isNumber(pass.text, from, to)) return true;
  if (to - from > (isHexadecimal ? MAX_HEX_DIGEST : MAX_BASE64_DIGEST)) return false;
  if (INTEGRITY.some((name) => isAt(b, from - name.length, name))) return true;
  let others = 0;
  for (let i = Math.max(start, from - DIGEST_REACH); i < from; i++) if (classAt(b, i) & WORD) others++;
  if (others === 0 && from - start < DIGEST_REACH && end - to < 4) return true;
  let before = '';
  for (let i = Math.max(start, from - DIGEST_REACH); i < from; i++)
    before = b[i] === Char.LINE_FEED ? '' : before + String.fromCharCode(loweredAt(b, i));
  if (DIGEST_NAME.test(before)) return true;
  // the lines of sha512sum: the digest, two spaces, a file
  return isHexadecimal && before === '' && b[to] === Char.BLANK && b[to + 1] === Char.BLANK;
}

/** Instructions of the Ethereum virtual machine of which programs are made: jumps, memory, and pushing, copying and swapping few words. */
const OPCODES = new Uint8Array(256);
for (const [first, last] of [
  [0x50, 0x57],
  [0x5b, 0x63],
  [0x80, 0x84],
  [0x90, 0x93],
] as const)
  OPCODES.fill(1, first, last + 1);
const MIN_BYTECODE = 256;
/** Bytes that are looked at; 11 of 100 in random ones are such instructions, and 45 or more in programs. */
const MAX_OPCODES = 512;
const MIN_SHARE = 0.35;

/** Whether hexadecimal digits are a program of a contract, which everybody may read. */
function isBytecode(b: Uint8Array, from: number, to: number): boolean {
  if (to - from < MIN_BYTECODE) return false;
  const last = Math.min(to - 1, from + 2 * MAX_OPCODES);
  let opcodes = 0;
  for (let i = from; i < last; i += 2) opcodes += byteAt(OPCODES, 16 * hexAt(b, i) + hexAt(b, i + 1));
  return opcodes / ((last - from) / 2) > MIN_SHARE;
}

/** Whether hexadecimal digits are as long as a digest, a number in code (0x…), or the number or signature of an algorithm by their name. */
function isNumber({ bytes: b, start, end }: Text, from: number, to: number): boolean {
  const isCut = from === start || to === end;
  if (HEX_DIGESTS.includes(to - from) || (isCut && to - from < MAX_HEX_DIGEST)) return true;
  if (isBytecode(b, from, to)) return true;
  if (to - from > MAX_NUMBER) return false;
  if (loweredAt(b, from - 1) === 120 && b[from - 2] === Char.DIGIT_0) return true;
  let before = '';
  for (let i = Math.max(start, from - DIGEST_REACH); i < from; i++)
    before += String.fromCharCode(loweredAt(b, i));
  return NUMBER_NAME.test(before);
}

/**
 * Encoded data that everybody may see, and that is therefore not reported as unread: keys and certificates that are
 * published, descriptors of protobuf, and links of services whose paths are encoded. The structure of the data tells, not
 * what stands before it.
 */
export function isPublicData(b: Uint8Array, from: number, to: number): boolean {
  return (
    isSshKey(b, from, to) ||
    isDer(b, from, to) ||
    isEcdsa(b, from, to) ||
    isSignature(b, from, to) ||
    isDescriptor(b, from) ||
    isPublicLink(b, to) ||
    isEncryptedSetting(b, from, to)
  );
}

const head = new ByteBuffer();
/** Bytes that are decoded to tell a structure: the longest path of a descriptor, and its two bytes. */
const HEAD = 130;
/** Bytes of the largest of these that counts: a certificate with many names. */
const MAX_SIZE = 16_384;

function readHead(b: Uint8Array, from: number): Uint8Array {
  decodeBase64(b, from, from + Math.ceil((HEAD * 4) / 3), head);
  return head.bytes;
}

/** Bytes that base64 between two places stands for; line breaks and escapes of them are skipped. */
function decodedSize(b: Uint8Array, from: number, to: number): number {
  decodeBase64(b, from, to, whole);
  return whole.length;
}
const whole = new ByteBuffer();

/** The first characters of SSH public keys (RFC 4253) in base64: the length of the algorithm's name, and the name. */
const SSH =
  'aaaab3nzac1yc2e aaaac3nzac1lzdi1nte5 aaaae2vjzhnhlxnoyti aaaab3nzac1kc3m aaaagnnrlxnza aaaainnrlwvjzhnhl'.split(
    ' ',
  );

function isSshKey(b: Uint8Array, from: number, to: number): boolean {
  if (b[from] !== 65 || to - from > MAX_SIZE || !SSH.some((name) => isAt(b, from, name))) return false;
  // fields with their lengths before them, and nothing behind the last one
  const size = decodedSize(b, from, to);
  let at = 0;
  while (at + 4 <= size) {
    const { bytes } = whole;
    at +=
      4 +
      ((byteAt(bytes, at) << 24) |
        (byteAt(bytes, at + 1) << 16) |
        (byteAt(bytes, at + 2) << 8) |
        byteAt(bytes, at + 3));
  }
  return at === size;
}

const SEQUENCE = 0x30;

/** Whether base64 between two places is a certificate, a request for one or a public key: a sequence in DER as long as all of it, whose first member is one too. A private key begins with its version. */
export function isDer(b: Uint8Array, from: number, to: number): boolean {
  if (b[from] !== 77 || to - from > 2 * MAX_SIZE) return false;
  const bytes = readHead(b, from);
  if (bytes[0] !== SEQUENCE) return false;
  const first = byteAt(bytes, 1);
  const lengthBytes = first > 0x80 ? first - 0x80 : 0;
  if (lengthBytes > 2) return false;
  let size = lengthBytes === 0 ? first : 0;
  for (let i = 0; i < lengthBytes; i++) size = (size << 8) | byteAt(bytes, 2 + i);
  const body = 2 + lengthBytes;
  return bytes[body] === SEQUENCE && decodedSize(b, from, to) === body + size;
}

const INTEGER = 0x02;
/** Bytes of the largest signature: of P-521. */
const MAX_ECDSA = 139;

/** Whether base64 between two places is a signature of ECDSA (RFC 3279): a sequence in DER of two numbers, and nothing else. */
function isEcdsa(b: Uint8Array, from: number, to: number): boolean {
  if (b[from] !== 77 || to - from > 2 * MAX_ECDSA) return false;
  const size = decodedSize(b, from, to);
  const { bytes } = whole;
  const first = bytes[1] === 0x81 ? 3 : 2;
  if (size > MAX_ECDSA || bytes[0] !== SEQUENCE || byteAt(bytes, first - 1) !== size - first) return false;
  const second = first + 2 + byteAt(bytes, first + 1);
  return (
    bytes[first] === INTEGER && bytes[second] === INTEGER && second + 2 + byteAt(bytes, second + 1) === size
  );
}

/** The first byte of the packet of a signature (RFC 9580), by the bytes of its length, in the old format and in the new one. */
const OLD_SHORT = 0x88;
const OLD_LONG = 0x89;
const NEW = 0xc2;
/** The length of the new format from which on it takes two bytes. */
const TWO_BYTES = 192;
const VERSIONS: readonly number[] = [3, 4, 5, 6];

/** Whether base64 between two places is a detached signature of OpenPGP: one packet as long as all of it, then its version. */
function isSignature(b: Uint8Array, from: number, to: number): boolean {
  if (to - from > MAX_SIZE) return false;
  const bytes = readHead(b, from);
  const [kind, first, second] = [byteAt(bytes, 0), byteAt(bytes, 1), byteAt(bytes, 2)];
  let body = 2;
  let size = first;
  if (kind === OLD_LONG) {
    body = 3;
    size = (first << 8) | second;
  } else if (kind === NEW && first >= TWO_BYTES) {
    body = 3;
    size = ((first - TWO_BYTES) << 8) + second + TWO_BYTES;
  } else if (kind !== OLD_SHORT && kind !== NEW) return false;
  return VERSIONS.includes(byteAt(bytes, body)) && decodedSize(b, from, to) === body + size;
}

/** A descriptor of protobuf: the path of its file comes first. */
function isDescriptor(b: Uint8Array, from: number): boolean {
  if (b[from] !== 67) return false;
  const bytes = readHead(b, from);
  const size = byteAt(bytes, 1);
  if (bytes[0] !== 0x0a || size < 7 || size + 2 > HEAD) return false;
  return isAt(bytes, 2 + size - '.proto'.length, '.proto');
}

/** Letters of base64 of what a key of RSA encrypts, without padding, by its bits: 1024, 2048, 4096. */
const ENCRYPTED: readonly number[] = [171, 342, 683];

/** Whether base64 is the value of a setting that only the service it is for can decrypt: `secure: …` of Travis and AppVeyor. */
function isEncryptedSetting(b: Uint8Array, from: number, to: number): boolean {
  let end = to;
  while (b[end - 1] === Char.EQUALS_SIGN) end--;
  const at = QUOTES.includes(byteAt(b, from - 1)) ? from - 1 : from;
  return ENCRYPTED.includes(end - from) && isAt(b, at - 'secure: '.length, 'secure: ');
}
const QUOTES: readonly number[] = [Char.DOUBLE_QUOTE, Char.SINGLE_QUOTE];

/** Services whose links are long because what they show is in them, or because their names of images are random. */
const HOSTS = ('googleusercontent.com ggpht.com gstatic.com play.google.com typescriptlang.org typescript-play.js.org babeljs.io svelte.dev play.vuejs.org ' +
'sfc.vuejs.org jsonnet.org stackblitz.com codesandbox.io biomejs.dev play.rust-lang.org godbolt.org mermaid.live mermaid.ink plantuml.com ' +
'kroki.io excalidraw.com play.tailwindcss.com playground.solidjs.com regex101.com cdninstagram.com fbcdn.net licdn.com twimg.com ' +
'media-amazon.com ytimg.com githubusercontent.com gravatar.com').split(' '); // biome-ignore format: hosts read better in rows
const MAX_LINK = 4096;
const MAX_HOST = 80;

/** Whether content that ends at `to` is part of the path or fragment of a link of such a service. */
function isPublicLink(b: Uint8Array, to: number): boolean {
  let at = to;
  while (
    to - at < MAX_LINK &&
    byteAt(b, at - 1) > Char.BLANK &&
    !(b[at] === Char.SLASH && b[at + 1] === Char.SLASH && b[at - 1] === Char.COLON_SIGN)
  )
    at--;
  if (b[at] !== Char.SLASH || b[at - 1] !== Char.COLON_SIGN) return false;
  const host = at + 2;
  let end = host;
  while (end - host < MAX_HOST && byteAt(b, end) > Char.BLANK && b[end] !== Char.SLASH) end++;
  if (b[end] !== Char.SLASH || end >= to) return false;
  return HOSTS.some((name) => {
    const begin = end - name.length;
    return isAt(b, begin, name) && (begin === host || (begin > host && b[begin - 1] === Char.FULL_STOP));
  });
}
