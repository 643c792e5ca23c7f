import { type Mistake, otherTypes } from './mistakes.ts';

/** An object so many levels deep. */
const nested = (depth: number): object => (depth === 1 ? {} : { a: nested(depth - 1) });

export const metadata: Mistake[] = [
  {
    name: '17 levels',
    value: nested(17),
    at: '/a'.repeat(16),
    message: /^must not be nested deeper than 16 levels$/,
  },
  { name: 'NUL in a text', value: { a: ['\0'] }, at: '/a/0', message: /^must not contain NUL characters$/ },
  { name: 'NUL in a key', value: { '\0': 1 }, at: '/\0', message: /^must not contain NUL characters$/ },
];
/** `{"a":"…"}` is 8 bytes around its text; `ü` is two bytes and one character. */
export const metadataBytes: Mistake[] = [
  {
    name: '16,385 bytes',
    value: { a: 'x'.repeat(16_377) },
    message: /^must be at most 16384 bytes of JSON$/,
  },
  {
    name: 'few characters, many bytes',
    value: { a: 'ü'.repeat(8_189) },
    message: /^must be at most 16384 bytes/,
  },
];

// biome-ignore format: short texts read better in rows
export const callbackUrl: Mistake[] = [
  '', 'x', '/relative', '//example.com/x', 'http://', 'ftp://example.com', 'file:///etc/passwd',
  'javascript:alert(1)', 'https://user@example.com', 'https://user:word@example.com', 'http://[::1',
  'http://example.com:99999', 'http://example.com/a\r\nX-Evil: 1', 'http://exa\tmple.com',
].map((value) => ({ name: value, value, message: /^must be an http or https URL without user name/ }));

export const dataTags: Mistake[] = [
  ...[null, true, 12, 'EMAIL_ADDRESS', {}].map((value) => ({
    name: JSON.stringify(value),
    value,
    message: /^must be array$/,
  })),
  { name: 'not text', value: [12], at: '/0', message: /^must be string$/ },
  { name: 'lower case', value: ['email'], at: '/0', message: /^must match/ },
  { name: 'NUL', value: ['A\0'], at: '/0', message: /^must match/ },
  { name: 'too long', value: ['A'.repeat(65)], at: '/0', message: /^must not have more than 64/ },
  { name: 'unknown', value: ['EMAIL_ADDRESS', 'NO_SUCH_TAG'], at: '/1', message: /^must be a data tag/ },
  { name: 'constructor', value: ['CONSTRUCTOR'], at: '/0', message: /^must be a data tag/ },
  { name: 'twice', value: ['EMAIL_ADDRESS', 'EMAIL_ADDRESS'], message: /^must not have duplicate items/ },
  {
    name: 'too many',
    value: Array.from({ length: 201 }, (_, place) => `T${place}`),
    message: /^must not have more than 200 items$/,
  },
];

const notTools: Mistake[] = [
  ...[null, true, 12, 'x', {}].map((value) => ({
    name: JSON.stringify(value),
    value,
    message: /^must be array$/,
  })),
  { name: 'not an object', value: [12], at: '/0', message: /^must be object$/ },
  { name: 'without a name', value: [{ effect: 'READ' }], at: '/0/name', message: /^is required$/ },
  { name: 'NUL', value: [{ name: 'a\0', effect: 'READ' }], at: '/0/name', message: /NUL/ },
  {
    name: 'too many',
    value: Array.from({ length: 501 }, (_, place) => ({ name: `t${place}`, effect: 'READ' })),
    message: /^must not have more than 500 items$/,
  },
];

export const catalogueTools: Mistake[] = [
  ...notTools,
  { name: 'without an effect', value: [{ name: 'x' }], at: '/0/effect', message: /^is required$/ },
  {
    name: 'a name twice',
    value: [
      { name: 'x', effect: 'READ' },
      { name: 'y', aliases: ['x'], effect: 'READ' },
    ],
    at: '/1/aliases/0',
    message: /each names one tool$/,
  },
];

/** What is wrong with one of them is named in the response, beside the others. */
export const listedTools: Mistake[] = otherTypes('array', 'array');

export const acceptedTools: Mistake[] = [
  ...otherTypes('array', 'array'),
  { name: 'none', value: [], message: /./ },
  { name: 'without a digest', value: [{ name: 'x' }], at: '/0/digest', message: /^is required$/ },
  { name: 'without a name', value: [{ digest: 'x' }], at: '/0/name', message: /^is required$/ },
  { name: 'more', value: [{ name: 'x', digest: 'x', more: 1 }], at: '/0/more', message: /./ },
];

export const ids: Mistake[] = [
  ...[null, true, 12, 'x', {}].map((value) => ({
    name: JSON.stringify(value),
    value,
    message: /^must be array$/,
  })),
  { name: 'not text', value: [12], at: '/0', message: /^must be string$/ },
  { name: 'no UUID', value: ['x'], at: '/0', message: /^must be a UUID$/ },
  {
    name: 'twice',
    value: Array(2).fill('00000000-0000-4000-8000-0000000000aa'),
    message: /^must not have duplicate items/,
  },
];

const unit = (name: string): Mistake => ({
  name: `the unit ${name}`,
  value: { [name]: 1 },
  at: `/${name}`,
  message: /^a unit is a letter, then at most 31 letters, digits and underscores$/,
});
const amount = (value: unknown, message: RegExp): Mistake => ({
  name: `${JSON.stringify(value)} as amount`,
  value: { usd: value },
  at: '/usd',
  message,
});
export const cost: Mistake[] = [
  ...otherTypes('object', 'object'),
  { name: 'no unit', value: {}, message: /^must name at least one field$/ },
  {
    name: '17 units',
    value: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`u${index}`, 1])),
    message: /^must not have more than 16 properties$/,
  },
  ...['us-dollar', '_usd', '1usd', 'u'.repeat(33)].map(unit),
  ...['1', null, true, [1]].map((value) => amount(value, /^must be number$/)),
  amount(-0.01, /^must be >= 0$/),
  amount(1e15 + 1, /^must be <= 1000000000000000$/),
];

const issuer = { issuer: 'https://id.example', audiences: ['assize'] };
export const identity = { required: false, issuers: [issuer] };
export const issuers: Mistake[] = [
  ...otherTypes('array', 'array'),
  { name: 'none', value: [], message: /^must NOT have fewer than 1 items$|^must not have fewer than 1/ },
  {
    name: 'an issuer that is no address',
    value: [{ ...issuer, issuer: 'id.example' }],
    message: /^must be an http or https URL/,
    at: '/0/issuer',
  },
];
