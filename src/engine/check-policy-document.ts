import { type CustomDetector, PolicyDocument } from '../schemas/policy-documents.ts';
import { tooFewRecentActions } from './analysis/recent-actions.ts';
import { checkMeaning } from './check-meaning.ts';
import { checkStructure, type Schema } from './check-structure.ts';
import { assemblePolicy, type CompiledPolicy, type PolicyIdentity } from './compile-policy.ts';
import { type PolicyTestResult, runDocumentTests } from './document-tests.ts';
import { expressionSource } from './expression-source.ts';
import { checkExpressions } from './expressions.ts';
import { type DocumentPath, type PolicyIssue, readablePath, type TextIssue } from './policy-issue.ts';
import { readDocument } from './read-document.ts';
import type { Detect } from './test-subject.ts';
import { findWarnings } from './warnings.ts';

export interface PolicyCheck {
  valid: boolean;
  /** Present when valid. */
  document?: PolicyDocument;
  /** Compiles the document without checking its expressions again. Present when valid. */
  compile?: (identity: PolicyIdentity, digest?: (text: string) => string) => CompiledPolicy;
  /** What makes the document invalid, in the order of the text; at most 200. */
  issues: PolicyIssue[];
  /** What is legal and probably not meant; only looked for in a document without issues. */
  warnings: PolicyIssue[];
  /** The document's own tests; they run once everything else checks. */
  tests: PolicyTestResult[];
}

export interface CheckOptions {
  /** False for a document that passed before: its tests passed with detectors that this check may not have. */
  runTests?: boolean;
  /** Gives the tests the data tags of their `input`. Without it they have those they name. */
  detect?: Detect;
  /** All data tags and categories there are without custom detectors. Without them, no tag is unknown. */
  tags?: readonly string[];
  /** What is wrong with custom detectors: the index of the detector, the field, and why. */
  checkCustomDetectors?: (
    custom: readonly CustomDetector[],
  ) => readonly { index: number; field: string; message: string }[];
}

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
  const parts = expressionSource(value, malformed);
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

  const document = value as PolicyDocument;
  for (const { path, offset, message, hint } of tooFewRecentActions(document, expressions))
    add(path, { code: 'too_few_actions', message, hint }, offset);
  if (issues.length > 0) return refused(issues);
  const tests = options.runTests === false ? [] : runDocumentTests(document, expressions, options.detect);
  for (const [index, { name, passed, message }] of tests.entries()) {
    if (!passed) add(['tests', index], { code: 'test_failed', message: `test "${name}": ${message}` });
  }
  if (issues.length > 0) return { ...refused(issues), tests };
  return {
    valid: true,
    document,
    compile: (identity, digest) => assemblePolicy(document, expressions, identity, digest),
    issues,
    warnings: findWarnings(document, expressions, report, options.tags ? new Set(options.tags) : null),
    tests,
  };
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
