import { hash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { DecidingDocument } from '../../policy/compile-policy.ts';
import { testBudget } from '../../policy/document/document-tests.ts';
import type { PolicyIssue } from '../../policy/document/policy-issue.ts';
import type { PolicyMode } from '../../schemas/decisions.ts';
import { createThreadPool } from '../../services/thread-pool.ts';
import type { PolicyStore, Store, StoredPolicy, StoredPolicyVersion } from '../../store/store.ts';
import type {
  CheckedDocument,
  CheckJob,
  DiffJob,
  JobResult,
  NeededDocuments,
  ReadJob,
  ThreadJob,
  TryJob,
} from './check-job.ts';
import { checkedStarters } from './checked-starters.ts';
import type { ProveJob } from './proof.ts';
import type { AcceptVersion, VersionInUse } from './store-rows.ts';
import { noParams } from './words.ts';

/** Checks policy documents, and runs their tests. No check keeps the event loop for long. */
export interface PolicyChecker {
  /** `operator` takes turns with others; the tests may name stored policies. Throws an `AppError` of code `unavailable` when it cannot be checked now. */
  check(text: string, options: CheckTerms): Promise<CheckedDocument>;
  /** The same for a small document that the service brings along. Checks it once, for what follows it, too. */
  checkOwn(text: string): Promise<CheckedDocument>;
  /** One action, decided by a document that need not be stored. */
  tryAction(operator: string, job: TryJob): Promise<JobResult<TryJob>>;
  /** The differences of version `to` from version `from`. */
  diff(operator: string, from: StoredPolicyVersion, to: StoredPolicyVersion): Promise<JobResult<DiffJob>>;
  /** Proves what can be said of policies that pass their check, within some seconds. */
  prove(operator: string, job: ProveJob): Promise<JobResult<ProveJob>>;
  /**
   * The content of a document that passed before, but for its tests; null when it does not pass any more. Evaluations wait for it, so it does not wait for checks.
   * Throws an `AppError` of code `unavailable` when it cannot be read now.
   */
  read(text: string): Promise<DecidingDocument | null>;
  close(): Promise<void>;
}

export interface CheckTerms {
  operator: string;
  runTests: boolean;
  /** JSON texts of the params of bindings that it must be able to decide by. */
  params?: readonly string[];
}

/** Characters up to which a document is checked at once, as long as its tests cost little: that is up to 10 ms. */
const smallDocument = 8_192;
const smallTests = 50_000;
/** Checks that one operator may have waiting. */
const mostOfOperator = 8;
/** The budget of the tests is spent long before. */
const timeoutMs = 30_000;
/** Policies are read at the start and changed now and then: a thread that waits takes some 25 MB. */
const idleMs = 30_000;
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

export function createPolicyChecker({
  store,
  onMode = () => undefined,
}: {
  store: Pick<Store, 'policies' | 'lists'>;
  /** Told the mode of each document that was read. */
  onMode?: (document: string, mode: PolicyMode) => void;
}): PolicyChecker {
  const thread = {
    name: 'check-thread',
    source: import.meta.url,
    threads: 1,
    timeoutMs,
    idleMs,
    resourceLimits,
  };
  const stopped = 'the service is stopping';
  const pool = createThreadPool<ThreadJob, JobResult<ThreadJob>>({
    ...thread,
    messages: {
      failed: 'the policy could not be checked: make it or its tests smaller',
      late: `the policy was not checked within ${timeoutMs / 1_000} seconds: make it or its tests smaller`,
      stopped,
    },
  });
  const reading = createThreadPool<ReadJob, JobResult<ReadJob>>({
    ...thread,
    messages: {
      failed: 'a policy could not be read',
      late: `a policy was not read within ${timeoutMs / 1_000} seconds`,
      stopped,
    },
  });
  /** Many requests wait for the same policy. */
  const beingRead = new Map<string, Promise<DecidingDocument | null>>();
  const running = new Map<string, number>();

  async function inThread<Job extends ThreadJob>(job: Job, operator: string): Promise<JobResult<Job>> {
    const before = running.get(operator) ?? 0;
    if (before >= mostOfOperator)
      throw new AppError(
        'unavailable',
        `${mostOfOperator} policies of yours are being checked: wait for them`,
        {
          retryAfterSeconds: 1,
        },
      );
    running.set(operator, before + 1);
    try {
      return (await pool.run(job, operator)) as JobResult<Job>;
    } catch (cause) {
      throw new AppError('unavailable', (cause as Error).message, { cause, retryAfterSeconds: 1 });
    } finally {
      const left = (running.get(operator) ?? 1) - 1;
      if (left > 0) running.set(operator, left);
      else running.delete(operator);
    }
  }

  async function readInThread(read: string): Promise<DecidingDocument | null> {
    try {
      return await reading.run({ read });
    } catch (cause) {
      throw new AppError('unavailable', (cause as Error).message, { cause, retryAfterSeconds: 1 });
    } finally {
      beingRead.delete(read);
    }
  }

  const own = new Map<string, CheckedDocument>();

  return {
    async checkOwn(text) {
      const known = own.get(text) ?? (await checkOwnOnce(text, await store.lists.names()));
      own.set(text, known);
      return known;
    },
    async check(text, { operator, runTests, params = [] }) {
      const known = !runTests && params.length === 1 && params[0] === noParams ? own.get(text) : undefined;
      if (known) return known;
      const { runCheck } = await loadJobs();
      const run = async (job: CheckJob): Promise<CheckedDocument> => {
        const checked = (params.length < 2 && checkSmall(job, runCheck)) || (await inThread(job, operator));
        return 'needed' in checked
          ? run({ ...job, others: await findAll(store.policies, checked.needed) })
          : checked;
      };
      const checked = await run({ text, runTests, others: null, lists: await store.lists.names(), params });
      if (checked.mode !== null) onMode(text, checked.mode);
      return checked;
    },
    async read(text) {
      if (text.length <= smallDocument) return (await loadJobs()).runRead({ read: text });
      const found = beingRead.get(text) ?? readInThread(text);
      beingRead.set(text, found);
      const document = await found;
      if (document) onMode(text, document.mode ?? 'ENFORCE');
      return document;
    },
    // In the thread, whatever its size: an input may make a small document costly.
    tryAction: (operator, job) => inThread(job, operator),
    diff: async (operator, from, to) =>
      from.document.length + to.document.length <= smallDocument
        ? (await loadJobs()).policyDiff(from, to)
        : inThread({ from, to }, operator),
    prove: (operator, job) => inThread(job, operator),
    close: async () => void (await Promise.all([pool.close(), reading.close()])),
  };
}

/** A starter policy was checked when the service was built. */
async function checkOwnOnce(text: string, lists: readonly string[]): Promise<CheckedDocument> {
  const checked = lists.length === 0 && checkedStarters[hash('sha256', text)];
  return checked || (await loadJobs()).runOwnCheck(text, lists);
}

type Jobs = typeof import('./check-job.ts');

/** Loaded by the first policy: a start needs neither detectors nor the checks of documents. */
const loadJobs = (): Promise<Jobs> => import('./check-job.ts');

/** Null when it takes longer: a document with patterns, a key that may be spelled with escapes, or costly tests. */
function checkSmall(job: CheckJob, runCheck: Jobs['runCheck']): CheckedDocument | NeededDocuments | null {
  const isSmall =
    job.text.length <= smallDocument && !job.others?.size && !/detectors|matches|\\/.test(job.text);
  if (!isSmall) return null;
  const budget = testBudget(smallTests);
  const checked = runCheck(job, budget);
  return budget.steps <= budget.most ? checked : null;
}

const pageSize = 200;

async function findAll(policies: PolicyStore, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of names) {
    const document = await findStored(policies, name);
    if (document !== null) found.set(name, document);
  }
  return found;
}

