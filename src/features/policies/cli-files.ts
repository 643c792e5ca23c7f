import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { parse } from 'yaml';
import type { Call } from '../../cli/api/call.ts';
import { findNamed, idOf, listNamed } from '../../cli/api/find.ts';
import { Exit, type ExitCode, exitCodes } from '../../cli/exit.ts';
import { printable, whyUnread } from '../../cli/io.ts';
import type { Output } from '../../cli/output.ts';
import { AssizeError } from '../../client/error.ts';
import { type Http, type HttpRequest, path } from '../../client/http.ts';
import type { PolicyCheck } from '../../policy/document/check-policy-document.ts';
import { type CheckOptions, checkPolicyDocument } from '../../policy/document/check-policy-document.ts';
import type { PolicyIssue } from '../../policy/document/policy-issue.ts';
import { draftWarning, policyFields, versionIn } from './cli-columns.ts';
import type { Policy, PolicyDiff, PolicyMediaType, PolicySummary, SavedPolicy } from './schema.ts';

export interface PolicyCommandOptions extends CheckOptions {
  /** Whether a mistake is shown in its line, for people on a terminal. */
  frames?: boolean;
  /** One JSON document instead of lines for people. */
  json?: boolean;
  /** Gets the output, in pieces that end with a line break. */
  write: (text: string) => void;
}

interface FileReport extends Pick<PolicyCheck, 'valid' | 'issues' | 'warnings' | 'tests'> {
  file: string;
  text: string;
  /** Why the file could not be read; everything else is empty then. */
  error?: string;
}

