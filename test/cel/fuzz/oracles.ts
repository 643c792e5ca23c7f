import { celEnv, isCelError, isCelList, isCelMap, parse, plan } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { isMessage } from '@bufbuild/protobuf';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { Environment } from '@marcbachmann/cel-js';
import {
  CelError,
  check,
  compile,
  createBudget,
  Duration,
  Optional,
  Timestamp,
  types,
} from '../../../src/cel/index.ts';
import { data } from './generate.ts';

/** What a library makes of a text: a value in one form for all, `error`, or `unsupported` where it knows no such thing. */
export type Reply = { readonly value: string } | 'error' | 'unsupported';
export interface Oracle {
  readonly name: string;
  response(source: string): Reply;
}

function toBigint(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toBigint);
  if (typeof value !== 'object' || value === null) return value;
  // Both libraries take an object with a field named "constructor" for something else; a Map they read as it is.
  return new Map(Object.entries(value).map(([key, inner]) => [key, toBigint(inner)]));
}
const bigints = Object.fromEntries(
  Object.entries(data).map(([key, value]) => [key, toBigint(value)]),
) as Record<string, never>;

/** One text for equal values: keys in order, integers and doubles alike, as JSON has them. */
function canonical(value: unknown): string {
  if (typeof value === 'bigint') return String(Number(value));
  if (typeof value === 'number') return Number.isNaN(value) ? 'NaN' : String(value === 0 ? 0 : value);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
  if (value instanceof Timestamp || value instanceof Duration)
    return timeText(value instanceof Timestamp, value);
  if (value instanceof Date) {
    const ms = value.getTime();
    return timeText(true, { seconds: Math.floor(ms / 1000), nanos: (((ms % 1000) + 1000) % 1000) * 1e6 });
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value instanceof Map) return mapText([...value]);
  return objectText(value as object);
}

function objectText(value: object): string {
  if (isCelList(value)) return `[${[...value].map(canonical).join()}]`;
  if (isCelMap(value)) return mapText([...value.entries()]);
  const message = 'message' in value ? (value as { message: unknown }).message : value;
  if (isMessage(message, TimestampSchema)) return timeText(true, message);
  if (isMessage(message, DurationSchema)) return timeText(false, message);
  if (value.constructor.name === 'Duration') return timeText(false, value as never);
  return mapText(Object.entries(value));
}

/** As one count: the libraries split a negative time differently. */
const timeText = (moment: boolean, { seconds, nanos }: { seconds: number | bigint; nanos: number }): string =>
  `${moment ? 'at' : 'for'} ${BigInt(seconds) * 1_000_000_000n + BigInt(nanos)}ns`;

const mapText = (entries: readonly (readonly [unknown, unknown])[]): string =>
  `{${entries
    .map(([key, inner]) => `${canonical(key)}:${canonical(inner)}`)
    .sort()
    .join()}}`;

const { int, double, string, dyn } = types;
const variables = {
  i: int,
  j: int,
  d: double,
  e: double,
  s: string,
  t: string,
  o: dyn,
  li: types.list(int),
  ls: types.list(string),
  m: types.map(int),
};

/** Ours says more: why a text was refused, and which error it ended in. */
export function ourResult(source: string): { response: Reply; reason: string } {
  const result = check(source, { variables, limits: { depth: 64, cost: Number.POSITIVE_INFINITY } });
  if (!result.ok) {
    return {
      response: 'unsupported',
      reason: result.issues.map(({ code, message }) => `${code}: ${message}`).join('; '),
    };
  }
  const value = compile(result.expression).run(data, createBudget());
  if (value instanceof CelError) return { response: 'error', reason: value.code };
  if (value instanceof Optional) return { response: 'unsupported', reason: 'an optional' };
  return { response: { value: canonical(value) }, reason: '' };
}

const UNKNOWN = /unbound|unknown|no such overload|not found|no matching overload|unsupported|undeclared/i;

const bufbuildEnv = celEnv({ funcs: strings });
export const bufbuild: Oracle = {
  name: '@bufbuild/cel',
  response(source) {
    let program: ReturnType<typeof plan>;
    try {
      program = plan(bufbuildEnv, parse(source));
    } catch {
      return 'unsupported';
    }
    try {
      const value = program(bigints);
      return isCelError(value) ? 'error' : { value: canonical(value) };
    } catch (error) {
      return UNKNOWN.test(String(error)) ? 'unsupported' : 'error';
    }
  },
};

const marcbachmannEnv = new Environment({
  unlistedVariablesAreDyn: true,
  enableOptionalTypes: true,
  homogeneousAggregateLiterals: false,
});
export const marcbachmann: Oracle = {
  name: '@marcbachmann/cel-js',
  response(source) {
    let program: (context: never) => unknown;
    try {
      program = marcbachmannEnv.parse(source) as never;
    } catch {
      return 'unsupported';
    }
    try {
      return { value: canonical(program(bigints as never)) };
    } catch (error) {
      // Functions it does not have, and an environment that trips over its own operators.
      const { code } = error as { code?: string };
      return code === undefined || code === 'no_matching_overload' ? 'unsupported' : 'error';
    }
  },
};
