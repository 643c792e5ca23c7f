import { Duration } from './duration.ts';
import { isInt } from './number.ts';
import { Opaque } from './opaque.ts';
import { Optional } from './optional.ts';
import { Timestamp } from './timestamp.ts';

/** What `type(x)` returns, and what the names of types stand for. One instance for each type. */
export class TypeValue extends Opaque {
  readonly typeName = 'type';
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  equals(other: unknown): boolean {
    return other === this;
  }
  toString(): string {
    return this.name;
  }
}

const NAMES = [
  'bool',
  'int',
  'double',
  'string',
  'list',
  'map',
  'null_type',
  'type',
  'optional_type',
  'net.IP',
  'net.CIDR',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
] as const;

/** The types under their names in a source text. */
export const typeValues: ReadonlyMap<string, TypeValue> = new Map(
  NAMES.map((name) => [name, new TypeValue(name)]),
);

/** The type of a value. A number without a fraction is an int, because JSON does not distinguish 1 from 1.0. */
export const typeOfValue = (value: unknown): TypeValue => typeValues.get(nameOf(value)) as TypeValue;

function nameOf(value: unknown): (typeof NAMES)[number] {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number' || typeof value === 'bigint') return isInt(value) ? 'int' : 'double';
  if (value === null) return 'null_type';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Opaque) return value.typeName as 'net.IP';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  return value instanceof Optional ? 'optional_type' : 'map';
}