/** The current version of the ACTIVE policy of that name, else of the newest DRAFT; null when there is none. */
async function findStored(store: PolicyStore, name: string): Promise<string | null> {
  for (const status of ['ACTIVE', 'DRAFT'] as const) {
    const found = await findNamed(store, name, status);
    if (found) return (await store.findVersion(found.id, found.version))?.document ?? null;
  }
  return null;
}

async function findNamed(
  store: PolicyStore,
  name: string,
  status: StoredPolicy['status'],
): Promise<StoredPolicy | null> {
  for (let page = 1; ; page++) {
    const { items, total } = await store.list({ page, size: pageSize }, { status });
    const found = items.find((policy) => policy.name === name);
    if (found || page * pageSize >= total) return found ?? null;
  }
}

/** Makes changes that need the current version of a policy to decide for everybody whom it is bound to. */
export interface VersionCheck {
  /**
   * Calls `change`, again when it asked for a check of what it found. Such a check takes too long for a step of the store: each
   * binding may have other params. `caller` takes turns with others.
   */
  version<T>(caller: string, change: (accepts: AcceptVersion) => Promise<T>): Promise<T>;
  /** The same for the terms of a binding, which a version must be able to decide by. */
  terms<T>(caller: string, change: (accepts: AcceptVersion) => Promise<T>): Promise<T>;
}

