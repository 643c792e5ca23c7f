import { createTwoFilesPatch } from 'diff';
import { checkCustomDetectors, createDetector, type Detector, taxonomy } from '../../detectors/index.ts';
import { parseJson } from '../../json/parse.ts';
import { canonicalJson } from '../../json/stringify.ts';
import type { DecidingDocument } from '../../policy/compile-policy.ts';
import {
  type CheckOptions,
  checkPolicyDocument,
  compileOnly,
  type PolicyCheck,
  policiesNamedIn,
} from '../../policy/document/check-policy-document.ts';
import type { TestBudget } from '../../policy/document/document-tests.ts';
import { policyChanges } from '../../policy/document/policy-changes.ts';
import type { PolicyIssue } from '../../policy/document/policy-issue.ts';
import { type Tried, tryAction } from '../../policy/document/try-action.ts';
import type { ListEntries } from '../../policy/environment.ts';
import type { PolicyMode } from '../../schemas/decisions.ts';
import type { CustomDetector } from '../../schemas/policy-documents.ts';
import { replaySteps } from './policy-tests/replay-steps.ts';
import { type CannotDecide, type ProveJob, provePolicy } from './proof.ts';
import type { PolicyProof } from './schema.ts';
import type { StoredPolicyVersion } from './store-rows.ts';
import { noParams } from './words.ts';

/**
 * Lines that differ at most, added and removed ones, before the documents are shown one after the other instead: to find the
 * shortest difference takes time with the square of it, and other requests wait meanwhile.
 */
const mostDifferingLines = 500;

/** The differences of one version of a policy from another. */
interface VersionDiff {
  /** JSON text: a document may hold integers that only exact JSON keeps. */
  changes: string;
  /** The lines that differ. */
  text: string;
}

export const policyDiff = (from: StoredPolicyVersion, to: StoredPolicyVersion): VersionDiff => ({
  changes: canonicalJson(policyChanges(from.document, to.document)),
  text: unifiedDiff(from, to),
});

function unifiedDiff(from: StoredPolicyVersion, to: StoredPolicyVersion): string {
  if (from.document === to.document) return '';
  const [before, after] = [titleOf(from), titleOf(to)];
  const patch = createTwoFilesPatch(before, after, from.document, to.document, undefined, undefined, {
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
    maxEditLength: mostDifferingLines,
  });
  return patch ?? `--- ${before}\n+++ ${after}\n${marked('-', from.document)}${marked('+', to.document)}`;
}

const titleOf = ({ name, version }: StoredPolicyVersion): string => `${name} version ${version}`;

const marked = (mark: string, document: string): string =>
  document
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${mark}${line}\n`)
    .join('');

/** A policy document to be checked. Plain data, so that another thread can do it. */
export interface CheckJob {
  text: string;
  runTests: boolean;
  /** Other documents that its tests name, by name; null while nobody has looked for them. */
  others: ReadonlyMap<string, string> | null;
  /** The names of all shared lists; null when none is unknown. */
  lists: readonly string[] | null;
  /** JSON texts of the params of bindings that it must be able to decide by. */
  params: readonly string[];
}

/** Names of other documents that are needed to check one. */
export interface NeededDocuments {
  needed: readonly string[];
}

/** Two versions to be compared. */
export interface DiffJob {
  from: StoredPolicyVersion;
  to: StoredPolicyVersion;
}

/** A document that passed before, to be compiled. */
export interface ReadJob {
  read: string;
}

/** An action that a document decides. */
export interface TryJob {
  document: string;
  given: unknown;
  /** The entries of shared lists, by name. */
  entries: ListEntries;
  /** The names of all shared lists. */
  lists: readonly string[];
}

export type ThreadJob = CheckJob | DiffJob | ReadJob | ProveJob | TryJob;
export type JobResult<Job extends ThreadJob> = Job extends DiffJob
  ? ReturnType<typeof policyDiff>
  : Job extends ReadJob
    ? DecidingDocument | null
    : Job extends ProveJob
      ? PolicyProof | CannotDecide
      : Job extends TryJob
        ? Tried
        : CheckedDocument | NeededDocuments;

export function runJob(job: ThreadJob): JobResult<ThreadJob> {
  if ('from' in job) return policyDiff(job.from, job.to);
  if ('index' in job) return provePolicy(job);
  if ('given' in job)
    return tryAction(job.document, job.given, job.entries, { ...wholeCheck, lists: job.lists });
  return 'read' in job ? runRead(job) : runCheck(job);
}

export function runRead({ read }: ReadJob): DecidingDocument | null {
  const { document } = checkPolicyDocument(read, compileOnly);
  if (!document) return null;
  const { tests: _, properties: __, ...deciding } = document;
  return deciding;
}

/** The findings of a check. Plain data. */
export interface CheckedDocument extends Pick<PolicyCheck, 'valid' | 'issues' | 'warnings' | 'tests'> {
  /** Null when it is not valid. */
  name: string | null;
  mode: PolicyMode | null;
  lists: readonly string[];
  counters: NonNullable<PolicyCheck['counters']>;
  /** For each of the params, what is wrong with the document by them. */
  ofParams: readonly (readonly PolicyIssue[])[];
}

export function runCheck(
  { text, runTests, others, lists, params }: CheckJob,
  budget?: TestBudget,
): CheckedDocument | NeededDocuments {
  const needed = runTests && others === null ? policiesNamedIn(text) : [];
  if (needed.length > 0) return { needed };
  const { valid, document, issues, warnings, tests, ...found } = checkPolicyDocument(text, {
    ...wholeCheck,
    runTests,
    findPolicy: (name) => others?.get(name) ?? null,
    ...(lists && { lists }),
    ...(budget && { budget }),
  });
  return {
    valid,
    issues,
    warnings,
    tests,
    name: document?.name ?? null,
    mode: document ? (document.mode ?? 'ENFORCE') : null,
    lists: found.lists ?? [],
    counters: found.counters ?? [],
    ofParams: params.map((one) => issuesWith(text, one)),
  };
}

/** The check of a document that the service brings along: its tests ran when it was built. Also by the params of a binding that names none. */
export const runOwnCheck = (text: string, lists: readonly string[]): CheckedDocument =>
  runCheck({ text, runTests: false, others: new Map(), lists, params: [noParams] }) as CheckedDocument;

/** The issues that stop a document from deciding with these params. */
const issuesWith = (text: string, params: string): PolicyIssue[] =>
  checkPolicyDocument(text, { ...compileOnly, params: parseJson(params) as Record<string, unknown> }).issues;

/** Every tag and category of the built-in detectors. */
export const knownTags: readonly string[] = [
  ...new Set(taxonomy.flatMap(({ tag, categories }) => [tag, ...categories])),
];

/** All tests of a document have the same patterns, and compiling them takes long. */
const detectors = new WeakMap<readonly CustomDetector[], Detector>();

/**
 * Milliseconds of processor time of this thread: time in which other programs run must not make patterns look slow. Node 22 counts
 * none, and Windows too coarsely.
 */
function threadMs(): number {
  if (process.platform === 'win32' || !('threadCpuUsage' in process)) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The parts of a whole check: the document's own detectors and tests included. */
export const wholeCheck = {
  checkCustomDetectors: (custom) => checkCustomDetectors(custom, threadMs),
  // The data tags of a document's test, with the document's own detectors.
  detect: (input, custom) => {
    const detector = detectors.get(custom) ?? createDetector({ custom });
    detectors.set(custom, detector);
    const scan = detector.scan(input);
    return { dataTags: scan.tags, detections: scan.counts };
  },
  replaySteps,
  tags: knownTags,
} satisfies CheckOptions;
