import { type Mistake, object } from './mistakes.ts';

export const params: Mistake[] = [
  ...object(),
  { name: 'no such param', value: { x: 1 }, at: '/x', message: /the policy has no such param/ },
  {
    name: 'constructor',
    value: { constructor: 1 },
    at: '/constructor',
    message: /the policy has no such param/,
  },
  { name: 'too much', value: { x: 'x'.repeat(65_536) }, message: /^must be at most 65536 bytes of JSON$/ },
];

export const mode: Mistake[] = [
  ...[true, 12, [], {}].map((value) => ({
    name: JSON.stringify(value),
    value,
    message: /^must be string or null$/,
  })),
  ...['', 'enforce', 'OFF', 'constructor'].map((value) => ({
    name: value,
    value,
    message: /^must be one of ENFORCE, MONITOR, null$/,
  })),
];

const notArrays: Mistake[] = [null, true, 12, 'a', {}].map((value) => ({
  name: JSON.stringify(value),
  value,
  message: /^must be array$/,
}));

export const entries: Mistake[] = [
  ...notArrays,
  { name: 'not text', value: ['a', 12], at: '/1', message: /^must be string$/ },
  { name: 'empty', value: [''], at: '/0', message: /^must not have fewer than 1 char/ },
  { name: 'NUL', value: ['a\0'], at: '/0', message: /^must not contain NUL characters$/ },
  { name: 'too long', value: ['a'.repeat(513)], at: '/0', message: /^must not have more than 512 char/ },
  {
    name: 'too many',
    value: Array.from({ length: 10_001 }, (_, place) => `e${place}`),
    message: /^must not have more than 10000 items$/,
  },
];

/** The list of these tests has domains. */
export const hosts: Mistake[] = [
  'a b',
  'a_b.com',
  '-a.com',
  'a..com',
  'http://a.com',
  'a.com/x',
  '@',
  '*.a.com',
  'a'.repeat(64),
  `${'a.'.repeat(127)}com`,
].map((value) => ({
  name: value,
  value: ['a.com', value],
  at: '/1',
  message: /^must be a host name/,
}));

export const listName: Mistake[] = [
  ...[null, true, 12, [], {}].map((value) => ({
    name: JSON.stringify(value),
    value,
    message: /^must be string$/,
  })),
  ...['', '1a', 'a-b', 'a.b', 'a b', 'a\0', 'ü', 'a'.repeat(65)].map((value) => ({
    name: JSON.stringify(value),
    value,
    message: /^must match \^/,
  })),
];
