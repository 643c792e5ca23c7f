import { dirname, join } from 'node:path';
import {
  type CheckOptions,
  checkPolicyDocument,
  type PolicyCheck,
} from '../../policy/document/check-policy-document.ts';
import type { PolicyIssue } from '../../policy/document/policy-issue.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { readDocument } from './document.ts';

export interface PolicyCommandOptions extends CheckOptions {
  /** One JSON document instead of lines for people. */
  json?: boolean;
  /** Gets the output, in pieces that end with a line break. */
  write: (text: string) => void;
}

interface FileReport extends Pick<PolicyCheck, 'valid' | 'issues' | 'warnings' | 'tests'> {
  file: string;
  /** Why the file could not be read; everything else is empty then. */
  error?: string;
}

/** `assize policies check FILE…`: everything that is wrong with the policies, as `file:line:column: message`. */
export function policyCheck(files: readonly string[], options: PolicyCommandOptions): ExitCode {
  return run(files, options, ({ file, valid, issues, warnings, tests }) => [
    ...issues.map((issue) => issueLine(file, issue)),
    ...warnings.map((warning) => issueLine(file, warning, 'warning: ')),
    ...(valid ? [`${file}: ok, ${tests.length} ${tests.length === 1 ? 'test' : 'tests'} passed`] : []),
  ]);
}

/** `assize policies test FILE…`: the policies' own tests, one line each. A policy that does not check has none. */
export function policyTest(files: readonly string[], options: PolicyCommandOptions): ExitCode {
  return run(files, options, ({ file, issues, tests }) => [
    ...tests.map(({ name, passed, message }) =>
      passed ? `ok      ${file}: ${name}` : `not ok  ${file}: ${name}: ${message}`,
    ),
    ...issues.filter(({ code }) => code !== 'test_failed').map((issue) => issueLine(file, issue)),
    ...(tests.length === 0 && issues.length === 0 ? [`${file}: has no tests`] : []),
  ]);
}

function run(
  files: readonly string[],
  { json = false, write, ...checkOptions }: PolicyCommandOptions,
  lines: (report: FileReport) => string[],
): ExitCode {
  const reports = files.map((file) => checkFile(file, checkOptions));
  if (json) write(`${JSON.stringify({ files: reports }, null, 2)}\n`);
  else {
    for (const report of reports) {
      const text = report.error === undefined ? lines(report) : [`${report.file}: ${report.error}`];
      write(text.map((line) => `${line}\n`).join(''));
    }
  }
  if (reports.some(({ error }) => error !== undefined)) return exitCodes.wrongUse;
  return reports.every(({ valid }) => valid) ? exitCodes.fine : exitCodes.failed;
}

function checkFile(file: string, options: CheckOptions): FileReport {
  const read = readDocument(file);
  if ('error' in read) return { file, valid: false, error: read.error, issues: [], warnings: [], tests: [] };
  const findPolicy = (name: string) => policyBeside(file, name);
  const { valid, issues, warnings, tests } = checkPolicyDocument(read.text, { findPolicy, ...options });
  return { file, valid, issues, warnings, tests };
}

/** The text of a policy in the same folder, in a file of its name; null when there is none. */
function policyBeside(file: string, name: string): string | null {
  for (const ending of ['yaml', 'yml', 'json']) {
    const read = readDocument(join(dirname(file), `${name}.${ending}`));
    if ('text' in read) return read.text;
  }
  return null;
}

/** `file:line:column: message`. */
export function issueLine(file: string, { line, column, message, hint }: PolicyIssue, kind = ''): string {
  return `${file}:${line}:${column}: ${kind}${message}${hint === undefined ? '' : `, ${hint}`}`;
}
