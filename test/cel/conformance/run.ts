import {
  CelError,
  type CelType,
  check,
  compile,
  createBudget,
  Duration,
  parseDuration,
  parseTimestamp,
  Timestamp,
  typeName,
  types,
} from '../../../src/cel/index.ts';
import { type CoreTest, coreTests, extensionTests } from './core.ts';

export interface Outcome {
  readonly core: CoreTest;
  /** Why the test fails, or null when it passes. */
  readonly failure: string | null;
  /** Whether the inferred type is the one cel-go recorded; null when there is none to compare with. */
  readonly typed: boolean | null;
}

type Json = Readonly<Record<string, unknown>>;

// The suite tests a language, not this house's limits: some of its texts are larger than any rule may be.
const LIMITS = { sourceBytes: 65_536, nodes: 5000, depth: 64, cost: Number.POSITIVE_INFINITY };

export const runCore = (): Outcome[] => coreTests().map(runOne);
export const runExtensions = (): Outcome[] => extensionTests().map(runOne);

function runOne(core: CoreTest): Outcome {
  const { original, type } = core.test;
  const declared = (original.typeEnv ?? []).map(
    ({ name, ident }) => [name, celType((ident?.type ?? {}) as Json)] as const,
  );
  const bound = Object.entries(original.bindings ?? {}).map(
    ([name, { value }]) => [name, celValue(value as Json)] as const,
  );
  const undeclared = bound.filter(([name]) => !declared.some(([other]) => other === name));
  const variables = Object.fromEntries([
    ...declared,
    ...undeclared.map(([name]) => [name, types.dyn] as const),
  ]);
  const checked = check(original.expr, { variables, limits: LIMITS });
  const recorded = type === undefined || /bytes/.test(type) ? null : type;
  if (!checked.ok) {
    const failure = `refused: ${checked.issues.map(({ message }) => message).join('; ')}`;
    return { core, failure, typed: recorded === null ? null : false };
  }
  const found = compile(checked.expression).run(Object.fromEntries(bound), createBudget());
  const typed = recorded === null ? null : typeName(checked.expression.type) === recorded;
  return { core, failure: compareResult(original, found), typed };
}

function compareResult(original: CoreTest['test']['original'], found: unknown): string | null {
  if (original.evalError !== undefined) {
    return found instanceof CelError ? null : `expected an error, got ${show(found)}`;
  }
  const wanted = celValue(original.value ?? { boolValue: true });
  return same(found, wanted) ? null : `expected ${show(wanted)}, got ${show(found)}`;
}

function same(found: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'number') return found === wanted || (Number.isNaN(found) && Number.isNaN(wanted));
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length) return false;
    return wanted.every((element, index) => same(found[index], element));
  }
  if (wanted instanceof Timestamp || wanted instanceof Duration) {
    const kind = wanted instanceof Timestamp ? found instanceof Timestamp : found instanceof Duration;
    return kind && JSON.stringify(found) === JSON.stringify(wanted);
  }
  if (wanted instanceof Map) {
    if (!(found instanceof Map) || found.size !== wanted.size) return false;
    return [...wanted].every(([key, value]) => same(found.get(key), value));
  }
  return found === wanted;
}

const show = (value: unknown): string =>
  value instanceof CelError
    ? `error ${value.code} (${value.message})`
    : JSON.stringify(value instanceof Map ? [...value] : value);

function celType(type: Json): CelType {
  if ('primitive' in type) {
    const primitives: Record<string, CelType> = {
      BOOL: types.bool,
      INT64: types.int,
      DOUBLE: types.double,
      STRING: types.string,
    };
    return primitives[type.primitive as string] ?? types.dyn;
  }
  if ('null' in type) return types.null;
  if ('messageType' in type)
    return String(type.messageType).endsWith('Duration') ? types.duration : types.timestamp;
  if ('wellKnown' in type) return type.wellKnown === 'DURATION' ? types.duration : types.timestamp;
  if ('listType' in type) return types.list(celType((type.listType as Json).elemType as Json));
  if ('mapType' in type) {
    const { keyType, valueType } = type.mapType as { keyType: Json; valueType: Json };
    return { kind: 'map', key: celType(keyType), value: celType(valueType) };
  }
  return types.dyn;
}

function celValue(value: Json): unknown {
  const [[kind, inner]] = Object.entries(value) as [[string, unknown]];
  switch (kind) {
    case 'int64Value':
      return Number(inner);
    case 'doubleValue':
      return Number(inner);
    case 'listValue':
      return ((inner as { values?: Json[] }).values ?? []).map(celValue);
    case 'mapValue': {
      const { entries = [] } = inner as { entries?: { key: Json; value: Json }[] };
      return new Map(entries.map(({ key, value: element }) => [celValue(key), celValue(element)]));
    }
    case 'objectValue': {
      const { '@type': type, value: text } = inner as { '@type': string; value: string };
      return type.endsWith('Duration') ? parseDuration(text) : parseTimestamp(text);
    }
    default:
      return inner;
  }
}
