import { Duration } from './duration.ts';
import { isError } from './error.ts';
import { Cidr } from './network/cidr.ts';
import { Ip } from './network/ip.ts';
import { isInt, isNumber } from './number.ts';
import { Optional } from './optional.ts';
import { Timestamp } from './timestamp.ts';
import type { CelType } from './type.ts';
import { TypeValue } from './type-value.ts';
import { isMap } from './value.ts';

export type Guard = (value: unknown) => boolean;

/** Functions take no parameters of the other kinds. */
type ParameterKind = Exclude<CelType['kind'], 'null' | 'object'>;

// The host declares the types, but data of a caller may not match them: every argument is checked.
const guards: Readonly<Record<ParameterKind, Guard>> = {
  bool: (value) => typeof value === 'boolean',
  int: isInt,
  double: isNumber,
  string: (value) => typeof value === 'string',
  timestamp: (value) => value instanceof Timestamp,
  duration: (value) => value instanceof Duration,
  ip: (value) => value instanceof Ip,
  cidr: (value) => value instanceof Cidr,
  type: (value) => value instanceof TypeValue,
  dyn: (value) => !isError(value),
  list: (value) => Array.isArray(value),
  map: isMap,
  optional: (value) => value instanceof Optional,
  variable: (value) => !isError(value),
};

/** Whether a value may be passed to a parameter of a type. Elements of lists and maps are not checked. */
export const guardOf = (type: CelType): Guard => guards[type.kind as ParameterKind];
