import { BLANK, COLON_SIGN, FULL_STOP, SLASH } from '../text/ascii.ts';
import { byteAt, isAt } from '../text/read.ts';
import { ByteBuffer, decodeBase64 } from './decode.ts';

/**
 * Encoded data that everybody may see, and that is therefore not reported as unread: keys and certificates that are
 * published, descriptors of protobuf, and links of services whose paths are encoded. The structure of the data tells, not
 * what stands before it.
 */
export function isPublicData(b: Uint8Array, from: number, to: number): boolean {
  return isSshKey(b, from, to) || isDer(b, from, to) || isDescriptor(b, from) || isPublicLink(b, to);
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
const SSH = [
  'aaaab3nzac1yc2e',
  'aaaac3nzac1lzdi1nte5',
  'aaaae2vjzhnhlxnoyti',
  'aaaab3nzac1kc3m',
  'aaaagnnrlxnza',
  'aaaainnrlwvjzhnhl',
];

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

/** A descriptor of protobuf: the path of its file comes first. */
function isDescriptor(b: Uint8Array, from: number): boolean {
  if (b[from] !== 67) return false;
  const bytes = readHead(b, from);
  const size = byteAt(bytes, 1);
  if (bytes[0] !== 0x0a || size < 7 || size + 2 > HEAD) return false;
  return isAt(bytes, 2 + size - '.proto'.length, '.proto');
}

/** Services whose links are long because what they show is in them, or because their names of images are random. */
const HOSTS = [
  'googleusercontent.com', 'ggpht.com', 'gstatic.com', 'play.google.com', 'typescriptlang.org',
  'typescript-play.js.org', 'babeljs.io', 'svelte.dev', 'play.vuejs.org', 'sfc.vuejs.org', 'jsonnet.org',
  'stackblitz.com', 'codesandbox.io', 'biomejs.dev', 'play.rust-lang.org', 'godbolt.org', 'mermaid.live', 'mermaid.ink', 'plantuml.com', 'kroki.io', 'excalidraw.com', 'play.tailwindcss.com',
  'playground.solidjs.com', 'regex101.com', 'cdninstagram.com', 'fbcdn.net', 'licdn.com', 'twimg.com', 'media-amazon.com', 'ytimg.com', 'githubusercontent.com', 'gravatar.com',
]; // biome-ignore format: hosts read better in rows
const MAX_LINK = 4096;
const MAX_HOST = 80;

/** Whether content that ends at `to` is part of the path or fragment of a link of such a service. */
function isPublicLink(b: Uint8Array, to: number): boolean {
  let at = to;
  while (
    to - at < MAX_LINK &&
    byteAt(b, at - 1) > BLANK &&
    !(b[at] === SLASH && b[at + 1] === SLASH && b[at - 1] === COLON_SIGN)
  )
    at--;
  if (b[at] !== SLASH || b[at - 1] !== COLON_SIGN) return false;
  const host = at + 2;
  let end = host;
  while (end - host < MAX_HOST && byteAt(b, end) > BLANK && b[end] !== SLASH) end++;
  if (b[end] !== SLASH || end >= to) return false;
  return HOSTS.some((name) => {
    const begin = end - name.length;
    return isAt(b, begin, name) && (begin === host || (begin > host && b[begin - 1] === FULL_STOP));
  });
}
