import { AppError } from '../../errors.ts';
import { type OperatorCaller, operatorsOfPerson } from '../../services/access/authentication.ts';
import { ownVersion } from '../../services/access/permissions.ts';
import { notFound, outdated } from '../../services/refusals.ts';
import { createSweeper, type Sweeper } from '../../services/sweeper.ts';
import { parseFutureTime } from '../../services/times.ts';
import type { ChangeTerms, Store, StoredPolicy } from '../../store/store.ts';
import { scheduledActivation } from '../events/management-events.ts';
import type { PolicyChecker, VersionCheck } from './checker.ts';
import type { ActivatedPolicy, PolicySummary } from './schema.ts';
import { policySummary } from './service.ts';

/** Revisions that the policy may have; null is any. */
type Expected = ReadonlySet<number> | null;

type Terms = ChangeTerms & { notBy: readonly string[] };

/** Which version of a policy decides, and whether one does. */
export interface PolicyActivation {
  activate(
    caller: OperatorCaller,
    id: string,
    version: number | null,
    expected: Expected,
  ): Promise<ActivatedPolicy>;
  /** To an earlier version; without one, to the one that decided before this one. */
  rollBack(
    caller: OperatorCaller,
    id: string,
    version: number | null,
    expected: Expected,
  ): Promise<PolicySummary>;
  /** The latest version, unless one is named, decides from `at` on. */
  schedule(
    caller: OperatorCaller,
    id: string,
    request: { version?: number; at: string },
    expected: Expected,
  ): Promise<PolicySummary>;
  unschedule(id: string, expected: Expected): Promise<PolicySummary>;
  deprecate(id: string, expected: Expected): Promise<PolicySummary>;
}

export function createPolicyActivation(deps: {
  store: Store;
  now: () => number;
  /** Whether the author of a version may not activate it. */
  fourEyes: boolean;
  checker: PolicyChecker;
  versionCheck: VersionCheck;
}): PolicyActivation {
  const { store, now, fourEyes, checker, versionCheck } = deps;
  /** Changes what decides, once every version that would be current is known to be able to. */
  async function accepted<T>(
    { operator }: OperatorCaller,
    expected: Expected,
    change: (terms: Terms) => Promise<T>,
  ): Promise<T> {
    const notBy = fourEyes ? await operatorsOfPerson(store, operator) : [];
    return versionCheck.version(operator.id, (accepts) => change({ expected, accepts, notBy }));
  }

  async function changed(
    id: string,
    version: number | null,
    changing: Promise<StoredPolicy | keyof typeof refusals>,
  ): Promise<StoredPolicy> {
    const result = await changing;
    if (typeof result === 'string') throw refusals[result](id, version);
    return result;
  }
  const activated = async (...asked: Parameters<typeof changed>): Promise<PolicySummary> =>
    policySummary(await changed(...asked));

  return {
    async activate(caller, id, version, expected) {
      const policy = await changed(
        id,
        version,
        accepted(caller, expected, (terms) => store.policies.activate(id, version, now(), terms)),
      );
      const decides = await store.policies.findVersion(id, policy.version);
      const { counters } = await checker.check(decides?.document ?? '', {
        operator: caller.operator.id,
        runTests: false,
      });
      return { ...policySummary(policy), counters };
    },
    rollBack: (caller, id, version, expected) =>
      activated(
        id,
        version,
        accepted(caller, expected, (terms) => store.policies.rollBack(id, version, now(), terms)),
      ),
    async schedule(caller, id, { version, at }, expected) {
      const due = parseFutureTime(at, now(), '/at');
      const policy = await store.policies.find(id);
      if (!policy) throw notFound('policy', id);
      const which = version ?? policy.latestVersion;
      return activated(
        id,
        which,
        accepted(caller, expected, (terms) => store.policies.schedule(id, which, due, now(), terms)),
      );
    },
    unschedule: (id, expected) => activated(id, null, store.policies.unschedule(id, now(), { expected })),
    deprecate: (id, expected) => activated(id, null, store.policies.deprecate(id, now(), { expected })),
  };
}

const refusals = {
  no_policy: (id: string) => notFound('policy', id),
  outdated,
  own_version: ownVersion,
  no_version: (_id: string, version: number | null) =>
    version === null
      ? new AppError('conflict', 'the policy had no other version before this one')
      : new AppError('invalid', 'the policy has no such version', { path: '/version' }),
  not_active: () => new AppError('conflict', 'the policy is not ACTIVE: activate a version of it'),
  not_earlier: () =>
    new AppError('conflict', 'that version is not earlier than the current one: activate it instead'),
  not_scheduled: () => new AppError('conflict', 'no version of the policy is scheduled'),
  already_deprecated: () => new AppError('conflict', 'the policy is already DEPRECATED'),
};

/** Activates scheduled policy versions when they are due, even when no evaluation arrives. */
export type DueVersions = Sweeper;

/** An evaluation looks for itself, so this is only how late other reads may be. A look reads a few rows. */
const lookEveryMs = 5_000;

export function createDueVersions(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  onError: (error: unknown) => void;
}): DueVersions {
  const { store, now, newId, onError } = deps;
  return createSweeper({
    async run() {
      await store.policies.activateDue(now(), scheduledActivation(newId));
    },
    everyMs: lookEveryMs,
    onError,
  });
}
