export { Budget, createBudget } from './budget.ts';
export { type CheckedExpression, type CheckResult, check } from './check/check.ts';
export { compile, type Program } from './compile/compile.ts';
export type { Activation } from './compile/compiling.ts';
export type { CelEnvironment } from './environment.ts';
export { defaultLimits, global, type Limits, type Overload } from './environment.ts';
export { CelError, type ErrorCode, SPENT, Unknown } from './error.ts';
export type { CelIssue, IssueCode } from './issue.ts';
export {
  compilePattern,
  matches,
  type Pattern,
  type PatternResult,
  preparePattern,
} from './regex.ts';
export { toText } from './text.ts';
export {
  createDuration,
  Duration,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  Timestamp,
  timestampFromEpochMs,
} from './time.ts';
export { type CelType, isPrintable, typeFromJsonSchema, typeName, typeOf, types } from './type.ts';
export { Optional } from './value.ts';