type IssuesBy = (params: string) => readonly PolicyIssue[];

/** Thrown out of a change that needs a check first. */
class Unchecked extends Error {
  readonly document: string;
  readonly params: readonly string[];
  constructor(document: string, params: readonly string[]) {
    super('checked by nobody yet');
    this.document = document;
    this.params = params;
  }
}

/** How often a change is tried because its policy or bindings changed meanwhile. */
const mostAttempts = 5;

export function createVersionCheck(checker: Pick<PolicyChecker, 'check'>): VersionCheck {
  const checking =
    (accept: (version: VersionInUse, issuesBy: IssuesBy) => void): VersionCheck['version'] =>
    async (operator, change) => {
      /** By document: a binding is judged by the current version and by the scheduled one. */
      const known = new Map<string, Map<string, readonly PolicyIssue[]>>();
      const accepts: AcceptVersion = (version) => {
        refuseMissing(version.version, version.missingLists);
        const issues = known.get(version.document);
        const unknown = new Set(
          version.bindings.map(({ params }) => params).filter((one) => !issues?.has(one)),
        );
        if (unknown.size > 0) throw new Unchecked(version.document, [...unknown]);
        accept(version, (params) => issues?.get(params) ?? []);
      };
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        try {
          return await change(accepts);
        } catch (error) {
          if (!(error instanceof Unchecked)) throw error;
          const { document, params } = error;
          const issues = known.get(document) ?? new Map<string, readonly PolicyIssue[]>();
          known.set(document, issues);
          const { ofParams } = await checker.check(document, { operator, runTests: false, params });
          params.forEach((one, place) => void issues.set(one, ofParams[place] ?? []));
        }
      }
      throw new AppError('unavailable', 'the policy keeps changing', { retryAfterSeconds: 1 });
    };
  return { version: checking(acceptVersion), terms: checking(acceptTerms) };
}

/** Refuses a version that cannot decide for everybody whom its policy is bound to. */
function acceptVersion({ version, bindings }: VersionInUse, issuesBy: IssuesBy): void {
  for (const [params, integrationId] of new Map(bindings.map((one) => [one.params, one.integrationId]))) {
    const [issue] = issuesBy(params);
    if (!issue) continue;
    const whose = integrationId === null ? 'as a house policy' : `to the integration ${integrationId}`;
    throw new AppError(
      'conflict',
      `version ${version} cannot decide with the params it is bound with ${whose}: ${issue.message}; change them first`,
    );
  }
}

/** Refuses the terms of a binding that a version cannot decide by. */
function acceptTerms({ version, bindings }: VersionInUse, issuesBy: IssuesBy): void {
  const issues = bindings.flatMap(({ params }) => issuesBy(params));
  if (issues.length === 0) return;
  throw new AppError('invalid', `version ${version} of the policy cannot decide with these params`, {
    details: issues.map(({ path, message, hint }) => ({
      message: `${message} (version ${version})`,
      path: path.startsWith('/params/') ? path : '/params',
      ...(hint !== undefined && { hint }),
    })),
  });
}

function refuseMissing(version: number, names: readonly string[]): void {
  if (names.length === 0) return;
  const lists = names.map((name) => `lists.${name}`).join(', ');
  throw new AppError(
    'conflict',
    `version ${version} reads ${lists}, which does not exist: create the list first`,
  );
}
