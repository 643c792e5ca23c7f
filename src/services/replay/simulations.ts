import { AppError } from '../../errors.ts';
import { entriesOfLists } from '../../features/lists/service.ts';
import type { PolicyChecker } from '../../features/policies/checker.ts';
import type { Policies } from '../../features/policies/service.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { SimulationLine, SimulationRequest } from '../../schemas/replays.ts';
import type { ReplayFilter } from '../../store/replay.ts';
import type { BoundPolicy, Store, StoredPolicy } from '../../store/store.ts';
import type { OperatorCaller } from '../access/authentication.ts';
import { found, notFound, notFoundBy } from '../refusals.ts';
import { parseTime } from '../times.ts';
import type { ReplayChange, TriedBinding, TriedPolicy } from './policies-of-record.ts';
import type { ReplayRunner } from './replay-runner.ts';

/** Tries policies on what was recorded, and records nothing. */
export interface Simulations {
  /** Rejects with what is wrong with the request; then the lines come, until the last or until the signal is aborted. */
  start(
    caller: Pick<OperatorCaller, 'operator'>,
    request: SimulationRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<SimulationLine>>;
}

type Lists = Readonly<Record<string, readonly string[]>>;
type Caller = Pick<OperatorCaller, 'operator'>;
type Terms = Pick<TriedPolicy, 'params' | 'mode'>;

const pageSize = 200;
/** The id of a policy that does not exist. */
const newPolicyId = '00000000-0000-0000-0000-000000000000';

export function createSimulations(deps: {
  store: Store;
  policies: Pick<Policies, 'assertValid'>;
  checker: Pick<PolicyChecker, 'check'>;
  runner: ReplayRunner;
  /** Names of tools that a session keeps. */
  mostToolNames: number;
}): Simulations {
  const { store, policies, checker, runner, mostToolNames } = deps;

  async function policyOf({ policyId }: SimulationRequest, name: string): Promise<StoredPolicy | null> {
    if (policyId !== undefined) {
      return found(await store.policies.find(policyId.toLowerCase()), 'policy', policyId);
    }
    for (let page = 1; ; page++) {
      const { items, total } = await store.policies.list({ page, size: pageSize }, {});
      const named = items.find((policy) => policy.name === name && policy.status !== 'DEPRECATED');
      if (named || page * pageSize >= total) return named ?? null;
    }
  }

  /** Refuses what would not be accepted as the terms of a binding. */
  async function tryPolicy(
    operator: string,
    document: string,
    as: Pick<TriedPolicy, 'policyId' | 'version'>,
    { params, mode }: Terms,
    tried: Lists,
    path: string,
  ): Promise<TriedPolicy> {
    const {
      issues: of,
      ofParams,
      lists,
    } = await checker.check(document, { operator, runTests: false, params: [params] });
    const issues = [...of, ...(ofParams[0] ?? [])];
    if (issues.length > 0) {
      throw new AppError('invalid', 'the policy cannot decide with these params', {
        details: issues.map(({ message }) => ({ message, path })),
      });
    }
    return {
      ...as,
      document,
      params,
      mode,
      lists: { ...(await entriesOfLists(store.lists, lists)), ...picked(tried, lists) },
    };
  }

  /** The candidate, wherever its policy decides or has decided; everywhere when it decides nowhere. */
  async function candidate(
    caller: Caller,
    request: SimulationRequest,
    document: string,
    tried: Lists,
  ): Promise<TriedBinding[]> {
    const operator = caller.operator.id;
    const { name } = await policies.assertValid(caller, { text: document, mediaType: 'application/yaml' });
    const stored = await policyOf(request, name ?? '');
    const as = { policyId: stored?.id ?? newPolicyId, version: (stored?.latestVersion ?? 0) + 1 };
    const own = await tryPolicy(operator, document, as, termsOf(request), tried, '/params');
    const boundTo = stored?.status === 'ACTIVE' ? await store.policies.listIntegrationsOf(stored.id) : [];
    const bindings: TriedBinding[] = [
      { policyId: as.policyId, integrationId: null, policy: own, isAdded: boundTo.length === 0 },
    ];
    for (const integrationId of boundTo) {
      const inForce = await store.policies.findInForce(integrationId);
      const bound = inForce?.policies.find((one) => one.policyId === as.policyId);
      const policy =
        bound && request.params === undefined
          ? await tryPolicy(
              operator,
              document,
              as,
              { ...bound, mode: request.mode ?? bound.mode },
              tried,
              '/document',
            )
          : own;
      bindings.push({ policyId: as.policyId, integrationId, policy, isAdded: true });
    }
    return bindings;
  }

  async function bindingsOf(
    { operator }: Caller,
    { bindings = [] }: SimulationRequest,
    tried: Lists,
  ): Promise<TriedBinding[]> {
    const all: TriedBinding[] = [];
    for (const [index, one] of bindings.entries()) {
      const path = `/bindings/${index}`;
      const policyId = one.policyId.toLowerCase();
      const stored = found(await store.policies.find(policyId), 'policy', policyId);
      const integrationId = one.integrationId?.toLowerCase() ?? null;
      if (integrationId !== null)
        found(await store.integrations.find(integrationId), 'integration', integrationId);
      if (one.bound === false) {
        all.push({ policyId, integrationId, policy: null, isAdded: false });
        continue;
      }
      const { version } = stored;
      const document = (await store.policies.findVersion(policyId, version))?.document ?? '';
      const policy = await tryPolicy(
        operator.id,
        document,
        { policyId, version },
        termsOf(one),
        tried,
        `${path}/params`,
      );
      all.push({ policyId, integrationId, policy, isAdded: true });
    }
    return all;
  }

  async function changeOf(caller: Caller, request: SimulationRequest): Promise<ReplayChange> {
    const { document, lists = {} } = request;
    if (document === undefined && (request.params ?? request.mode ?? request.policyId) !== undefined) {
      throw new AppError(
        'invalid',
        'belongs to a document: name bindings to change those of saved policies',
        {
          path: '/document',
        },
      );
    }
    const names = await store.lists.names();
    for (const name of Object.keys(lists)) if (!names.includes(name)) throw notFound('list', name);
    const candidates = document === undefined ? [] : await candidate(caller, request, document, lists);
    return { bindings: [...candidates, ...(await bindingsOf(caller, request, lists))], lists };
  }

  async function filterOf({ filter = {} }: SimulationRequest): Promise<ReplayFilter> {
    const { integrationId, sessionId, tool, from, to } = filter;
    if (integrationId !== undefined)
      found(await store.integrations.find(integrationId.toLowerCase()), 'integration', integrationId);
    if (sessionId !== undefined && !(await store.sessions.find(null, sessionId.toLowerCase(), 0)))
      throw notFoundBy('sessionId', 'evaluation session', '/filter/sessionId');
    return {
      ...(integrationId !== undefined && { integrationId }),
      ...(sessionId !== undefined && { sessionId }),
      ...(tool !== undefined && { tool }),
      ...(from !== undefined && { from: parseTime(from, '/filter/from') }),
      ...(to !== undefined && { to: parseTime(to, '/filter/to') }),
    };
  }

  return {
    async start(caller, request, signal) {
      const [change, filter] = [await changeOf(caller, request), await filterOf(request)];
      return runner.run({ change, filter, differences: request.differences ?? 200, mostToolNames }, signal);
    },
  };
}

const picked = (tried: Lists, names: readonly string[]): Lists =>
  Object.fromEntries(Object.entries(tried).filter(([name]) => names.includes(name)));

const termsOf = ({
  params,
  mode,
}: {
  params?: Record<string, unknown>;
  mode?: BoundPolicy['mode'];
}): Terms => ({
  params: stringifyJson(params ?? {}),
  mode: mode ?? null,
});
