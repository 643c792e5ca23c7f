/** A value that a field must refuse, where the answer points (below the field) and what it says. */
export interface Mistake {
  name: string;
  value: unknown;
  at?: string;
  message: RegExp;
}

const samples: Record<string, unknown> = {
  null: null,
  boolean: true,
  number: 12,
  string: 'x',
  array: [],
  object: {},
};

/** Nothing is coerced: a value of every other type is refused, `"12"` for 12 and 12 for `"12"` included. */
export const otherTypes = (expected: string, ...allowed: string[]): Mistake[] =>
  Object.entries(samples)
    .filter(([type]) => !allowed.includes(type))
    .map(([type, value]) => ({
      name: `${type} as value`,
      value,
      message: new RegExp(`^must be ${expected}$`),
    }));

const nullable = (expected: string, isNullable: boolean) => (isNullable ? `${expected} or null` : expected);
const orNull = (type: string, isNullable: boolean) => (isNullable ? [type, 'null'] : [type]);

export function text(longest: number, options: { nullable?: boolean; shortest?: number } = {}): Mistake[] {
  const may = options.nullable ?? false;
  return [
    ...otherTypes(nullable('string', may), ...orNull('string', may)),
    {
      name: 'too long',
      value: 'x'.repeat(longest + 1),
      message: new RegExp(`^must not have more than ${longest} char`),
    },
    {
      name: 'too long in characters of two units',
      value: '😀'.repeat(longest + 1),
      message: /^must not have more/,
    },
    { name: 'NUL', value: 'a\0b', message: /^must not contain NUL characters$/ },
    { name: 'half a surrogate pair', value: 'a\ud800', message: /^must be Unicode text/ },
    ...(options.shortest ? [{ name: 'empty', value: '', message: /^must not have fewer than 1 char/ }] : []),
  ];
}

/** A name for people: a line in lists, logs and mails. */
export const nameText = (options: { nullable?: boolean } = {}): Mistake[] => [
  ...text(200, { ...options, shortest: 1 }).filter(({ name }) => name !== 'NUL'),
  ...['a\0b', 'a\r\nb', 'a\n', '\tb', 'a\u001b[2Jb', 'a\u007f', 'a\u0085b', 'a\u2028b', 'a\u202eb'].map(
    (value) => ({
      // Some of these would end a line of TAP.
      name: `the control character in ${encodeURIComponent(value)}`,
      value,
      message: /^must not contain line breaks or other control characters$/,
    }),
  ),
];

const uuid = '11111111-2222-4333-8444-555555555555';
export const notUuids: string[] = [
  'x',
  uuid.slice(1),
  `${uuid}0`,
  uuid.replace('1', 'g'),
  uuid.replaceAll('-', ''),
  `{${uuid}}`,
  `${uuid}\n`,
  `${uuid}\0`,
];
export const id = (options: { nullable?: boolean } = {}): Mistake[] => {
  const may = options.nullable ?? false;
  return [
    ...otherTypes(nullable('string', may), ...orNull('string', may)),
    ...['', ...notUuids].map((value) => ({
      name: JSON.stringify(value),
      value,
      message: /^must be a UUID$/,
    })),
  ];
};

export const boolean = (): Mistake[] => otherTypes('boolean', 'boolean');
export const object = (): Mistake[] => otherTypes('object', 'object');

const otherCase = (one = '') => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase());

export const word = (words: string[], wrong: string[] = []): Mistake[] => [
  ...Object.entries(samples)
    .filter(([type]) => type !== 'string')
    .map(([type, value]) => ({ name: `${type} as value`, value, message: /^must be string$/ })),
  ...['', 'constructor', '__proto__', otherCase(words[0]), `${words[0]} `, ...wrong].map((value) => ({
    name: `the word ${JSON.stringify(value)}`,
    value,
    message: new RegExp(`^must be one of ${words.join(', ')}$`),
  })),
];

export function integer(least: number, most: number, options: { nullable?: boolean } = {}): Mistake[] {
  const may = options.nullable ?? false;
  const type = nullable('integer', may);
  return [
    ...otherTypes(type, ...orNull('number', may)),
    { name: 'a number as text', value: '12', message: new RegExp(`^must be ${type}$`) },
    { name: 'a fraction', value: 1.5, message: new RegExp(`^must be ${type}$`) },
    { name: 'too small', value: least - 1, message: new RegExp(`^must be >= ${least}$`) },
    { name: 'too large', value: most + 1, message: new RegExp(`^must be <= ${most}$`) },
    { name: 'beyond 2^53', value: 2 ** 53, message: new RegExp(`^must be ${type}$`) },
  ];
}

/** The clock of the tests stands at 2030-01-01. */
export function futureTime(options: { nullable?: boolean } = {}): Mistake[] {
  const may = options.nullable ?? false;
  // biome-ignore format: short texts read better in rows
  const impossible = [
    '', '2030-01-05', '2030-01-05T10:00:00', '2030-01-05T10:00Z', '2030-01-05 10:00:00Z',
    '2030-01-05T10:00:00,5Z', '2030-01-05T10:00:00+0200', '2030-01-05T10:00:00+02',
    '2030-01-05T10:00:00+24:00', '2030-01-05T10:00:00+02:60', '2030-01-05T10:00:00Z\n',
    '2030-02-30T00:00:00Z', '2030-02-29T00:00:00Z', '2030-04-31T00:00:00Z', '2030-13-01T00:00:00Z',
    '2030-00-01T00:00:00Z', '2030-01-00T00:00:00Z', '2030-01-05T24:00:00Z', '2030-01-05T25:00:00Z',
    '2030-01-05T10:60:00Z', '2030-01-05T10:00:60Z', '2030-06-30T23:59:60Z', '+002030-01-05T10:00:00Z',
    '1893492000000', 'tomorrow',
  ];
  const past = [
    '2026-02-28T00:00:00Z',
    '2030-01-01T00:00:00Z',
    '2030-01-01T01:59:59+02:00',
    '0000-01-01T00:00:00Z',
  ];
  return [
    ...otherTypes(nullable('string', may), ...orNull('string', may), 'string'),
    ...impossible.map((value) => ({
      name: JSON.stringify(value),
      value,
      message: /^must be an ISO 8601 date and time with a zone/,
    })),
    ...past.map((value) => ({ name: `in the past: ${value}`, value, message: /^must be in the future$/ })),
  ];
}
