import { AppError } from '../../errors.ts';
import { parseForWriting } from '../../json/parse.ts';
import { canonicalJson } from '../../json/stringify.ts';
import { type ResponsePage, responsePage } from '../../services/list-entries.ts';
import { asExpected, found, notFound } from '../../services/refusals.ts';
import { isoTime } from '../../services/times.ts';
import type {
  BindingTerms,
  ListedHousePolicy,
  PageRequest,
  Store,
  StoredBinding,
  StoredHousePolicy,
} from '../../store/store.ts';
import type { VersionCheck } from './checker.ts';
import type { Binding, BindPolicy, BoundPolicy, HousePolicy } from './schema.ts';
import { policySummary } from './service.ts';

/** The terms that a binding must have; null is no binding, and absent is any. */
type ExpectedTerms = BindingTerms | null;

/** Which policies decide for which integrations. */
export interface Bindings {
  /** Binds, or changes the terms of a binding; `request` null leaves those of one that exists. */
  bind(
    integrationId: string,
    policyId: string,
    request: BindPolicy | null,
    expected?: ExpectedTerms,
  ): Promise<Binding>;
  unbind(integrationId: string, policyId: string, expected?: ExpectedTerms): Promise<Binding>;
  listBound(integrationId: string, page: PageRequest): Promise<ResponsePage<BoundPolicy>>;
  /**
   * The same for all integrations, those to come included. Bindings of a house policy decide in addition to it, so they can
   * only make it stricter.
   */
  bindHouse(policyId: string, request: BindPolicy | null, expected?: ExpectedTerms): Promise<HousePolicy>;
  unbindHouse(policyId: string, expected?: ExpectedTerms): Promise<HousePolicy>;
  listHouse(page: PageRequest): Promise<ResponsePage<HousePolicy>>;
}

export function createBindings(deps: {
  store: Store;
  now: () => number;
  versionCheck: VersionCheck;
}): Bindings {
  const { store, now, versionCheck } = deps;

  const housePolicy = async (house: StoredHousePolicy): Promise<HousePolicy> => {
    const policy = found(await store.policies.find(house.policyId), 'policy', house.policyId);
    return houseResponse({ ...house, policy });
  };

  return {
    async bind(integrationId, policyId, request, expected) {
      const terms = termsOf(request);
      const binding = asExpected(
        await versionCheck.terms(policyId, (accepts) =>
          store.policies.bind(integrationId, policyId, terms, now(), { accepts, ...having(expected) }),
        ),
      );
      if (!binding) {
        found(await store.policies.find(policyId), 'policy', policyId);
        throw notFound('integration', integrationId);
      }
      return response(binding);
    },

    async unbind(integrationId, policyId, expected) {
      const binding = found(
        asExpected(await store.policies.unbind(integrationId, policyId, having(expected))),
        'policy bound to this integration:',
        policyId,
      );
      return response(binding);
    },

    listBound: async (integrationId, page) =>
      responsePage(
        found(await store.policies.listBound(integrationId, page), 'integration', integrationId),
        page,
        ({ binding, ...policy }) => ({ ...policySummary(policy), binding: response(binding) }),
      ),

    async bindHouse(policyId, request, expected) {
      const terms = termsOf(request);
      const house = await versionCheck.terms(policyId, (accepts) =>
        store.policies.bindHouse(policyId, terms, now(), { accepts, ...having(expected) }),
      );
      return housePolicy(found(asExpected(house), 'policy', policyId));
    },

    async unbindHouse(policyId, expected) {
      const house = await store.policies.unbindHouse(policyId, having(expected));
      return housePolicy(found(asExpected(house), 'house policy', policyId));
    },

    listHouse: async (page) => responsePage(await store.policies.listHouse(page), page, houseResponse),
  };
}

const having = (expected: ExpectedTerms | undefined) => (expected === undefined ? {} : { expected });

/** Bytes of JSON. */
const mostParams = 65_536;

function termsOf(request: BindPolicy | null): BindingTerms | null {
  if (request === null) return null;
  const { params = {}, mode = null } = request;
  const text = canonicalJson(params);
  if (Buffer.byteLength(text) > mostParams) {
    throw new AppError('invalid', `must be at most ${mostParams} bytes of JSON`, { path: '/params' });
  }
  return { params: text, mode };
}

const shownTerms = ({ params, mode, createdAt, updatedAt }: Omit<StoredHousePolicy, 'policyId'>) => ({
  params: parseForWriting(params) as Record<string, unknown>,
  mode,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});
const response = ({ integrationId, policyId, ...terms }: StoredBinding): Binding => ({
  integrationId,
  policyId,
  ...shownTerms(terms),
});
const houseResponse = ({ policy, policyId, ...terms }: ListedHousePolicy): HousePolicy => ({
  policyId,
  ...shownTerms(terms),
  policy: policySummary(policy),
});
