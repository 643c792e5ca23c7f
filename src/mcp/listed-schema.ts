import type { TSchema } from '@sinclair/typebox';

export interface ListedSchema {
  [key: string]: unknown;
  type: 'object';
}

/**
 * The JSON Schema of an object in a form that all clients accept. Some clients and model APIs refuse lists of types, empty
 * schemas and pattern properties, so those are expressed in another way.
 */
export const listedSchema = (schema: TSchema): ListedSchema =>
  plain(JSON.parse(JSON.stringify(schema))) as ListedSchema;

type Schema = Record<string, unknown>;

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
  return withoutTypeList(withoutKeyPattern(schema));
}

function withoutKeyPattern({ patternProperties, ...schema }: Schema): Schema {
  const [values] = Object.values((patternProperties ?? {}) as Record<string, Schema>);
  if (!values) return schema;
  return { ...schema, additionalProperties: Object.keys(values).length === 0 ? true : values };
}

function withoutTypeList({ type, ...schema }: Schema): Schema {
  if (!Array.isArray(type)) return type === undefined ? schema : { type, ...schema };
  const { description, ...rest } = schema;
  const anyOf = type.map((one) => (one === 'null' ? { type: one } : { type: one, ...rest }));
  return description === undefined ? { anyOf } : { description, anyOf };
}
