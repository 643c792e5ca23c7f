import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { parseForWriting, parseJson } from '../../json/parse.ts';
import type { PolicyMode } from '../../schemas/decisions.ts';
import { type OperatorCaller, personOf } from '../../services/access/authentication.ts';
import { ownVersion } from '../../services/access/permissions.ts';
import { entryBytes, fitEntry, type ResponsePage, responsePage } from '../../services/list-entries.ts';
import { found, notFound, outdated } from '../../services/refusals.ts';
import { isoTime, isoTimeOrNull } from '../../services/times.ts';
import type {
  ListedPolicyVersion,
  PageRequest,
  PolicyDocumentVersion,
  PolicyFilter,
  PolicyUse,
  Store,
  StoredPolicy,
  StoredPolicyVersion,
} from '../../store/store.ts';
import { entriesOfLists } from '../lists/service.ts';
import type { CheckedDocument } from './check-job.ts';
import type { PolicyChecker, VersionCheck } from './checker.ts';
import type { AppliedPolicy } from './proof.ts';
import type {
  ListedPolicy,
  Policy,
  PolicyCheck,
  PolicyDiff,
  PolicyMediaType,
  PolicyProof,
  PolicyStatus,
  PolicySummary,
  PolicyVersion,
  SavedPolicy,
  TriedPolicy,
  TryPolicy,
} from './schema.ts';

/** The fields that every read of a policy shows. */
export const policySummary = ({ previousVersion: _, ...policy }: StoredPolicy): PolicySummary => ({
  ...policy,
  scheduledAt: isoTimeOrNull(policy.scheduledAt),
  createdAt: isoTime(policy.createdAt),
  updatedAt: isoTime(policy.updatedAt),
});

/** A document as it was sent. */
export interface SentDocument {
  text: string;
  mediaType: PolicyMediaType;
}

export interface Policies {
  check(caller: Author, document: SentDocument): Promise<PolicyCheck>;
  /**
   * Proves what can be said of a document: alone, or in the company of the policies in force for an integration, and compared with the
   * version of `policyId` that is current.
   */
  prove(caller: Author, document: SentDocument, scope: ProofScope): Promise<PolicyProof>;
  /** Decides one action by a document, with the entries that shared lists have now. Rejects with what is wrong with the action. */
  tryAction(caller: Author, request: TryPolicy): Promise<TriedPolicy>;
  /** Rejects with what creating a policy from the document would, but for its tests, which do not run. `caller` is null for the service itself. */
  assertValid(caller: Author | null, document: SentDocument): Promise<CheckedDocument>;
  /** `caller` is null for the service itself. Refuses a document that does not check, with one entry of `errors` per issue. */
  create(
    caller: Author | null,
    document: SentDocument,
    status: Extract<PolicyStatus, 'DRAFT' | 'ACTIVE'>,
    note?: string | null,
  ): Promise<SavedPolicy>;
  /**
   * The next version, current at once: an ACTIVE policy decides by it from now on. Under four-eyes control it goes on
   * deciding by the version that it has, until somebody else activates the new one.
   */
  update(
    caller: Author,
    id: string,
    document: SentDocument,
    options?: { note?: string | null; expected?: Expected },
  ): Promise<SavedPolicy>;
  read(id: string): Promise<Policy>;
  list(page: PageRequest, filter: PolicyFilter): Promise<ResponsePage<ListedPolicy>>;
  listVersions(id: string, page: PageRequest): Promise<ResponsePage<PolicyVersion>>;
  readVersion(id: string, version: number): Promise<PolicyVersion>;
  /** The differences of version `to` from version `from`. */
  diff(caller: Author, id: string, from: number, to: number): Promise<PolicyDiff>;
  delete(id: string, expected: Expected): Promise<PolicySummary>;
}

/** Null for a policy that is new, and for no integration. */
export interface ProofScope {
  policyId: string | null;
  integrationId: string | null;
}

/** Revisions that the policy may have; null is any. */
type Expected = ReadonlySet<number> | null;

/** Bounds the memory of an installation whose policies change often. */
const mostModes = 10_000;

