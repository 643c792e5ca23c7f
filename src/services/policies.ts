import type { PolicyCheck as EngineCheck } from '../engine/index.ts';
import { AppError } from '../errors.ts';
import type {
  Policy,
  PolicyCheck,
  PolicyDiff,
  PolicyMediaType,
  PolicyStatus,
  PolicySummary,
  PolicyVersion,
} from '../schemas/policies.ts';
import type {
  ListedPolicyVersion,
  PageRequest,
  PolicyDocumentVersion,
  Store,
  StoredPolicy,
  StoredPolicyVersion,
} from '../store/store.ts';
import type { OperatorCaller } from './authentication.ts';
import { checkDocument } from './document-checks.ts';
import { outdated } from './expected-versions.ts';
import { found, notFound } from './found.ts';
import { ownVersion } from './four-eyes.ts';
import { entryBytes, fitEntry } from './list-entries.ts';
import { type ResponsePage, responsePage } from './pages.ts';
import { personOf } from './people.ts';
import { policyDiff } from './policy-diff.ts';
import { policySummary } from './policy-summary.ts';
import { isoTime } from './times.ts';
import { acceptVersion } from './version-check.ts';

/** A document as it was sent. */
export interface SentDocument {
  text: string;
  mediaType: PolicyMediaType;
}

export interface Policies {
  check(document: SentDocument): Promise<PolicyCheck>;
  /** Rejects with what creating a policy of the service's own from the document would. */
  assertValid(document: SentDocument): Promise<void>;
  /** `caller` is null for the service itself. Refuses a document that does not check, with one entry of `errors` per issue. */
  create(
    caller: Author | null,
    document: SentDocument,
    status: Extract<PolicyStatus, 'DRAFT' | 'ACTIVE'>,
    note?: string | null,
  ): Promise<Policy>;
  /**
   * The next version, current at once: an ACTIVE policy decides by it from now on. Under four-eyes control it goes on
   * deciding by the version that it has, until somebody else activates the new one.
   */
  update(
    caller: Author,
    id: string,
    document: SentDocument,
    options?: { note?: string | null; expected?: Expected },
  ): Promise<Policy>;
  read(id: string): Promise<Policy>;
  list(page: PageRequest, filter: { status?: PolicyStatus }): Promise<ResponsePage<PolicySummary>>;
  listVersions(id: string, page: PageRequest): Promise<ResponsePage<PolicyVersion>>;
  readVersion(id: string, version: number): Promise<PolicyVersion>;
  /** What version `to` says differently from version `from`. */
  diff(id: string, from: number, to: number): Promise<PolicyDiff>;
  delete(id: string, expected: Expected): Promise<PolicySummary>;
}

/** Revisions that the policy may have; null is any. */
type Expected = ReadonlySet<number> | null;

/** The operator who calls. */
type Author = Pick<OperatorCaller, 'operator'>;

export function createPolicies(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  /** Whether the author of a version may not activate it. */
  fourEyes: boolean;
}): Policies {
  const { store, now, newId, fourEyes } = deps;

  /** The tests of the service's own documents ran when it was built. */
  const checkedVersion = async (sent: SentDocument, runTests: boolean) =>
    versionOf(sent, await checkDocument(store, sent.text, runTests));

  const storedVersion = async ({ id }: StoredPolicy, version: number): Promise<StoredPolicyVersion> =>
    found(await store.policies.findVersion(id, version), 'policy version', String(version));

  async function readCurrent(policy: StoredPolicy): Promise<Policy> {
    const version = await store.policies.findVersion(policy.id, policy.version);
    if (!version) throw new Error(`policy ${policy.id} has no version ${policy.version}`);
    return withDocument(policy, version);
  }

  return {
    async check(document) {
      const { valid, issues, warnings, tests } = await checkDocument(store, document.text);
      return { valid, issues, warnings, tests };
    },

    async assertValid(document) {
      await checkedVersion(document, false);
    },

    async create(caller, document, status, note = null) {
      if (caller && fourEyes && status === 'ACTIVE') throw ownVersion();
      const checked = await checkedVersion(document, caller !== null);
      const version = { ...checked, author: caller?.operator.id ?? null, note };
      const created = { id: newId(), status, createdAt: now() };
      return withDocument(await store.policies.create(created, version), version);
    },

    async update({ operator }, id, document, { note = null, expected = null } = {}) {
      const version = { ...(await checkedVersion(document, true)), author: operator.id, note };
      const terms = { activates: !fourEyes, expected, accepts: acceptVersion };
      const policy = await store.policies.addVersion(id, version, now(), terms);
      if (policy === 'no_policy') throw notFound('policy', id);
      if (policy === 'outdated') throw outdated();
      return policy.version === policy.latestVersion ? withDocument(policy, version) : readCurrent(policy);
    },

    async read(id) {
      return readCurrent(found(await store.policies.find(id), 'policy', id));
    },

    list: async (page, filter) => responsePage(await store.policies.list(page, filter), page, policySummary),

    async listVersions(id, page) {
      const policy = found(await store.policies.find(id), 'policy', id);
      return responsePage(
        found(await store.policies.listVersions(id, page, entryBytes(page.size)), 'policy', id),
        page,
        (version) => {
          const omitted = version.document === null ? ['document'] : [];
          return fitEntry(
            versionResponse(version, policy),
            { document: null },
            entryBytes(page.size),
            omitted,
          );
        },
      );
    },

    async readVersion(id, version) {
      const policy = found(await store.policies.find(id), 'policy', id);
      return versionResponse(await storedVersion(policy, version), policy);
    },

    async diff(id, from, to) {
      const policy = found(await store.policies.find(id), 'policy', id);
      const before = await storedVersion(policy, from);
      return { policyId: policy.id, ...policyDiff(before, await storedVersion(policy, to)) };
    },

    async delete(id, expected) {
      const result = await store.policies.delete(id, { expected });
      if (result === 'no_policy') throw notFound('policy', id);
      if (result === 'outdated') throw outdated();
      if (result === 'has_decided') {
        throw new AppError(
          'conflict',
          'a policy that took part in a decision is kept for the record: deprecate it instead',
        );
      }
      return policySummary(result);
    },
  };
}

function versionOf(
  { text, mediaType }: SentDocument,
  { document, lists = [], issues }: EngineCheck,
): Omit<PolicyDocumentVersion, 'author' | 'note'> {
  if (!document || issues.length > 0) {
    throw new AppError('invalid', 'the policy document is not valid', {
      details: issues.map(({ line, column, path, message, hint }) => ({
        message: `line ${line}:${column} ${message}`,
        path,
        line,
        column,
        ...(hint !== undefined && { hint }),
      })),
    });
  }
  return { name: document.name, mediaType, document: text, lists };
}

function versionResponse(
  { author: id, authorName, ...version }: ListedPolicyVersion,
  policy: StoredPolicy,
): PolicyVersion {
  return {
    ...version,
    author: id === null ? null : personOf(id, authorName),
    current: version.version === policy.version,
    createdAt: isoTime(version.createdAt),
  };
}

const withDocument = (
  policy: StoredPolicy,
  { mediaType, document }: Pick<PolicyDocumentVersion, 'mediaType' | 'document'>,
): Policy => ({ ...policySummary(policy), mediaType, document });
