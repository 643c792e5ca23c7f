/** Values that are plain when nothing is done to them. */
export const VALUES: Readonly<Record<string, string>> = {
  CREDIT_CARD: '4111 1111 1111 1111',
  US_SSN: '536-22-1847',
  EMAIL_ADDRESS: 'jane.doe@example.com',
  IBAN_CODE: 'DE89370400440532013000',
  GITHUB_TOKEN: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
  AWS_ACCESS_KEY: 'AKIAZ7Q4W3XMEVUB5TFN',
};

const middle = (text: string): number => text.length >> 1;
const between = (mark: string) => (text: string) =>
  `${text.slice(0, middle(text))}${mark}${text.slice(middle(text))}`;
const each = (make: (unit: string) => string) => (text: string) => [...text].map(make).join('');
const hex = (text: string, separator: string): string =>
  [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, '0')).join(separator);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const said = (text: string): string => `please use ${text} for it, thanks`;

/** Ways to write a value so that a reader or a program still has it, and a pattern may not. */
export const OBFUSCATIONS: Readonly<Record<string, (text: string) => unknown>> = {
  'zero-width space': between('\u200b'),
  'zero-width joiner': between('\u200d'),
  'word joiner': between('\u2060'),
  'soft hyphen': between('\u00ad'),
  'variation selector': between('\u{e0100}'),
  'braille blank': between('\u2800'),
  'byte order mark': between('\ufeff'),
  'control character': between('\u0001'),
  'null character': between('\0'),
  'colour of a terminal': between('\u001b[31m'),
  'full-width forms': each((c) =>
    c > ' ' && c < '\x7f' ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c,
  ),
  'mathematical digits': each((c) => (c >= '0' && c <= '9' ? String.fromCodePoint(0x1d7ce + Number(c)) : c)),
  'Arabic digits': each((c) => (c >= '0' && c <= '9' ? String.fromCharCode(0x660 + Number(c)) : c)),
  'HTML references': each((c) => `&#${c.charCodeAt(0)};`),
  'HTML references in hexadecimal': each((c) => `&#x${c.charCodeAt(0).toString(16)};`),
  'an element': between('<b></b>'),
  'a comment of HTML': between('<!-- -->'),
  '<wbr>': between('<wbr>'),
  'percent encoding': each((c) => `%${c.charCodeAt(0).toString(16)}`),
  'percent encoding twice': (text) =>
    encodeURIComponent(each((c) => `%${c.charCodeAt(0).toString(16)}`)(text)),
  'escapes of JSON': each((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'escapes of code points': each((c) => `\\u{${c.charCodeAt(0).toString(16)}}`),
  'escapes in hexadecimal': each((c) => `\\x${c.charCodeAt(0).toString(16)}`),
  'escapes in octal': each((c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify({ note: said(text) })),
  base64: (text) => base64(said(text)),
  'base64 twice': (text) => base64(base64(said(text))),
  'base64 of UTF-16': (text) => Buffer.from(said(text), 'utf16le').toString('base64'),
  'base64url in a path': (text) => `/a/${Buffer.from(said(text)).toString('base64url')}/b`,
  hexadecimal: (text) => hex(said(text), ''),
  'hexadecimal with spaces': (text) => hex(said(text), ' '),
  'a list of bytes': (text) => [...Buffer.from(said(text))],
  'a buffer': (text) => Buffer.from(said(text)).toJSON(),
  'joined literals': (text) => `x = "${text.slice(0, middle(text))}" + "${text.slice(middle(text))}"`,
  'an array of characters': (text) => [...text],
  'an array of parts': (text) => [text.slice(0, middle(text)), text.slice(middle(text))],
  'a line break': between('\n'),
  'letters of another script': each((c) => ({ a: 'а', e: 'е', A: 'А', E: 'Е', D: 'D' })[c] ?? c),
  backwards: (text) => [...text].reverse().join(''),
  ROT13: each((c) =>
    /[a-z]/i.test(c) ? String.fromCharCode((((c.charCodeAt(0) & 31) + 12) % 26) + (c < 'a' ? 65 : 97)) : c,
  ),
};
