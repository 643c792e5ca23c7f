import { type CustomDetector, PolicyDocument } from '../../schemas/policy-documents.ts';
import { tooFewRecentActions } from '../analysis/bounds.ts';
import { findWarnings } from '../analysis/warnings.ts';
import {
  assemblePolicy,
  type CompiledPolicy,
  type CompileOptions,
  compilePolicy,
  type PolicyIdentity,
} from '../compile-policy.ts';
import { type CounterStart, counterStarts } from '../counters/compile-counter.ts';
import {
  atOnce,
  checkExpressions,
  type ExpressionSource,
  expressionSource,
  preparingPatterns,
} from '../expressions.ts';
import { boundParams, paramMistakes, valuesOf } from '../params.ts';
import { listsRead } from '../reads.ts';
import { isRecord, record } from '../records.ts';
import { checkMeaning, listOf } from './check-meaning.ts';
import { checkStructure, type Schema } from './check-structure.ts';
import {
  type PolicyTestResult,
  type ReplaySteps,
  runDocumentTests,
  type TestBudget,
} from './document-tests.ts';
import { type DocumentPath, type PolicyIssue, readablePath, type TextIssue } from './policy-issue.ts';
import { type OnIssue, readDocument } from './read-document.ts';
import type { Detect } from './test-subject.ts';

export interface PolicyCheck {
  valid: boolean;
  /** Present when valid. */
  document?: PolicyDocument;
  /** Compiles the document without checking its expressions again. Present when valid. */
  compile?: (identity: PolicyIdentity, options?: CompileOptions) => CompiledPolicy;
  /** Whether its counters count recorded actions when an integration first has them. Present when valid. */
  counters?: CounterStart[];
  /** The names of the shared lists that its rules read. Present when valid. */
  lists?: string[];
  /** The mistakes that make the document invalid, in the order of the text; at most 200. */
  issues: PolicyIssue[];
  /** Passages that are legal and probably not meant; only looked for in a document without issues. */
  warnings: PolicyIssue[];
  /** The document's own tests; they run once everything else checks. */
  tests: (PolicyTestResult & { line: number })[];
}

export interface CheckOptions {
  /** False for a document that passed before: its tests passed with detectors that this check may not have. */
  runTests?: boolean;
  /** False where nobody reads them: to look for them takes as long as all the rest. */
  findWarnings?: boolean;
  /** Gives the tests the data tags of their `input`. Without it they have those they name. */
  detect?: Detect;
  /** The budget of all tests together, and in the end the steps that they took. */
  budget?: TestBudget;
  /** Replays the tests that have steps. Without it they fail. */
  replaySteps?: ReplaySteps;
  /** The text of another policy, that a test with steps names in `with`; null when there is none of that name. */
  findPolicy?: (name: string) => string | null;
  /** The params of a binding. Without them, a param that has no default may go without a value. */
  params?: Readonly<Record<string, unknown>>;
  /** The names of all shared lists. Without them, no list is unknown. */
  lists?: readonly string[];
  /** All data tags and categories there are without custom detectors. Without them, no tag is unknown. */
  tags?: readonly string[];
  /** Finds mistakes in custom detectors: the index of the detector, the field, and why. */
  checkCustomDetectors?: (
    custom: readonly CustomDetector[],
  ) => readonly { index: number; field: string; message: string }[];
}

/** For a document that passed before, and only has to be compiled. */
export const compileOnly = { runTests: false, findWarnings: false } as const satisfies CheckOptions;

/** Bounds the response to a document with a mistake on every line. */
const maxIssues = 200;

