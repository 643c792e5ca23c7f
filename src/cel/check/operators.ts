import type { Operator } from '../ast.ts';
import { A, B, listOfA, mapOfAToB, type Signature } from '../environment.ts';
import { type CelType, types } from '../type.ts';

const { bool, double, duration, int, string, timestamp } = types;

const binary = (left: CelType, right: CelType, result: CelType): Signature => ({
  params: [left, right],
  result,
});
const closed = (type: CelType): Signature => binary(type, type, type);

// JSON does not distinguish 1 from 1.0, so ints and doubles compare with each other; other operators keep them apart.
const mixed: readonly Signature[] = [binary(int, double, bool), binary(double, int, bool)];
const equality = [binary(A, A, bool), ...mixed];
const ordered = [
  ...[bool, int, double, string, timestamp, duration].map((type) => binary(type, type, bool)),
  ...mixed,
];

/** The types that each operator takes and gives. */
export const operatorSignatures: Readonly<Record<Operator, readonly Signature[]>> = {
  '||': [closed(bool)],
  '&&': [closed(bool)],
  '!': [{ params: [bool], result: bool }],
  '==': equality,
  '!=': equality,
  '<': ordered,
  '<=': ordered,
  '>': ordered,
  '>=': ordered,
  in: [
    binary(A, listOfA, bool),
    binary(A, mapOfAToB, bool),
    binary(double, types.list(int), bool),
    binary(int, types.list(double), bool),
  ],
  '+': [
    closed(int),
    closed(double),
    closed(string),
    closed(listOfA),
    closed(duration),
    binary(timestamp, duration, timestamp),
    binary(duration, timestamp, timestamp),
  ],
  '-': [
    closed(int),
    closed(double),
    closed(duration),
    binary(timestamp, duration, timestamp),
    binary(timestamp, timestamp, duration),
  ],
  '*': [closed(int), closed(double)],
  '/': [closed(int), closed(double)],
  '%': [closed(int)],
};

export const negationSignatures: readonly Signature[] = [
  { params: [int], result: int },
  { params: [double], result: double },
];

/** The functions whose second operand is a regular expression, which must be known at compile time. */
export const patternFunctions = ['matches', 'find', 'findAll', 'extract'] as const;
export type PatternFunction = (typeof patternFunctions)[number];

/** Member functions that the compiler handles: they may not evaluate an argument, or need it at compile time. */
export const specialMembers: Readonly<Record<PatternFunction | 'or' | 'orValue', readonly Signature[]>> = {
  matches: [binary(string, string, bool)],
  find: [closed(string)],
  findAll: [
    binary(string, string, types.list(string)),
    { params: [string, string, int], result: types.list(string) },
  ],
  extract: [binary(string, string, types.optional(string))],
  or: [closed(types.optional(A))],
  orValue: [{ params: [types.optional(A), A], result: A }],
};

export const indexSignatures: readonly Signature[] = [
  binary(listOfA, int, A),
  { params: [mapOfAToB, A], result: B },
];