/** The operator who calls. */
type Author = Pick<OperatorCaller, 'operator'>;

export function createPolicies(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  /** Whether the author of a version may not activate it. */
  fourEyes: boolean;
  checker: PolicyChecker;
  versionCheck: VersionCheck;
}): Policies {
  const { store, now, newId, fourEyes, checker, versionCheck } = deps;

  /** The service's own documents are small, and their tests ran when it was built. */
  const checked = async (caller: Author | null, { text }: SentDocument, runTests: boolean) =>
    caller === null
      ? checker.checkOwn(text)
      : checker.check(text, { operator: caller.operator.id, runTests });
  async function checkedVersion(caller: Author | null, sent: SentDocument, note: string | null) {
    const check = await checked(caller, sent, caller !== null);
    const author = caller?.operator.id ?? null;
    return { version: { ...versionOf(sent, check), author, note }, warnings: check.warnings };
  }

  const storedVersion = async ({ id }: StoredPolicy, version: number): Promise<StoredPolicyVersion> =>
    found(await store.policies.findVersion(id, version), 'policy version', String(version));

  /** Two policies may share a name, but then commands and tests can name neither. */
  async function nameWarning({
    name,
    document,
  }: PolicyDocumentVersion): Promise<SavedPolicy['warnings'][number] | null> {
    const { items } = await store.policies.list({ page: 1, size: 10 }, { name });
    const taken = items.find(({ status }) => status !== 'DEPRECATED');
    if (!taken) return null;
    const before = document
      .slice(0, Math.max(0, document.search(/^[\s{]*["']?name["']?[ \t]*:/m)))
      .split('\n');
    return {
      line: before.length,
      column: (before.at(-1) as string).length + 1,
      path: '/name',
      code: 'name_taken',
      message: `policy ${taken.id} has this name, too: commands and tests can name neither of them`,
      hint: `to change that policy, send its next version to PUT /v1/policies/${taken.id}`,
    };
  }

  async function readCurrent(policy: StoredPolicy): Promise<Policy> {
    const version = await store.policies.findVersion(policy.id, policy.version);
    if (!version) throw new Error(`policy ${policy.id} has no version ${policy.version}`);
    return withDocument(policy, version);
  }

  /** The modes that versions say, by policy and version: no version changes. */
  const modes = new Map<string, PolicyMode>();
  async function modeOf({ id, version }: StoredPolicy): Promise<PolicyMode> {
    const key = `${id} ${version}`;
    const known = modes.get(key);
    if (known !== undefined) return known;
    // A list of many documents must not stop everybody else.
    await setImmediate();
    const current = await store.policies.findVersion(id, version);
    const mode = (current && (await checker.read(current.document))?.mode) ?? 'ENFORCE';
    if (modes.size >= mostModes) modes.clear();
    modes.set(key, mode);
    return mode;
  }

  /** The policies that decide for an integration, and by which terms. */
  async function inForce(integrationId: string) {
    const { policies } = found(await store.policies.findInForce(integrationId), 'integration', integrationId);
    return policies.map(
      ({ policyId, document, params, mode }): AppliedPolicy & { policyId: string | null } => ({
        policyId,
        text: document,
        params: parseJson(params) as Record<string, unknown>,
        mode,
      }),
    );
  }

  return {
    async check(caller, document) {
      const { valid, issues, warnings, tests } = await checked(caller, document, true);
      return { valid, issues, warnings, tests };
    },

    async prove(caller, document, { policyId, integrationId }) {
      versionOf(document, await checked(caller, document, false));
      const policy =
        policyId === null ? null : found(await store.policies.find(policyId), 'policy', policyId);
      // Alone, it is taken as if it were enforced.
      const draft = {
        policyId,
        text: document.text,
        ...(integrationId === null && { mode: 'ENFORCE' as const }),
      };
      const current = policy ? [{ ...draft, text: (await readCurrent(policy)).document }] : null;
      const before = integrationId === null ? current : await inForce(integrationId);
      // Bound to the house and to the integration by other terms, it is there twice.
      const policies = (before ?? []).map((one) =>
        one.policyId === policyId ? { ...one, text: document.text } : one,
      );
      const own = policies.findIndex((one) => one.policyId === policyId);
      if (own < 0) policies.push(draft);
      const index = own < 0 ? policies.length - 1 : own;
      const proof = await checker.prove(caller.operator.id, {
        policies,
        index,
        before,
        isWhole: integrationId !== null,
      });
      if ('cannotDecide' in proof)
        throw new AppError('conflict', `a policy in force cannot decide: ${proof.cannotDecide}`);
      return proof;
    },

    async tryAction(caller, { document, given }) {
      const lists = await store.lists.names();
      const read = lists.filter((name) => document.includes(name));
      const entries = await entriesOfLists(store.lists, read);
      const tried = await checker.tryAction(caller.operator.id, { document, given, entries, lists });
      if ('decision' in tried) return { issues: [], decision: tried.decision };
      if (tried.of === 'document') return { issues: tried.issues, decision: null };
      throw new AppError('invalid', 'the action cannot be tried', {
        details: tried.issues.map(({ message, path }) => ({ message, path })),
      });
    },

    async assertValid(caller, document) {
      const valid = await checked(caller, document, false);
      versionOf(document, valid);
      return valid;
    },

    async create(caller, document, status, note = null) {
      if (caller && fourEyes && status === 'ACTIVE') throw ownVersion();
      const { version, warnings } = await checkedVersion(caller, document, note);
      const created = { id: newId(), status, createdAt: now() };
      const warning = await nameWarning(version);
      const policy = await store.policies.create(created, version);
      return { ...withDocument(policy, version), warnings: warning ? [warning, ...warnings] : warnings };
    },

    async update(caller, id, document, { note = null, expected = null } = {}) {
      const { version, warnings } = await checkedVersion(caller, document, note);
      const policy = await versionCheck.version(caller.operator.id, (accepts) =>
        store.policies.addVersion(id, version, now(), { activates: !fourEyes, expected, accepts }),
      );
      if (policy === 'no_policy') throw notFound('policy', id);
      if (policy === 'outdated') throw outdated();
      const isCurrent = policy.version === policy.latestVersion;
      return { ...(isCurrent ? withDocument(policy, version) : await readCurrent(policy)), warnings };
    },

    async read(id) {
      return readCurrent(found(await store.policies.find(id), 'policy', id));
    },

    async list(page, filter) {
      const { items, total } = await store.policies.list(page, filter);
      const uses = await store.policies.usesOf(items.map(({ id }) => id));
      const data: ListedPolicy[] = [];
      for (const policy of items) {
        const use = uses.get(policy.id);
        // It was deleted since the page was read.
        if (use) data.push(listedPolicy(policy, use, use.mayMonitor ? await modeOf(policy) : 'ENFORCE'));
      }
      return { data, pagination: { total, ...page } };
    },

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

    async diff({ operator }, id, from, to) {
      const policy = found(await store.policies.find(id), 'policy', id);
      const before = await storedVersion(policy, from);
      const after = await storedVersion(policy, to);
      const { changes, text } = await checker.diff(operator.id, before, after);
      return {
        policyId: policy.id,
        from,
        to,
        changes: parseForWriting(changes) as PolicyDiff['changes'],
        text,
      };
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
  { name, lists, issues }: CheckedDocument,
): Omit<PolicyDocumentVersion, 'author' | 'note'> {
  if (name === null || issues.length > 0) {
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
  return { name, mediaType, document: text, lists };
}

function listedPolicy(
  policy: StoredPolicy,
  { author, authorName, house, bound }: PolicyUse,
  mode: PolicyMode,
): ListedPolicy {
  const countOf = (counted: PolicyMode) =>
    bound.reduce((sum, one) => sum + ((one.mode ?? mode) === counted ? one.total : 0), 0);
  return {
    ...policySummary(policy),
    mode,
    houseMode: house && (house.mode ?? mode),
    enforcedCount: countOf('ENFORCE'),
    monitoredCount: countOf('MONITOR'),
    changedBy: author === null ? null : personOf(author, authorName),
  };
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