/** Checks a policy as sent, in YAML or JSON: its structure, its expressions, its detectors and its tests. */
export function checkPolicyDocument(source: string, options: CheckOptions = {}): PolicyCheck {
  const { value, issues, report } = readDocument(source);
  const add = (...[path, issue, place]: Parameters<typeof report>): void => {
    if (issues.length < maxIssues) issues.push(report(path, issue, place));
  };
  if (issues.length > 0) return refused(issues);
  checkStructure(PolicyDocument as Schema, value, add);
  const malformed = new Set(issues.map(({ path }) => path));
  const parts = withParams(expressionSource(value, malformed, options.lists), value, options.params, add);
  checkMeaning(value, add);
  const expressions = checkExpressions(parts, (path, issue) =>
    add(path, celIssue(path, issue), issue.offset),
  );
  for (const { index, field, message } of options.checkCustomDetectors?.(detectorsOf(value, malformed)) ??
    []) {
    const path = ['detectors', index, field];
    add(path, { code: 'bad_detector', message: `${readablePath(path)}: ${message}` });
  }
  if (issues.length > 0) return refused(issues);

  const document: PolicyDocument = { ...(value as PolicyDocument), params: valuesOf(parts.params ?? {}) };
  for (const { path, offset, message, hint } of tooFewRecentActions(document, expressions))
    add(path, { code: 'too_few_actions', message, hint }, offset);
  if (issues.length > 0) return refused(issues);
  const { budget, detect, replaySteps } = options;
  const located =
    options.runTests === false
      ? []
      : runDocumentTests(document, parts, expressions, {
          budget,
          detect,
          replaySteps,
          findOther: (name) => compileOther(name, options),
        });
  for (const [index, { name, passed, message, place }] of located.entries()) {
    if (passed) continue;
    add(['tests', index, ...place], { code: 'test_failed', message: `test "${name}": ${message}` });
  }
  const tests = located.map(({ place: _, ...test }, index): PolicyCheck['tests'][number] => ({
    ...test,
    line: report(['tests', index], { code: '', message: '' }).line,
  }));
  if (issues.length > 0) return { ...refused(issues), tests };
  return {
    valid: true,
    document: value as PolicyDocument,
    compile(identity, compileOptions) {
      atOnce(preparingPatterns(expressions));
      return assemblePolicy(document, expressions, identity, compileOptions);
    },
    counters: counterStarts(expressions.counters, document.counters),
    lists: listsRead(expressions),
    issues,
    warnings:
      options.findWarnings === false
        ? []
        : findWarnings(document, expressions, report, options.tags ? new Set(options.tags) : null),
    tests,
  };
}

/** Another policy of a test with steps; why it cannot be, when it cannot. */
function compileOther(name: string, { findPolicy }: CheckOptions): CompiledPolicy | string {
  const text = findPolicy?.(name) ?? null;
  if (text === null) return `there is no policy "${name}"`;
  const { document } = checkPolicyDocument(text, compileOnly);
  if (!document) return `the policy "${name}" does not check`;
  return compilePolicy(document, { policyId: name, policyVersion: 1 }, { mode: 'ENFORCE' });
}

/** The params as a binding has them. Mistakes in them stop the check before an expression is run with them. */
function withParams(
  source: ExpressionSource,
  value: unknown,
  given: CheckOptions['params'],
  add: OnIssue,
): ExpressionSource {
  for (const { name, key, message } of paramMistakes(record(record(value).params))) {
    const path = ['params', name, ...(key === null ? [] : [key])];
    add(path, { code: 'bad_param', message: `${readablePath(path)}: ${message}` });
  }
  if (given === undefined || source.params === undefined) return source;
  const { declared, mistakes } = boundParams(source.params, given);
  for (const { name, message } of mistakes)
    add(['params', name], { code: 'bad_param', message: `${readablePath(['params', name])}: ${message}` });
  return { ...source, params: declared };
}

/** The custom detectors; none when one of them has the wrong structure. */
function detectorsOf(value: unknown, malformed: ReadonlySet<string>): readonly CustomDetector[] {
  const broken = [...malformed].some((path) => path === '' || path.startsWith('/detectors'));
  return broken ? [] : ((value as PolicyDocument).detectors ?? []);
}

function refused(issues: PolicyIssue[]): PolicyCheck {
  const ordered = issues.sort((left, right) => left.line - right.line || left.column - right.column);
  return { valid: false, issues: ordered.slice(0, maxIssues), warnings: [], tests: [] };
}

function celIssue(path: DocumentPath, issue: TextIssue) {
  const message = `${readablePath(path)} @${issue.line}:${issue.column}: ${issue.message}`;
  return { code: issue.code, message, ...(issue.hint === undefined ? {} : { hint: issue.hint }) };
}

/** The names of other policies that a document's tests run with, each once. Of a text that is no document: none. */
export function policiesNamedIn(source: string): string[] {
  // Most documents name none, and reading one takes longer than looking for the key.
  if (!source.includes('with')) return [];
  const { value } = readDocument(source);
  const tests = isRecord(value) ? listOf(value.tests) : [];
  const names = tests.flatMap((test) => (Array.isArray(test.with) ? test.with : []));
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}