/** `assize policies check FILE…`: everything that is wrong with the policies, as `file:line:column: message`. */
export function policyCheck(files: readonly string[], options: PolicyCommandOptions): ExitCode {
  const { frames = false } = options;
  return run(files, options, ({ file, text, valid, issues, warnings, tests }) => [
    ...issues.flatMap((issue) => [issueLine(file, issue), ...(frames ? frameOf(text, issue) : [])]),
    ...warnings.flatMap((warning) => [
      issueLine(file, warning, 'warning: '),
      ...(frames ? frameOf(text, warning) : []),
    ]),
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
  if (json) write(`${JSON.stringify({ files: reports.map(({ text: _, ...report }) => report) }, null, 2)}\n`);
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
  if ('error' in read)
    return { file, text: '', valid: false, error: read.error, issues: [], warnings: [], tests: [] };
  const findPolicy = (name: string) => policyBeside(file, name);
  const { valid, issues, warnings, tests } = checkPolicyDocument(read.text, { findPolicy, ...options });
  return { file, text: read.text, valid, issues, warnings, tests };
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
function issueLine(file: string, { line, column, message, hint }: PolicyIssue, kind = ''): string {
  return `${file}:${line}:${column}: ${kind}${message}${hint === undefined ? '' : `; ${hint}`}`;
}

const widest = 100;

/** The line of a mistake with a caret under its place. A long line is shown from near the place on. */
function frameOf(text: string, { line, column }: { line: number; column: number }): string[] {
  const whole = text.split(/\r?\n/)[line - 1] ?? '';
  const from = column > widest ? column - widest / 2 : 0;
  const shown = printable(whole.slice(from, from + widest).replaceAll('\t', ' '));
  const margin = String(line).padStart(4);
  return [`${margin} | ${shown}`, `${' '.repeat(4)} | ${' '.repeat(Math.max(0, column - 1 - from))}^`];
}

/** Why a file is no text that could be a policy, or its text. */
function readDocument(file: string): { text: string } | { error: string } {
  try {
    // Fatal: a byte that is no text must not be checked as if it were another.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) };
  } catch (error) {
    return { error: whyUnread(error) };
  }
}

export interface Document {
  text: string;
  mediaType: PolicyMediaType;
}

export function documentIn(file = ''): Document {
  const read = readDocument(file);
  if ('error' in read) throw new Exit(exitCodes.wrongUse, `${file}: ${read.error}`);
  return { text: read.text, mediaType: file.endsWith('.json') ? 'application/json' : 'application/yaml' };
}

/** The policy that a document is a version of: the one named by `--policy`, or the one with the document's name. */
async function policyOf(http: Http, { text }: Document, given: string | undefined): Promise<Policy | null> {
  const id = given === undefined ? await idByName(http, nameIn(text)) : await idOf(http, 'policies', given);
  if (id === null) return null;
  return (await http.send<Policy>({ method: 'GET', path: path`/v1/policies/${id}` })).data;
}

async function idByName(http: Http, name: string | null): Promise<string | null> {
  if (name === null) return null;
  const named = await findNamed(http, 'policies', name);
  if (named.length < 2) return named[0]?.id ?? null;
  throw new Exit(
    exitCodes.failed,
    `${named.length} policies are named ${JSON.stringify(name)}, give one by --policy ID: ${listNamed(named)}`,
  );
}

/** Null for a document without one, which the service refuses, and says why. */
function nameIn(text: string): string | null {
  try {
    const { name } = (parse(text) ?? {}) as { name?: unknown };
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

/** Shows the changes that pushing a file would make, or the differences of two versions. Like `diff` it is 1 for a difference. */
export async function diff(call: Call<{ policy?: string }>): Promise<void> {
  const [, from] = call.args;
  const same = from === undefined ? await diffOfFile(call) : await diffOfVersions(call);
  if (!same) throw new Exit(exitCodes.failed);
}

async function diffOfFile({ http, out, options, args: [file = ''] }: Call<{ policy?: string }>) {
  const document = documentIn(file);
  const policy = await policyOf(http, document, options.policy);
  const before = policy ? `${policy.name} version ${policy.version}` : '/dev/null';
  const same = policy?.document === document.text;
  const patch = same
    ? ''
    : createTwoFilesPatch(before, file, policy?.document ?? '', document.text, undefined, undefined, {
        headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
      });
  if (out.json) out.line({ policyId: policy?.id ?? null, version: policy?.version ?? null, same, patch }, '');
  else printPatch(out, patch);
  return same;
}

async function diffOfVersions({ http, out, options, args }: Call<{ policy?: string }>) {
  const [given, from = '', to] = args;
  if (options.policy !== undefined) {
    throw new Exit(exitCodes.wrongUse, '--policy goes with a file: name the policy before its versions');
  }
  const id = await idOf(http, 'policies', given);
  const [first, second] = [versionIn(from), to === undefined ? await currentVersion() : versionIn(to)];
  const { data } = await http.send<PolicyDiff>({
    method: 'GET',
    path: path`/v1/policies/${id}/versions/${String(first)}/diff/${String(second)}`,
  });
  if (out.json) out.line(data, '');
  else {
    printPatch(out, data.text);
    for (const { part, name, change } of data.changes) {
      out.line({}, printable(`${part.toLowerCase()} ${name}: ${change.toLowerCase()}`));
    }
  }
  return data.text === '';

  async function currentVersion(): Promise<number> {
    return (await http.send<{ version: number }>({ method: 'GET', path: path`/v1/policies/${id}` })).data
      .version;
  }
}

function printPatch(out: Output, patch: string): void {
  for (const line of patch.split('\n').slice(0, -1)) out.line({}, colour(line));

  function colour(line: string): string {
    const text = printable(line.replaceAll('\t', '    '));
    if (/^(---|\+\+\+) /.test(text)) return out.style.strong(text);
    if (text.startsWith('+')) return out.style.added(text);
    if (text.startsWith('-')) return out.style.removed(text);
    return text.startsWith('@@') ? out.style.faint(text) : text;
  }
}

interface PushOptions {
  policy?: string;
  activate?: boolean;
  note?: string;
}

/** A new policy, or the next version of the one it is of; nothing when the current or the latest one says that already. */
export async function push({ http, out, options, args: [file = ''] }: Call<PushOptions>): Promise<void> {
  const { activate, note } = options;
  const document = documentIn(file);
  const text = { mediaType: document.mediaType, content: document.text };
  const known = await policyOf(http, document, options.policy);
  const send = async (request: HttpRequest): Promise<SavedPolicy> => {
    const { data } = await http
      .send<SavedPolicy>(request)
      .catch(atFile(file, out.terminal ? document.text : null));
    for (const warning of data.warnings) out.warn(issueLine(file, warning, 'warning: '));
    return data;
  };

  let policy: Policy | null = known;
  let version = known && (await versionThatSays(http, known, document));
  if (policy && version !== null) {
    out.note(`Version ${version} says that already${whatDecides(policy, version)}`);
  } else if (policy) {
    policy = await send({ method: 'PUT', path: path`/v1/policies/${policy.id}`, query: { note }, text });
    version = policy.latestVersion;
    out.note(`Version ${version} is stored${whatDecides(policy, version)}`);
  } else {
    policy = await send({ method: 'POST', path: '/v1/policies', query: { activate, note }, text });
    version = 1;
    out.note(`Created version 1. Bind it: assize integrations bind INTEGRATION ${policy.id}`);
  }
  if (activate && (policy.status !== 'ACTIVE' || policy.version !== version)) {
    const activated = await http.send<PolicySummary>({
      method: 'POST',
      path: path`/v1/policies/${policy.id}/activate`,
      json: { version },
    });
    policy = { ...policy, ...activated.data };
  }
  out.record(policy, policyFields);
  if (policy.status === 'DRAFT') out.warn(draftWarning(policy));
}

/** The version with this document: the current or the latest one, which may be another after a rollback and under four-eyes control. */
async function versionThatSays(http: Http, policy: Policy, document: Document): Promise<number | null> {
  if (isSame(policy, document)) return policy.version;
  if (policy.version === policy.latestVersion) return null;
  const at = path`/v1/policies/${policy.id}/versions/${String(policy.latestVersion)}`;
  const { data } = await http.send<Written>({ method: 'GET', path: at });
  return isSame(data, document) ? policy.latestVersion : null;
}

type Written = { document?: string; mediaType: string };

const isSame = (written: Written, { text, mediaType }: Document): boolean =>
  written.document === text && written.mediaType === mediaType;

const whatDecides = ({ id, version: current }: Policy, version: number): string =>
  version === current
    ? ', and is the current one.'
    : `, but version ${current} is the current one: assize policies activate ${id} ${version}`;

/** The service's errors about a document, at their places in the file. */
const atFile = (file: string, frames: string | null) => (error: unknown) => {
  if (!(error instanceof AssizeError) || !error.errors.some(({ line }) => line !== undefined)) throw error;
  const lines = error.errors.flatMap(({ message, line = 1, column = 1, hint }) => {
    const said = message.replace(`line ${line}:${column} `, '');
    return [
      `${file}:${line}:${column}: ${said}${hint === undefined ? '' : `; ${hint}`}`,
      ...(frames === null ? [] : frameOf(frames, { line, column })),
    ];
  });
  throw new Exit(exitCodes.failed, lines.join('\n'));
};
