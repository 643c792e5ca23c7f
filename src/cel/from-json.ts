import { isInt } from './number.ts';
import { type CelType, commonType, type ObjectType, types } from './type.ts';

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
