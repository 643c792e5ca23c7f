import { isInt, isNumber } from './number.ts';

/** The static type of a value. */
export type CelType = ScalarType | ListType | MapType | ObjectType | OptionalType | TypeVariable;

export type ScalarKind =
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'timestamp'
  | 'duration'
  | 'null'
  | 'dyn'
  | 'ip'
  | 'cidr'
  | 'type';
export interface ScalarType {
  readonly kind: ScalarKind;
}
export interface ListType {
  readonly kind: 'list';
  readonly element: CelType;
}
export interface MapType {
  readonly kind: 'map';
  readonly key: CelType;
  readonly value: CelType;
}
/** A named record with known fields. Its values may be class instances: a declared field is read as `value[field]`. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  readonly fields: ReadonlyMap<string, CelType>;
  /** The advice for a field that it does not have; by default its fields are listed. */
  readonly hint: string | null;
}
export interface OptionalType {
  readonly kind: 'optional';
  readonly value: CelType;
}
/** A type that is not known yet, such as that of an element of `[]`; never leaves the checker. */
export interface TypeVariable {
  readonly kind: 'variable';
  readonly id: number;
}

const scalar = (kind: ScalarKind): ScalarType => ({ kind });

/** The types a host declares its variables with. Maps of a host have string keys. */
export const types = {
  bool: scalar('bool'),
  int: scalar('int'),
  double: scalar('double'),
  string: scalar('string'),
  timestamp: scalar('timestamp'),
  duration: scalar('duration'),
  null: scalar('null'),
  dyn: scalar('dyn'),
  ip: scalar('ip'),
  cidr: scalar('cidr'),
  type: scalar('type'),
  list: (element: CelType): ListType => ({ kind: 'list', element }),
  map: (value: CelType): MapType => ({ kind: 'map', key: types.string, value }),
  object: (
    name: string,
    fields: Readonly<Record<string, CelType>>,
    hint: string | null = null,
  ): ObjectType => ({
    kind: 'object',
    name,
    fields: new Map(Object.entries(fields)),
    hint,
  }),
  optional: (value: CelType): OptionalType => ({ kind: 'optional', value }),
} as const;

/** How a type is written in messages: `list(string)`, `map(string, int)`, the name of an object. */
export function typeName(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${typeName(type.element)})`;
    case 'map':
      return `map(${typeName(type.key)}, ${typeName(type.value)})`;
    case 'optional':
      return `optional_type(${typeName(type.value)})`;
    case 'object':
      return type.name;
    case 'variable':
      return 'any';
    case 'ip':
      return 'net.IP';
    case 'cidr':
      return 'net.CIDR';
    default:
      return type.kind;
  }
}

/** Whether toText can print every value of the type. An optional must be unwrapped first. */
export function isPrintable(type: CelType): boolean {
  if (type.kind === 'list') return isPrintable(type.element);
  if (type.kind === 'map') return isPrintable(type.value);
  return type.kind !== 'optional';
}

export function sameType(left: CelType, right: CelType): boolean {
  if (left === right) return true;
  if (left.kind === 'list') return right.kind === 'list' && sameType(left.element, right.element);
  if (left.kind === 'optional') return right.kind === 'optional' && sameType(left.value, right.value);
  if (left.kind === 'map')
    return right.kind === 'map' && sameType(left.key, right.key) && sameType(left.value, right.value);
  if (left.kind === 'variable') return right.kind === 'variable' && left.id === right.id;
  if (left.kind === 'object') return right.kind === 'object' && sameFields(left, right);
  return left.kind === right.kind;
}

function sameFields(left: ObjectType, right: ObjectType): boolean {
  if (left.name !== right.name || left.fields.size !== right.fields.size) return false;
  for (const [name, type] of left.fields) {
    const other = right.fields.get(name);
    if (other === undefined || !sameType(type, other)) return false;
  }
  return true;
}

/** The common type: the type itself when all agree, `dyn` when they do not. */
export function commonType(all: Iterable<CelType>): CelType {
  let common: CelType | undefined;
  for (const type of all) {
    if (common !== undefined && !sameType(common, type)) return types.dyn;
    common = type;
  }
  return common ?? types.dyn;
}

// Deeper parts are dyn, which works without checking and keeps the recursion shallow.
const DEEPEST = 24;

/** The type of plain JSON, for constants a policy declares: objects become records with the fields they have. */
export function typeOf(json: unknown, name = 'object', depth = 0): CelType {
  if (depth > DEEPEST) return types.dyn;
  switch (typeof json) {
    case 'boolean':
      return types.bool;
    case 'string':
      return types.string;
    case 'number':
    case 'bigint':
      return isInt(json) ? types.int : types.double;
    case 'object':
      if (json === null) return types.null;
      if (Array.isArray(json)) return types.list(elementType(json, name, depth));
      return recordType(json, name, depth);
    default:
      return types.dyn;
  }
}

function elementType(list: readonly unknown[], name: string, depth: number): CelType {
  const elements = list.map((element) => typeOf(element, name, depth + 1));
  // One 0.5 among whole numbers makes a list of doubles, because JSON does not distinguish 1 from 1.0.
  const isNumber = (type: CelType): boolean => type.kind === 'int' || type.kind === 'double';
  if (elements.every(isNumber) && elements.some(({ kind }) => kind === 'double')) return types.double;
  return commonType(elements);
}

function recordType(json: object, name: string, depth: number): ObjectType {
  const fields = Object.entries(json).map(([key, value]) => [key, typeOf(value, key, depth + 1)] as const);
  return { kind: 'object', name, fields: new Map(fields), hint: null };
}

const DEEPEST_SCHEMA = 24;

type Schema = Readonly<Record<string, unknown>>;

/**
 * The type of the values a JSON Schema describes, for typing a tool's input. Reads `type`, `properties`, `items`,
 * `additionalProperties`, `enum` and `const`; the type is dyn, which checks less and refuses nothing, where any other
 * keyword may widen it.
 */
export function typeFromJsonSchema(schema: unknown, depth = 0): CelType {
  if (!isSchema(schema) || depth > DEEPEST_SCHEMA) return types.dyn;
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
