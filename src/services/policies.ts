import { checkCustomDetectors, createDetector, taxonomy } from '../detectors/index.ts';
import { checkPolicyDocument, type Detect, type PolicyCheck as EngineCheck } from '../engine/index.ts';
import { AppError } from '../errors.ts';
import type {
  Binding,
  Policy,
  PolicyCheck,
  PolicyMediaType,
  PolicyStatus,
  PolicySummary,
  PolicyVersion,
} from '../schemas/policies.ts';
import type { PageRequest, PolicyDocumentVersion, Store, StoredPolicy } from '../store/store.ts';
import type { OperatorCaller } from './authentication.ts';
import { found, notFound } from './found.ts';
import { ownVersion } from './four-eyes.ts';
import { entryBytes, fitEntry } from './list-entries.ts';
import { type AnsweredPage, answerPage } from './pages.ts';
import { personOf } from './people.ts';
import { isoTime } from './times.ts';

/** A document as it was sent. */
export interface SentDocument {
  text: string;
  mediaType: PolicyMediaType;
}

export interface Policies {
  check(document: SentDocument): PolicyCheck;
  /** Throws what creating a policy from the document would throw. */
  assertValid(document: SentDocument): void;
  /** `caller` is null for the service itself. Refuses a document that does not check, with one entry of `errors` per issue. */
  create(
    caller: Author | null,
    document: SentDocument,
    status: Extract<PolicyStatus, 'DRAFT' | 'ACTIVE'>,
  ): Promise<Policy>;
  /**
   * The next version, current at once: an ACTIVE policy decides by it from now on. Under four-eyes control it goes on
   * deciding by the version that it has, until somebody else activates the new one.
   */
  update(caller: Author, id: string, document: SentDocument): Promise<Policy>;
  read(id: string): Promise<Policy>;
  list(page: PageRequest, filter: { status?: PolicyStatus }): Promise<AnsweredPage<PolicySummary>>;
  listVersions(id: string, page: PageRequest): Promise<AnsweredPage<PolicyVersion>>;
  activate(caller: Author, id: string, version: number | null): Promise<PolicySummary>;
  deprecate(id: string): Promise<PolicySummary>;
  delete(id: string): Promise<PolicySummary>;
  bind(integrationId: string, policyId: string): Promise<Binding>;
  unbind(integrationId: string, policyId: string): Promise<Binding>;
  listBound(integrationId: string, page: PageRequest): Promise<AnsweredPage<PolicySummary>>;
}

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

  async function readCurrent(policy: StoredPolicy): Promise<Policy> {
    const version = await store.policies.findVersion(policy.id, policy.version);
    if (!version) throw new Error(`policy ${policy.id} has no version ${policy.version}`);
    return withDocument(policy, version);
  }

  return {
    check(document) {
      const { valid, issues, warnings, tests } = checkDocument(document.text);
      return { valid, issues, warnings, tests };
    },

    assertValid: (document) => void checkedVersion(document),

    async create(caller, document, status) {
      if (caller && fourEyes && status === 'ACTIVE') throw ownVersion();
      const version = { ...checkedVersion(document), author: caller?.operator.id ?? null };
      const created = { id: newId(), status, createdAt: now() };
      return withDocument(await store.policies.create(created, version), version);
    },

    async update({ operator }, id, document) {
      const version = { ...checkedVersion(document), author: operator.id };
      const policy = found(await store.policies.addVersion(id, version, now(), !fourEyes), 'policy', id);
      return policy.version === policy.latestVersion ? withDocument(policy, version) : readCurrent(policy);
    },

    async read(id) {
      return readCurrent(found(await store.policies.find(id), 'policy', id));
    },

    list: async (page, filter) => answerPage(await store.policies.list(page, filter), page, summary),

    async listVersions(id, page) {
      const policy = found(await store.policies.find(id), 'policy', id);
      return answerPage(
        found(await store.policies.listVersions(id, page, entryBytes(page.size)), 'policy', id),
        page,
        (version) => {
          const current = version.version === policy.version;
          const { author: id, authorName, ...rest } = version;
          const author = id === null ? null : personOf(id, authorName);
          const answer = { ...rest, author, current, createdAt: isoTime(version.createdAt) };
          const omitted = version.document === null ? ['document'] : [];
          return fitEntry(answer, { document: null }, entryBytes(page.size), omitted);
        },
      );
    },

    async activate({ operator }, id, version) {
      const result = await store.policies.activate(id, version, now(), fourEyes ? operator.id : null);
      if (result === 'no_policy') throw notFound('policy', id);
      if (result === 'own_version') throw ownVersion();
      if (result === 'no_version') {
        throw new AppError('invalid', 'the policy has no such version', { path: '/version' });
      }
      return summary(result);
    },

    async deprecate(id) {
      const result = await store.policies.deprecate(id, now());
      if (result === 'no_policy') throw notFound('policy', id);
      if (result === 'already_deprecated') throw new AppError('conflict', 'the policy is already DEPRECATED');
      return summary(result);
    },

    async delete(id) {
      const result = await store.policies.delete(id);
      if (result === 'no_policy') throw notFound('policy', id);
      if (result === 'has_decided') {
        throw new AppError(
          'conflict',
          'a policy that has decided is kept for the record: deprecate it instead',
        );
      }
      return summary(result);
    },

    async bind(integrationId, policyId) {
      const binding = await store.policies.bind(integrationId, policyId, now());
      if (!binding) {
        found(await store.policies.find(policyId), 'policy', policyId);
        throw notFound('integration', integrationId);
      }
      return { ...binding, createdAt: isoTime(binding.createdAt) };
    },

    async unbind(integrationId, policyId) {
      const binding = found(
        await store.policies.unbind(integrationId, policyId),
        'policy bound to this integration:',
        policyId,
      );
      return { ...binding, createdAt: isoTime(binding.createdAt) };
    },

    listBound: async (integrationId, page) =>
      answerPage(
        found(await store.policies.listBound(integrationId, page), 'integration', integrationId),
        page,
        summary,
      ),
  };
}

