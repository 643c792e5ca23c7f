import { AppError } from '../../errors.ts';
import { canonicalJson } from '../../json/stringify.ts';
import type { JsonObject } from '../../schemas/values.ts';
import type { OperatorCaller } from '../../services/access/authentication.ts';
import type { FourEyes, Permission } from '../../services/access/permissions.ts';
import { found } from '../../services/refusals.ts';
import type { AuditedCall, BindingTerms, Store, StoredHousePolicy } from '../../store/store.ts';
import type { Integrations } from '../integrations/service.ts';
import type { CreateList } from '../lists/schema.ts';
import type { Lists } from '../lists/service.ts';
import type { Operators } from '../operators/service.ts';
import type { PolicyActivation } from '../policies/activation.ts';
import type { Bindings } from '../policies/bindings.ts';
import type { BindPolicy } from '../policies/schema.ts';
import type { Policies } from '../policies/service.ts';
import type { CatalogueTool } from '../tools/schema.ts';
import type { ToolCatalogues } from '../tools/service.ts';
import type { ProposedChange } from './schema.ts';
import type { ProposedOperation } from './words.ts';

type Field = keyof ProposedChange;

/** How an operation is proposed, checked and applied. */
export interface Proposed {
  /** The permission of the operation itself, which its author needs too. */
  permission: Permission;
  /** The four-eyes controls under which its author cannot activate it. */
  control: readonly FourEyes[];
  /** Required fields, and optional ones. */
  needs: readonly Field[];
  takes?: readonly Field[];
  /** The subject as it is now; null when it does not exist. Refuses an unknown subject, and a change that can never be applied. */
  check(change: ProposedChange): Promise<JsonObject | null>;
  /** Refuses, in the step that changes it, a subject that differs from `before`, the earlier result of `check`. */
  apply(
    caller: OperatorCaller,
    change: ProposedChange,
    given: { note: string | null; before: JsonObject | null },
  ): Promise<unknown>;
  /** The resource that the audit names when the operation is called directly. */
  resourceOf(change: ProposedChange): Pick<AuditedCall, 'resource' | 'resourceId'>;
}
export type ProposedOperations = Readonly<Record<ProposedOperation, Proposed>>;

