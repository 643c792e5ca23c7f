import { isInt, isNumber } from './number.ts';
import { type CelType, commonType, types } from './type.ts';

const DEEPEST = 24;

type Schema = Readonly<Record<string, unknown>>;

/**
 * The type of the values a JSON Schema describes, for typing a tool's input. Reads `type`, `properties`, `items`,
 * `additionalProperties`, `enum` and `const`; the type is dyn, which checks less and refuses nothing, where any other
 * keyword may widen it.
 */
export function typeFromJsonSchema(schema: unknown, depth = 0): CelType {
  if (!isSchema(schema) || depth > DEEPEST) return types.dyn;
  if (UNREAD.some((keyword) => keyword in schema)) return types.dyn;
  if (Array.isArray(schema.enum)) return commonType(schema.enum.map(typeOfConstant));
  if ('const' in schema) return typeOfConstant(schema.const);
  switch (schema.type) {
    case 'boolean':
      return types.bool;
    case 'integer':
      return types.int;
    case 'number':
      return types.double;
    case 'string':
      return types.string;
    case 'null':
      return types.null;
    case 'array':
      return types.list(typeFromJsonSchema(schema.items, depth + 1));
    case 'object':
      return objectType(schema, depth);
    default:
      return types.dyn;
  }
}

// Keywords that may widen or replace what `type` says.
const UNREAD = [
  '$ref',
  '$dynamicRef',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'patternProperties',
  'nullable',
];

const isSchema = (schema: unknown): schema is Schema =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema);

function objectType(schema: Schema, depth: number): CelType {
  if (!isSchema(schema.properties))
    return types.map(typeFromJsonSchema(schema.additionalProperties, depth + 1));
  const fields = Object.entries(schema.properties).map(
    ([name, property]) => [name, typeFromJsonSchema(property, depth + 1)] as const,
  );
  const name = typeof schema.title === 'string' ? schema.title : 'input';
  return { kind: 'object', name, fields: new Map(fields), hint: null };
}

function typeOfConstant(value: unknown): CelType {
  if (typeof value === 'string') return types.string;
  if (typeof value === 'boolean') return types.bool;
  if (isNumber(value)) return isInt(value) ? types.int : types.double;
  return types.dyn;
}
