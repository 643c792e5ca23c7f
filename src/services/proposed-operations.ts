import { AppError } from '../errors.ts';
import type { BindPolicy } from '../schemas/bindings.ts';
import type { ProposedOperation } from '../schemas/proposal-words.ts';
import type { ProposedChange } from '../schemas/proposals.ts';
import type { JsonObject } from '../schemas/values.ts';
import type { AuditedCall, Store, StoredHousePolicy } from '../store/store.ts';
import type { OperatorCaller } from './authentication.ts';
import type { Bindings } from './bindings.ts';
import { found } from './found.ts';
import type { Lists } from './lists.ts';
import type { PolicyActivation } from './policy-activation.ts';

/** What a proposed operation is made of. */
export interface Proposed {
  /** What it would change, as it is now; null when it is not there. Refuses fields that it does not take, and an unknown subject. */
  check(change: ProposedChange): Promise<JsonObject | null>;
  /** `before` is what `check` said. */
  apply(
    caller: OperatorCaller,
    change: ProposedChange,
    given: { note: string | null; before: JsonObject | null },
  ): Promise<unknown>;
  /** As the audit names it when the operation is called. */
  resourceOf(change: ProposedChange): Pick<AuditedCall, 'resource' | 'resourceId'>;
}
export type ProposedOperations = Readonly<Record<ProposedOperation, Proposed>>;

type Field = keyof ProposedChange;

export function createProposedOperations(deps: {
  store: Store;
  bindings: Bindings;
  lists: Lists;
  activation: PolicyActivation;
}): ProposedOperations {
  const { store, bindings, lists, activation } = deps;

  async function policy(id: string) {
    return found(await store.policies.find(id), 'policy', id);
  }
  async function binding({ integrationId = '', policyId = '' }: ProposedChange) {
    found(await store.integrations.find(integrationId), 'integration', integrationId);
    await policy(policyId);
    return store.policies.findBinding(integrationId, policyId);
  }
  const ofIntegration = ({ integrationId = '' }: ProposedChange) => ({
    resource: 'integrations',
    resourceId: integrationId.toLowerCase(),
  });
  const ofPolicy =
    (resource: string) =>
    ({ policyId = '' }: ProposedChange) => ({ resource, resourceId: policyId.toLowerCase() });

  return {
    bindPolicy: {
      async check(change) {
        takes('bindPolicy', change, ['integrationId', 'policyId'], ['params', 'mode']);
        const before = await binding(change);
        return before && termsOf(before);
      },
      apply: (_, change) =>
        bindings.bind(change.integrationId ?? '', change.policyId ?? '', requestOf(change)),
      resourceOf: ofIntegration,
    },
    unbindPolicy: {
      async check(change) {
        takes('unbindPolicy', change, ['integrationId', 'policyId']);
        const { policyId = '' } = change;
        return termsOf(found(await binding(change), 'policy bound to this integration:', policyId));
      },
      apply: (_, { integrationId = '', policyId = '' }) => bindings.unbind(integrationId, policyId),
      resourceOf: ofIntegration,
    },
    bindHousePolicy: {
      async check(change) {
        takes('bindHousePolicy', change, ['policyId'], ['params', 'mode']);
        const { id } = await policy(change.policyId ?? '');
        const before = await store.policies.findHouse(id);
        return before && termsOf(before);
      },
      apply: (_, change) => bindings.bindHouse(change.policyId ?? '', requestOf(change)),
      resourceOf: ofPolicy('house-policies'),
    },
    unbindHousePolicy: {
      async check(change) {
        takes('unbindHousePolicy', change, ['policyId']);
        const { policyId = '' } = change;
        return termsOf(found(await store.policies.findHouse(policyId), 'house policy', policyId));
      },
      apply: (_, { policyId = '' }) => bindings.unbindHouse(policyId),
      resourceOf: ofPolicy('house-policies'),
    },
    changeList: {
      async check(change) {
        takes('changeList', change, ['listId'], ['entries', 'add', 'remove']);
        const { listId = '' } = change;
        const { version } = found(await store.lists.find(listId), 'list', listId);
        return { version };
      },
      apply: (caller, { listId = '', entries, add, remove }, { note, before }) =>
        lists.change(
          caller,
          listId,
          {
            ...(entries && { entries }),
            ...(add && { add }),
            ...(remove && { remove }),
            ...(note !== null && { note }),
          },
          new Set([Number(before?.version)]),
        ),
      resourceOf: ({ listId = '' }) => ({ resource: 'lists', resourceId: listId.toLowerCase() }),
    },
    deprecatePolicy: {
      async check(change) {
        takes('deprecatePolicy', change, ['policyId']);
        const { status, revision } = await policy(change.policyId ?? '');
        return { status, revision };
      },
      apply: (_, { policyId = '' }, { before }) =>
        activation.deprecate(policyId, new Set([Number(before?.revision)])),
      resourceOf: ofPolicy('policies'),
    },
  };
}

/** Refuses a change without a field that the operation needs, or with one that it would ignore. */
function takes(
  operation: ProposedOperation,
  change: ProposedChange,
  needed: readonly Field[],
  allowed: readonly Field[] = [],
): void {
  const missing = needed.find((field) => change[field] === undefined);
  if (missing) throw new AppError('invalid', `is needed by ${operation}`, { path: `/${missing}` });
  const other = (Object.keys(change) as Field[]).find((field) => ![...needed, ...allowed].includes(field));
  if (other)
    throw new AppError('invalid', `must be absent: ${operation} does not take it`, { path: `/${other}` });
}

const termsOf = ({ params, mode }: Pick<StoredHousePolicy, 'params' | 'mode'>): JsonObject => ({
  params: JSON.parse(params),
  mode,
});

/** Null without terms: those of a binding that exists stay. */
const requestOf = ({ params, mode }: ProposedChange): BindPolicy | null =>
  params === undefined && mode === undefined
    ? null
    : { ...(params !== undefined && { params }), ...(mode !== undefined && { mode }) };
