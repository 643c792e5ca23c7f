import { deepStrictEqual } from 'node:assert';
import {
  CelError,
  type CelIssue,
  type CelType,
  check,
  compile,
  createBudget,
  type Limits,
} from '../../src/cel/index.ts';

export interface Setting {
  readonly variables?: Readonly<Record<string, CelType>>;
  readonly activation?: object;
  readonly steps?: number;
  readonly limits?: Partial<Limits>;
}

/**
 * The value of a source text that checks; `error: code` for an error. Fails when it is another once what JSON can say
 * of the activation is given as constants.
 */
export function evaluate(source: string, setting: Setting = {}): unknown {
  const { variables = {}, activation = {}, steps } = setting;
  const result = check(source, { variables, ...(setting.limits && { limits: setting.limits }) });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('; '));
  const run = (constants: object) => {
    const value = compile(result.expression, constants).run(activation, createBudget(steps));
    return value instanceof CelError ? `error: ${value.code}` : value;
  };
  const value = run({});
  const constants = jsonOf(activation);
  // Less is spent with them, so a budget meant to end ends later.
  if (steps === undefined && Object.keys(constants).length > 0)
    deepStrictEqual(run(constants), value, `${source}, with constants`);
  return value;
}

const jsonOf = (activation: object): object =>
  Object.fromEntries(Object.entries(activation).filter(([, value]) => isJson(value)));

/** And not so deep that it might be a circle. */
function isJson(value: unknown, depth = 0): boolean {
  if (depth > 100) return false;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'bigint') return true;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  const plain = typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
  return (
    plain &&
    Object.values(Object.getOwnPropertyDescriptors(value)).every((own) => isJson(own.value, depth + 1))
  );
}

function issuesOf(
  source: string,
  variables: Readonly<Record<string, CelType>> = {},
  limits: Partial<Limits> = {},
  expected?: CelType,
): CelIssue[] {
  const result = check(source, { variables, limits }, expected);
  return result.ok ? [] : result.issues;
}

/** `line:column code message [hint]` for each issue. */
export const issueLines = (...args: Parameters<typeof issuesOf>): string[] =>
  issuesOf(...args).map(
    ({ line, column, code, message, hint }) =>
      `${line}:${column} ${code} ${message}${hint ? ` [${hint}]` : ''}`,
  );
