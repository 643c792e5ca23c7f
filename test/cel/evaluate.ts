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

/** The value of a source text that checks; `error: code` for an error. */
export function evaluate(source: string, setting: Setting = {}): unknown {
  const { variables = {}, activation = {}, steps } = setting;
  const result = check(source, { variables, ...(setting.limits && { limits: setting.limits }) });
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join('; '));
  const value = compile(result.expression).run(activation, createBudget(steps));
  return value instanceof CelError ? `error: ${value.code}` : value;
}

export function issuesOf(
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
