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
  /** What to do for a field that it does not have; by default its fields are listed. */
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
