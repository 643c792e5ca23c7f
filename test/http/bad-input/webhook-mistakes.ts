import type { Mistake } from './mistakes.ts';

const notArrays: Mistake[] = [null, true, 12, 'x', {}].map((value) => ({
  name: JSON.stringify(value),
  value,
  message: /^must be array$/,
}));

export const list = (
  nth: (place: number) => string,
  wrong: readonly unknown[],
  message: RegExp,
  most: number,
): Mistake[] => [
  ...notArrays,
  ...wrong.map((value) => ({ name: JSON.stringify(value), value: [nth(0), value], at: '/1', message })),
  { name: 'twice', value: [nth(0), nth(0)], message: /^must not have duplicate items/ },
  {
    name: 'too many',
    value: Array.from({ length: most + 1 }, (_, place) => nth(place)),
    message: new RegExp(`^must not have more than ${most} items$`),
  },
];

const id = '11111111-2222-4333-8444-555555555555';
export const nthId = (place: number): string => id.slice(0, -3) + String(place).padStart(3, '0');

export const recipients = [
  ...list(
    (place) => `a${place}@b`,
    ['', 'a', 'a b@c', '@b', 'a@', 'a@b\r\nBcc: c@d', 'a\0@b', '<a@b>', 'team:a@b;'],
    /^must (be an e-mail address|not contain)/,
    50,
  ),
  { name: 'none', value: [], message: /^must not have fewer than 1 items$/ },
  { name: 'for a url', value: ['a@b'], message: /^EVENTS sends to a url: leave it out$/ },
];

export const types = [
  ...list(
    (place) => `a.${'b'.repeat(place + 1)}`,
    ['', 'x', 'REVIEW.*', 'review', 'review.', '.opened', 'a.b.c'],
    /^must match/,
    50,
  ),
  { name: 'none', value: [], message: /^must not have fewer than 1 items$/ },
  {
    name: 'unknown',
    value: ['*', 'review.eaten'],
    at: '/1',
    message: /^must be \*, a type or the start of one/,
  },
];

export const integrationIds = list(nthId, ['', 'x', `${id}0`, `${id}\n`], /^must be a UUID$/, 100);

export const destination: Mistake[] = [
  '',
  'x',
  '/path',
  'ftp://example.com',
  'javascript:alert(1)',
  'https://user:secret@example.com',
  'https://',
].map((value) => ({
  name: JSON.stringify(value),
  value,
  message: /^must be an http or https URL without user name and password, tabs and ends of lines$/,
}));
