import { type Static, type TSchema, Type } from '@sinclair/typebox';

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

export const PageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
});
