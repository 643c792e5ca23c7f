import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';

export const Uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  description: 'UUID',
});

/** An ISO 8601 date and time with a zone. Answers are UTC with milliseconds. */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601 date and time with a zone',
});

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Text that is kept as it comes: SQLite and PostgreSQL disagree on NUL inside text, so it is refused at the door. */
export const KeptText = (maxLength: number, options: { minLength?: number; description?: string } = {}) =>
  Type.String({ ...options, maxLength, pattern: '^[^\\u0000]*$' });

/** Any JSON object. An empty `Type.Object({})` would answer `{}` for every object. */
export const JsonObject = Type.Record(Type.String(), Type.Unknown());
export type JsonObject = Static<typeof JsonObject>;

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

/** In requests: one schema with two types, because a union answers one mistake with three messages. */
export const NullableText = (schema: ReturnType<typeof Type.String>) =>
  Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] });

/** A body that may be left out: Fastify validates a missing one as null. */
export const OptionalBody = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] });