export function createProposedOperations(deps: {
  store: Store;
  policies: Policies;
  bindings: Bindings;
  lists: Lists;
  activation: PolicyActivation;
  toolCatalogues: ToolCatalogues;
  integrations: Integrations;
  operators: Operators;
}): ProposedOperations {
  const { store, policies, bindings, lists, activation, toolCatalogues, integrations, operators } = deps;

  async function policy({ policyId = '' }: ProposedChange) {
    return found(await store.policies.find(policyId), 'policy', policyId);
  }
  async function integration({ integrationId = '' }: ProposedChange) {
    return found(await store.integrations.find(integrationId), 'integration', integrationId);
  }
  async function binding(change: ProposedChange) {
    await integration(change);
    await policy(change);
    return store.policies.findBinding(change.integrationId ?? '', change.policyId ?? '');
  }
  async function list({ listId = '' }: ProposedChange) {
    return found(await store.lists.find(listId), 'list', listId);
  }
  async function catalogue(change: ProposedChange) {
    await integration(change);
    return toolCatalogues.read(change.integrationId ?? '');
  }
  const of =
    (resource: string, field: Field) =>
    (change: ProposedChange): Pick<AuditedCall, 'resource' | 'resourceId'> => ({
      resource,
      resourceId: (change[field] as string | undefined)?.toLowerCase() ?? null,
    });

  return {
    bindPolicy: {
      permission: 'bindings:write',
      control: ['policies'],
      needs: ['integrationId', 'policyId'],
      takes: ['params', 'mode'],
      async check(change) {
        const before = await binding(change);
        return before && termsOf(before);
      },
      apply: (_, change, { before }) =>
        bindings.bind(
          change.integrationId ?? '',
          change.policyId ?? '',
          requestOf(change),
          before && storedTerms(before),
        ),
      resourceOf: of('integrations', 'integrationId'),
    },
    unbindPolicy: {
      permission: 'bindings:write',
      control: ['policies'],
      needs: ['integrationId', 'policyId'],
      async check(change) {
        const { policyId = '' } = change;
        return termsOf(found(await binding(change), 'policy bound to this integration:', policyId));
      },
      apply: (_, { integrationId = '', policyId = '' }, { before }) =>
        bindings.unbind(integrationId, policyId, before && storedTerms(before)),
      resourceOf: of('integrations', 'integrationId'),
    },
    bindHousePolicy: {
      permission: 'house-policies:write',
      control: ['policies'],
      needs: ['policyId'],
      takes: ['params', 'mode'],
      async check(change) {
        const { id } = await policy(change);
        const before = await store.policies.findHouse(id);
        return before && termsOf(before);
      },
      apply: (_, change, { before }) =>
        bindings.bindHouse(change.policyId ?? '', requestOf(change), before && storedTerms(before)),
      resourceOf: of('house-policies', 'policyId'),
    },
    unbindHousePolicy: {
      permission: 'house-policies:write',
      control: ['policies'],
      needs: ['policyId'],
      async check({ policyId = '' }) {
        return termsOf(found(await store.policies.findHouse(policyId), 'house policy', policyId));
      },
      apply: (_, { policyId = '' }, { before }) =>
        bindings.unbindHouse(policyId, before && storedTerms(before)),
      resourceOf: of('house-policies', 'policyId'),
    },
    deprecatePolicy: {
      permission: 'policies:write',
      control: ['policies'],
      needs: ['policyId'],
      async check(change) {
        const { status, revision } = await policy(change);
        return { status, revision };
      },
      apply: (_, { policyId = '' }, { before }) =>
        activation.deprecate(policyId, new Set([Number(before?.revision)])),
      resourceOf: of('policies', 'policyId'),
    },
    deletePolicy: {
      permission: 'policies:write',
      control: ['policies'],
      needs: ['policyId'],
      async check(change) {
        const { name, status, revision } = await policy(change);
        return { name, status, revision };
      },
      apply: (_, { policyId = '' }, { before }) =>
        policies.delete(policyId, new Set([Number(before?.revision)])),
      resourceOf: of('policies', 'policyId'),
    },
    createList: {
      permission: 'lists:write',
      control: ['policies'],
      needs: ['list'],
      check: async () => null,
      apply: (caller, { list }, { note }) =>
        lists.create(caller, { ...(list as CreateList), ...(note !== null && { note }) }),
      resourceOf: of('lists', 'listId'),
    },
    changeList: {
      permission: 'lists:write',
      control: ['policies'],
      needs: ['listId'],
      takes: ['entries', 'add', 'remove'],
      async check(change) {
        const { version } = await list(change);
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
      resourceOf: of('lists', 'listId'),
    },
    deleteList: {
      permission: 'lists:write',
      control: ['policies'],
      needs: ['listId'],
      async check(change) {
        const { name, version } = await list(change);
        return { name, version };
      },
      apply: (_, { listId = '' }, { before }) => lists.delete(listId, new Set([Number(before?.version)])),
      resourceOf: of('lists', 'listId'),
    },
    replaceToolCatalogue: {
      permission: 'bindings:write',
      control: ['policies'],
      needs: ['integrationId', 'tools'],
      takes: ['onChange'],
      async check(change) {
        const { tools, onChange } = await catalogue(change);
        await toolCatalogues.check(change.tools ?? []);
        return { tools, ...(change.onChange && { onChange }) };
      },
      apply: (_, { integrationId = '', tools = [], onChange }, { before }) =>
        toolCatalogues.put(integrationId, { tools, ...(onChange && { onChange }) }, toolsOf(before)),
      resourceOf: of('integrations', 'integrationId'),
    },
    importTools: {
      permission: 'bindings:write',
      control: ['policies'],
      needs: ['integrationId', 'listedTools'],
      async check(change) {
        const { tools } = await catalogue(change);
        const listed = { tools: change.listedTools ?? [] };
        return { tools, ...(await toolCatalogues.checkImport(change.integrationId ?? '', listed)) };
      },
      apply: (_, { integrationId = '', listedTools = [] }, { before }) =>
        toolCatalogues.import(integrationId, { tools: listedTools }, toolsOf(before)),
      resourceOf: of('integrations', 'integrationId'),
    },
    acceptTools: {
      permission: 'bindings:write',
      control: ['policies'],
      needs: ['integrationId', 'acceptedTools'],
      check: async ({ integrationId = '', acceptedTools = [] }) => ({
        waiting: await toolCatalogues.checkAccept(integrationId, { tools: acceptedTools }),
      }),
      // The digests in it name what is accepted.
      apply: (_, { integrationId = '', acceptedTools = [] }) =>
        toolCatalogues.accept(integrationId, { tools: acceptedTools }),
      resourceOf: of('integrations', 'integrationId'),
    },
    changeIntegration: {
      permission: 'integrations:write',
      control: ['policies'],
      needs: ['integrationId'],
      takes: ['name', 'settings'],
      async check(change) {
        const { name, settings } = await integration(change);
        integrations.checkSettings(change.settings);
        return {
          ...(change.name !== undefined && { name }),
          ...(change.settings && { settings: only(settings, change.settings) }),
        };
      },
      apply: (_, { integrationId = '', ...fields }, { before }) =>
        integrations.change(integrationId, fields, before ?? {}),
      resourceOf: of('integrations', 'integrationId'),
    },
    changeOperator: {
      permission: 'operators:write',
      control: ['policies', 'reviews'],
      needs: ['operatorId'],
      takes: ['entityId', 'groups'],
      async check({ operatorId = '', ...fields }) {
        return only(found(await store.operators.find(operatorId), 'operator', operatorId), fields);
      },
      apply: (caller, { operatorId = '', ...fields }, { before }) =>
        operators.change(caller, operatorId, fields, before ?? {}),
      resourceOf: of('operators', 'operatorId'),
    },
  };
}

/** Refuses a change without a field that the operation needs, or with one that it would ignore. */
export function assertTakes(
  operation: ProposedOperation,
  { needs, takes = [] }: Proposed,
  change: ProposedChange,
): void {
  const missing = needs.find((field) => change[field] === undefined);
  if (missing) throw new AppError('invalid', `is needed by ${operation}`, { path: `/${missing}` });
  const other = (Object.keys(change) as Field[]).find((field) => ![...needs, ...takes].includes(field));
  if (other)
    throw new AppError('invalid', `must be absent: ${operation} does not take it`, { path: `/${other}` });
}

const termsOf = ({ params, mode }: Pick<StoredHousePolicy, 'params' | 'mode'>): JsonObject => ({
  params: JSON.parse(params),
  mode,
});
/** The same terms in the form of the store. */
const storedTerms = ({ params, mode }: JsonObject): BindingTerms => ({
  params: canonicalJson(params),
  mode: mode as BindingTerms['mode'],
});

const toolsOf = (before: JsonObject | null): CatalogueTool[] => (before?.tools ?? []) as CatalogueTool[];

/** The fields of `all` that are also in `changed`. */
const only = (all: object, changed: object): JsonObject =>
  Object.fromEntries(Object.entries(all).filter(([field]) => field in changed));

/** Null when no terms are given: an existing binding keeps its own. */
const requestOf = ({ params, mode }: ProposedChange): BindPolicy | null =>
  params === undefined && mode === undefined
    ? null
    : { ...(params !== undefined && { params }), ...(mode !== undefined && { mode }) };
