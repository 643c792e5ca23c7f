import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';

export const Uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  description: 'UUID',
});

/** The id of an operator or integration, or of the command line of the database file. */
export const UuidOrLocal = Type.String({ pattern: `${Uuid.pattern}|^local$` });

/** Only its form: whether it reaches somebody is not for a pattern to say. At most 254 characters (RFC 5321), none of those that mean something in a list of addresses (RFC 5322). */
export const EmailAddress = Type.String({
  pattern: '^[^\\s@\\p{C}<>()\\[\\]:;,\\x22\\\\]{1,64}@[^\\s@\\p{C}<>()\\[\\]:;,\\x22\\\\]{1,189}$',
});

/** An ISO 8601 date and time with a zone. Responses are UTC with milliseconds. */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 date and time with a zone',
});

const moment = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Whether a text is a date and time with a zone that the calendar has (RFC 3339, without leap seconds, which no clock
 * here counts). `Date.parse` alone would move 30 February to March and guess at half-written forms.
 */
export function isMoment(text: string): boolean {
  const date = moment.exec(text)?.[1];
  if (date === undefined) return false;
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Text that is kept as it comes: SQLite and PostgreSQL disagree on NUL inside text, so it is refused at the door. */
export const KeptText = (maxLength: number, options: { minLength?: number; description?: string } = {}) =>
  Type.String({ ...options, maxLength, pattern: '^[^\\u0000]*$' });

/** A name that people read in lists, logs and mails: one line, without characters that a terminal would obey. */
export const NameText = (maxLength: number, options: { description?: string } = {}) =>
  Type.String({ ...options, minLength: 1, maxLength, pattern: namePattern });
export const namePattern = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]*$';
/** In the query of a list. */
export const ExactName = NameText(200, { description: 'only those with exactly this name' });

/** The header of responses that an idempotency key repeats. */
export const Replayed = Type.Literal(true, {
  description: 'only when this is the stored response of an earlier request with the same `Idempotency-Key`',
});

/** Any JSON object. An empty `Type.Object({})` would answer `{}` for every object. */
export const JsonObject = Type.Record(Type.String(), Type.Unknown());
export type JsonObject = Static<typeof JsonObject>;

/** In an entry of a list. */
export const Omitted = Type.Optional(
  Type.Array(Type.String(), {
    description:
      'names of fields left out because the entry is wider than its share of the 2 MB of a list; read the entry itself, or a page of a smaller `size`',
  }),
);

/** The query of a list: which page, and its own filters. */
export const pageQuery = <Filters extends TProperties>(filters: Filters) =>
  Type.Object(
    {
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
      size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
      ...filters,
    },
    { additionalProperties: false },
  );

/** In requests: one schema with two types, because a union returns one mistake with three messages. */
export const NullableText = (schema: ReturnType<typeof Type.String>) =>
  Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] });

/** A body that may be left out: Fastify validates a missing one as null. */
export const OptionalBody = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] });

/** Sums of larger amounts would not be exact to a cent for long. */
const mostAmount = 1e15;

export const CostUnit = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,31}$' });

/** The cost of an action, by unit: `{"usd": 0.02, "tokens": 1500}`. */
export const Cost = Type.Record(CostUnit, Type.Number({ minimum: 0, maximum: mostAmount }), {
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 16,
  description:
    'what it costs by unit, such as `{"usd": 0.02}`: of an action the estimate, of a RESULT what it came to',
});
export type Cost = Static<typeof Cost>;