/** The check of a document with everything that this service can look at: its own detectors and tests included. */
function checkDocument(text: string): EngineCheck {
  return checkPolicyDocument(text, {
    checkCustomDetectors: checkDetectors,
    detect: detectIn,
    tags: knownTags,
  });
}

/** What is wrong with custom detectors, their speed included. */
export const checkDetectors: typeof checkCustomDetectors = (custom) =>
  checkCustomDetectors(custom, () => performance.now());

/** Every tag and category of the built-in detectors. */
export const knownTags: readonly string[] = [
  ...new Set(taxonomy.flatMap(({ tag, categories }) => [tag, ...categories])),
];

/** The data tags of a document's test, with the document's own detectors. */
export const detectIn: Detect = (input, custom) => {
  const scan = createDetector({ custom }).scan(input);
  return { dataTags: scan.tags, detections: scan.counts };
};

function checkedVersion({ text, mediaType }: SentDocument): Omit<PolicyDocumentVersion, 'author'> {
  const { document, issues } = checkDocument(text);
  if (!document || issues.length > 0) {
    throw new AppError('invalid', 'the policy document does not check', {
      details: issues.map(({ line, column, path, message, hint }) => ({
        message: `line ${line}:${column} ${message}`,
        path,
        line,
        column,
        ...(hint !== undefined && { hint }),
      })),
    });
  }
  return { name: document.name, mediaType, document: text };
}

const withDocument = (
  policy: StoredPolicy,
  { mediaType, document }: Pick<PolicyDocumentVersion, 'mediaType' | 'document'>,
): Policy => ({ ...summary(policy), mediaType, document });

const summary = (policy: StoredPolicy): PolicySummary => ({
  ...policy,
  createdAt: isoTime(policy.createdAt),
  updatedAt: isoTime(policy.updatedAt),
});
