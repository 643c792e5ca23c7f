import type { Mistake } from './mistakes.ts';

const notArrays: Mistake[] = [null, true, 12, 'REVIEWER', {}].map((value) => ({
  name: JSON.stringify(value),
  value,
  message: /^must be array$/,
}));

export const roles: Mistake[] = [
  ...notArrays,
  { name: 'none', value: [], message: /^must not have fewer than 1 items$/ },
  { name: 'not text', value: [12], at: '/0', message: /^must be string$/ },
  { name: 'lower case', value: ['owner'], at: '/0', message: /^must be one of OWNER, POLICY_EDITOR/ },
  { name: 'constructor', value: ['OWNER', 'constructor'], at: '/1', message: /^must be one of OWNER/ },
  { name: 'twice', value: ['OWNER', 'OWNER'], message: /^must not have duplicate items/ },
];

export const scopes: Mistake[] = [
  ...notArrays,
  { name: 'none', value: [], message: /^must not have fewer than 1 items$/ },
  { name: 'not text', value: [12], at: '/0', message: /^must be string$/ },
  { name: 'upper case', value: ['READ'], at: '/0', message: /^must be one of evaluate, sessions:open/ },
  { name: 'constructor', value: ['read', 'constructor'], at: '/1', message: /^must be one of evaluate/ },
  { name: 'twice', value: ['read', 'read'], message: /^must not have duplicate items/ },
];

export const groups: Mistake[] = [
  ...notArrays,
  { name: 'not text', value: [12], at: '/0', message: /^must be string$/ },
  ...['', 'A', 'a b', '-a', 'a\0', 'ü', 'a'.repeat(65)].map((value) => ({
    name: JSON.stringify(value),
    value: ['a', value],
    at: '/1',
    message: /^must match \^/,
  })),
  { name: 'twice', value: ['a', 'a'], message: /^must not have duplicate items/ },
  {
    name: 'too many',
    value: Array.from({ length: 21 }, (_, place) => `g${place}`),
    message: /^must not have more than 20 items$/,
  },
];

export const email: Mistake[] = [
  ...[true, 12, [], {}].map((value) => ({
    name: JSON.stringify(value),
    value,
    message: /^must be string or null$/,
  })),
  ...[
    '',
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'a@b@c',
    'a\0@b',
    'a@b\n',
    '<a@b>',
    'team:a@b;',
    `${'a'.repeat(65)}@b`,
  ].map((value) => ({ name: JSON.stringify(value), value, message: /^must be an e-mail address$/ })),
  { name: 'half a surrogate pair', value: 'a@\ud800', message: /^must be Unicode text/ },
];

export const ipRanges: Mistake[] = [
  ...notArrays,
  { name: 'not text', value: [12], at: '/0', message: /^must be string$/ },
  { name: 'NUL', value: ['::1\0'], at: '/0', message: /^must not contain NUL characters$/ },
  { name: 'too long', value: ['1'.repeat(65)], at: '/0', message: /^must not have more than 64/ },
  ...[
    '',
    'x',
    '127.1',
    '0x7f000001',
    '010.0.0.1',
    '1.2.3.4/33',
    '1.2.3.4/',
    '::/129',
    '0.0.0.0/0',
    '::/0',
    'fe80::1%eth0/64',
  ].map((value) => ({
    name: value,
    value: ['10.0.0.0/8', value],
    at: '/1',
    message: /^must be an IP address or a CIDR range/,
  })),
  { name: 'twice', value: ['::1', '::1'], message: /^must not have duplicate items/ },
  {
    name: 'too many',
    value: Array.from({ length: 21 }, (_, place) => `10.0.0.${place}`),
    message: /^must not have more than 20 items$/,
  },
];
