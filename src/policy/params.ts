import { CelError, type CelType, typeName, typeOf, types } from '../cel/index.ts';
import { isInt, isNumber } from '../cel/number.ts';
import { sameType } from '../cel/type.ts';
import { isRecord, mapValues } from './records.ts';

/** The declaration of a param in a document. */
export interface DeclaredParam {
  readonly type: CelType;
  /** As authors write it: `int`, `list(string)`. */
  readonly typeName: string;
  /** Undefined when each binding has to give one. */
  readonly value: unknown;
  readonly minimum: number;
  readonly maximum: number;
}
export type DeclaredParams = Readonly<Record<string, DeclaredParam>>;

/** A mistake in a param; `key` is the part of its declaration, null for all of it. */
export interface ParamMistake {
  readonly name: string;
  readonly key: string | null;
  readonly message: string;
}

/** Numbers of the type `number` can be mixed with any other, as those of an input can. */
const typesByName: Readonly<Record<string, CelType>> = {
  bool: types.bool,
  int: types.int,
  number: types.dyn,
  string: types.string,
  'list(int)': types.list(types.int),
  'list(number)': types.list(types.dyn),
  'list(string)': types.list(types.string),
};
const declarationKeys: ReadonlySet<string> = new Set([
  'type',
  'default',
  'description',
  'minimum',
  'maximum',
]);
const numeric: ReadonlySet<string> = new Set(['int', 'number', 'list(int)', 'list(number)']);

/** `{ type: int, default: 10 }`. A map with other keys as well is a value like any other. */
function isDeclaration(value: unknown): value is Record<string, unknown> {
  return (
    isRecord(value) &&
    Object.hasOwn(value, 'type') &&
    Object.keys(value).every((key) => declarationKeys.has(key))
  );
}

/** The params of a document, whose values are their own declaration where they have none. */
export const declaredParams = (params: Readonly<Record<string, unknown>>): DeclaredParams =>
  mapValues(params, declaredParam);

function declaredParam(value: unknown): DeclaredParam {
  if (!isDeclaration(value)) {
    const type = typeOf(value);
    return { type, typeName: nameOf(type), value, minimum: -Infinity, maximum: Infinity };
  }
  const { type, default: given, minimum, maximum } = value;
  const name = String(type);
  return {
    type: Object.hasOwn(typesByName, name) ? (typesByName[name] as CelType) : types.dyn,
    typeName: name,
    value: given,
    minimum: typeof minimum === 'number' ? minimum : -Infinity,
    maximum: typeof maximum === 'number' ? maximum : Infinity,
  };
}

const nameOf = (type: CelType): string =>
  type.kind === 'object' ? `a map with ${[...type.fields.keys()].join(', ')}` : typeName(type);

/** The mistakes in the declarations of a document. */
export function paramMistakes(params: Readonly<Record<string, unknown>>): ParamMistake[] {
  const mistakes: ParamMistake[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (!isDeclaration(value)) continue;
    checkDeclaration(value, (key, message) => mistakes.push({ name, key, message }));
  }
  return mistakes;
}

function checkDeclaration(
  declaration: Record<string, unknown>,
  say: (key: string, message: string) => void,
): void {
  const { type, description } = declaration;
  if (typeof type !== 'string' || !Object.hasOwn(typesByName, type)) {
    say('type', `expected one of ${Object.keys(typesByName).join(', ')}`);
    return;
  }
  if (description !== undefined && (typeof description !== 'string' || description.length > 2_000))
    say('description', 'expected a text of at most 2,000 characters');
  for (const key of ['minimum', 'maximum'] as const) {
    if (declaration[key] === undefined) continue;
    if (!numeric.has(type)) say(key, `a ${type} has none`);
    else if (typeof declaration[key] !== 'number') say(key, 'expected a number');
  }
  if (!Object.hasOwn(declaration, 'default')) return;
  const wrong = mistakeIn(declaredParam(declaration), declaration.default);
  if (wrong !== null) say('default', wrong);
}

/**
 * The values that a binding gives the params of a document, and the defaults of the others. A name that the document does
 * not declare is a mistake, because it would change nothing; so is a value of another type, and none where there is no default.
 */
export function boundParams(
  declared: DeclaredParams,
  given: Readonly<Record<string, unknown>>,
): { declared: DeclaredParams; mistakes: ParamMistake[] } {
  const mistakes: ParamMistake[] = [];
  const say = (name: string, message: string) => mistakes.push({ name, key: null, message });
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(declared, name)) continue;
    const names = Object.keys(declared);
    say(name, `the policy has no such param${names.length === 0 ? '' : `; it has ${names.join(', ')}`}`);
  }
  const bound = Object.fromEntries(
    Object.entries(declared).map(([name, param]) => {
      const value = Object.hasOwn(given, name) ? given[name] : param.value;
      if (value === undefined) say(name, `has no default: give it a value of type ${param.typeName}`);
      else if (Object.hasOwn(given, name)) {
        const wrong = mistakeIn(param, value);
        if (wrong !== null) say(name, wrong);
      }
      return [name, { ...param, value }];
    }),
  );
  return { declared: bound, mistakes };
}

/** Their values. To read one that only a binding gives is an error, so that `onError` decides. */
export const valuesOf = (declared: DeclaredParams): Record<string, unknown> =>
  mapValues(declared, ({ value }, name) =>
    value === undefined ? new CelError('no_such_variable', `params.${name} has no value here`) : value,
  );

/** Why a value cannot be that of a param; null when it can. */
function mistakeIn(param: DeclaredParam, value: unknown): string | null {
  if (!fits(param, value)) return `expected ${param.typeName}`;
  const { minimum, maximum } = param;
  for (const one of [value].flat()) {
    if (typeof one !== 'number' && typeof one !== 'bigint') continue;
    if (one < minimum) return `has to be at least ${minimum}`;
    if (one > maximum) return `has to be at most ${maximum}`;
  }
  return null;
}

function fits({ type, typeName: name }: DeclaredParam, value: unknown): boolean {
  if (name === 'number') return isNumber(value);
  if (name === 'list(number)') return Array.isArray(value) && value.every(isNumber);
  return hasType(value, type);
}

/** Whether a JSON value is one of the type. A list may be empty, and whole numbers are numbers. */
function hasType(value: unknown, type: CelType): boolean {
  switch (type.kind) {
    case 'int':
      return isInt(value);
    case 'double':
      return isNumber(value);
    case 'list':
      return Array.isArray(value) && value.every((element) => hasType(element, type.element));
    case 'object':
      return (
        isRecord(value) &&
        Object.keys(value).length === type.fields.size &&
        [...type.fields].every(([field, of]) => Object.hasOwn(value, field) && hasType(value[field], of))
      );
    case 'dyn':
      return true;
    default:
      return sameType(typeOf(value), type);
  }
}
