import { hash } from 'node:crypto';
import { type Awaitable, chain } from '../awaitable.ts';
import type { Detector } from '../detectors/index.ts';
import { AppError } from '../errors.ts';
import type { Protection } from '../features/integrations/protection.ts';
import type { StoredIntegration } from '../features/integrations/store.ts';
import type { BoundPolicy, PoliciesInForce } from '../features/policies/store-in-force.ts';
import { parseCatalogue } from '../features/tools/stored-catalogue.ts';
import { parseJson } from '../json/parse.ts';
import { type CompiledPolicy, compilingPolicy, type DecidingDocument } from '../policy/compile-policy.ts';
import type { ListEntries } from '../policy/environment.ts';
import type { PlannedCounter } from '../schemas/counter-cells.ts';
import { finish } from '../services/steps.ts';
import type { Store } from '../store/store.ts';
import { createDecidingTools, type DecidingTools } from './catalogue.ts';
import type { NewEvaluation, PolicySetReference, PolicyTerms } from './evaluation.ts';
import type { AuthorsOf } from './sightings.ts';

/** Everything that decides for an integration, as of one moment and ready to run. */
export interface DecidingPolicies {
  integration: StoredIntegration;
  /** The revision of everything here: an evaluation is recorded only while its revision is the current one. */
  revision: number;
  /** Other integrations whose policies decide, too, and their revisions. */
  delegators: NewEvaluation['delegators'];
  reference: PolicySetReference;
  policies: readonly CompiledPolicy[];
  detector: Detector;
  /** JSON text of its options, to make the same one in another thread. */
  detectorOptions: string;
  tools: DecidingTools;
  toolNames: NewEvaluation['toolNames'];
  needs: NewEvaluation['needs'];
  /** The places of the input that policies read; null where none reads the action of a RESULT. */
  pathsOfCall: readonly (readonly string[])[] | null;
  /** Null when no policy asks where values were seen. */
  salt: string | null;
  /** Null when no policy asks who writes the fields of results. */
  fieldAuthors: AuthorsOf;
}

export interface DecidingPoliciesSource {
  /** As it is now. Throws when a policy cannot be compiled; null when the integration was deleted. */
  find(integrationId: string): Promise<DecidingPolicies | null>;
  /** The same, of a caller: throws when the integration was deleted. */
  of(integrationId: string, delegators?: readonly string[]): Awaitable<DecidingPolicies>;
}

/** Versions are immutable, so a compiled one stays true; the number bounds the memory of an installation that edits a lot. */
const mostCompiled = 2_000;

export function createDecidingPolicies(deps: {
  store: Store;
  /** Names of tools that a session keeps. */
  mostToolNames: number;
  now: () => number;
  /** Makes scheduled versions that are due the current ones. */
  activateDue: () => Promise<void>;
  /** Reads a document; null when it does not pass its check any more. */
  read: (text: string) => Promise<DecidingDocument | null>;
  protection: Pick<Protection, 'tellOnce'>;
}): DecidingPoliciesSource {
  const { store, mostToolNames, now, activateDue, read, protection } = deps;
  const compiled = new Map<string, CompiledPolicy>();
  /** The last ones of each: sessions of one tree are evaluated together. */
  const preparedOfSeveral = new WeakMap<
    PoliciesInForce,
    { others: readonly PoliciesInForce[]; deciding: DecidingPolicies }
  >();
  /** The store gives the same object until something changes. */
  const prepared = new WeakMap<PoliciesInForce, DecidingPolicies>();

  /** Requests that arrive meanwhile wait for the same one. */
  const beingCompiled = new Map<string, Promise<CompiledPolicy>>();

  async function compile(bound: BoundPolicy, lists: PoliciesInForce['lists']): Promise<CompiledPolicy> {
    const { policyId, version, mode } = bound;
    const document = await read(bound.document);
    if (!document) throw new Error(`policy ${policyId}:${version} was saved, but does not check any more`);
    const given = parseJson(bound.params) as Record<string, unknown>;
    const terms = { digest, lists: entriesOf(bound, lists), given, ...(mode !== null && { mode }) };
    return finish(compilingPolicy(document, { policyId, policyVersion: version }, terms));
  }

  async function compiledOnce(
    bound: BoundPolicy,
    lists: PoliciesInForce['lists'],
    key: string,
  ): Promise<CompiledPolicy> {
    const known = compiled.get(key);
    if (known) return known;
    const compiling =
      beingCompiled.get(key) ?? compile(bound, lists).finally(() => beingCompiled.delete(key));
    beingCompiled.set(key, compiling);
    const policy = await compiling;
    if (compiled.size >= mostCompiled) compiled.clear();
    compiled.set(key, policy);
    return policy;
  }

  /** Compiles what is not known yet, rule by rule: others are served between them. */
  async function compileAll(all: readonly PoliciesInForce[]): Promise<ReadonlyMap<string, CompiledPolicy>> {
    const found = new Map<string, CompiledPolicy>();
    for (const { policies, lists } of all) {
      for (const bound of policies) {
        const key = keyOf(bound, lists);
        found.set(key, await compiledOnce(bound, lists, key));
      }
    }
    return found;
  }

  async function prepare(
    ...[own, ...others]: readonly [PoliciesInForce, ...PoliciesInForce[]]
  ): Promise<DecidingPolicies> {
    const known = await compileAll([own, ...others]);
    const { integration, revision, tools } = own;
    const terms = new Map<string, TermsInForce>();
    for (const { integration: of, policies: theirs, lists } of [own, ...others])
      for (const one of theirs) {
        const shared = terms.get(keyOf(one, lists));
        if (shared) shared.by.push(of.id);
        else terms.set(keyOf(one, lists), { one, lists, by: [of.id] });
      }
    const policies = [...terms.keys()].map((key) => known.get(key) as CompiledPolicy);
    protection.tellOnce(
      integration,
      policies.map(({ mode }) => mode),
    );
    // A house policy that is bound as well, on other terms, is there twice.
    const members = new Map(
      [...terms.values()].map(({ one: { policyId, version } }) => [policyId, { policyId, version }]),
    );
    const { detectionSensitivity: sensitivity, disabledTags, enabledTags } = integration.settings;
    const options = {
      sensitivity,
      disabledTags,
      enabledTags,
      custom: [...new Map(policies.map((policy) => [policy.policyId, policy.detectors])).values()].flat(),
    };
    const planned = plannedCounters(
      [...terms.values()].map(({ by }, index) => ({ policy: policies[index] as CompiledPolicy, by })),
    );
    const sightings = policies.some(({ reads }) => reads.has('seen'));
    const repeats = policies.some(({ reads }) => reads.has('session.repeats'));
    const catalogue = createDecidingTools(parseCatalogue(tools));
    // Loaded by the first evaluation: its tables take 45 ms and 5 MB.
    const { createDetector } = await import('../detectors/index.ts');
    return {
      integration,
      revision,
      delegators: others.map((one) => ({ integrationId: one.integration.id, revision: one.revision })),
      reference: {
        key: [...terms].map(([key, { by }]) => (others.length > 0 ? keyBy(key, by) : key)).join(','),
        members: [...members.values()],
        terms: [...terms.values()].map(({ by, ...one }) => ({
          ...termsOf(one),
          ...(others.length > 0 && { by }),
        })),
      },
      policies,
      tools: catalogue,
      toolNames: {
        most: mostToolNames,
        mentioned: new Set(policies.flatMap((policy) => [...policy.toolNames])),
      },
      needs: {
        recentActions: policies.some(({ reads }) => reads.has('session.recentActions')),
        pendingReview:
          integration.settings.unknownTools === 'APPROVAL_REQUIRED' ||
          catalogue.isAnyChanged ||
          policies.some(({ canHold }) => canHold),
        counters: repeats || planned.length > 0 ? planned : null,
        repeats,
        sightings,
      },
      pathsOfCall: policies.some(({ reads }) => reads.has('call'))
        ? policies.flatMap(({ inputPaths }) => inputPaths)
        : null,
      salt: sightings ? store.salt : null,
      fieldAuthors: policies.some(({ reads }) => reads.has('seen.byOthers')) ? catalogue.authorsOf : null,
      detector: createDetector(options),
      detectorOptions: JSON.stringify(options),
    };
  }

  /** With the versions that are due by now. */
  function findInForce(integrationId: string): Awaitable<PoliciesInForce | null> {
    return chain(store.policies.findInForce(integrationId), (inForce) => {
      if (!inForce || inForce.nextDueAt === null || inForce.nextDueAt > now()) return inForce;
      return activateDue().then(() => store.policies.findInForce(integrationId));
    });
  }

  /** A deleted integration has no policies in force any more, and its sessions no children that are ACTIVE. */
  async function ofSeveral(own: PoliciesInForce, ids: readonly string[]): Promise<DecidingPolicies> {
    const others: PoliciesInForce[] = [];
    for (const id of ids) {
      const inForce = await findInForce(id);
      if (!inForce)
        throw new AppError('conflict', 'an integration that delegated to this session was deleted');
      others.push(inForce);
    }
    const known = preparedOfSeveral.get(own);
    if (known?.others.every((one, index) => one === others[index]) && known.others.length === others.length)
      return known.deciding;
    const deciding = await prepare(own, ...others);
    preparedOfSeveral.set(own, { others, deciding });
    return deciding;
  }

  const ofOne = (inForce: PoliciesInForce): Awaitable<DecidingPolicies> =>
    prepared.get(inForce) ?? prepareOne(inForce);
  async function prepareOne(inForce: PoliciesInForce): Promise<DecidingPolicies> {
    const deciding = await prepare(inForce);
    prepared.set(inForce, deciding);
    return deciding;
  }

  return {
    async find(integrationId) {
      const inForce = await findInForce(integrationId);
      return inForce && ofOne(inForce);
    },
    of(integrationId, delegators = []) {
      return chain(findInForce(integrationId), (inForce) => {
        if (!inForce) throw new AppError('unauthenticated', 'invalid, expired or missing API key');
        return delegators.length > 0 ? ofSeveral(inForce, delegators) : ofOne(inForce);
      });
    },
  };
}

const digest = (text: string): string => hash('sha256', text, 'base64url');

/** The entries of the lists that a policy reads. A policy whose list is missing must not decide. */
function entriesOf({ policyId, lists: names }: BoundPolicy, lists: PoliciesInForce['lists']): ListEntries {
  return Object.fromEntries(
    names.map((name) => {
      const list = lists.get(name);
      if (!list) throw new Error(`policy ${policyId} reads the list ${name}, which is missing`);
      return [name, list.entries];
    }),
  );
}

interface TermsInForce {
  one: BoundPolicy;
  lists: PoliciesInForce['lists'];
  /** The integrations that it decides for. */
  by: string[];
}

const termsOf = ({
  one: { policyId, version, params, mode, lists: names },
  lists,
}: Omit<TermsInForce, 'by'>): PolicyTerms => ({
  policyId,
  version,
  params,
  mode,
  lists: names.flatMap((name) => {
    const list = lists.get(name);
    return list ? [{ name, id: list.id, version: list.version }] : [];
  }),
});

/** A policy with everything that it decides by: its version, the terms of its binding, and the lists that it reads. */
function keyOf(
  { policyId, version, params, mode, lists: names }: BoundPolicy,
  lists: PoliciesInForce['lists'],
): string {
  const reference = `${policyId}:${version}`;
  if (params === '{}' && mode === null && names.length === 0) return reference;
  const read = names.map((name) => [lists.get(name)?.id, lists.get(name)?.version]);
  return `${reference}:${digest(JSON.stringify([params, mode, read])).slice(0, 16)}`;
}

/** The key among policies of several integrations, with those that it decides for. */
function keyBy(key: string, by: readonly string[]): string {
  const [policyId, version] = key.split(':');
  return `${policyId}:${version}:${digest(JSON.stringify([key, by])).slice(0, 16)}`;
}

/** A policy that decides; `by`: the integrations that it decides for, undefined for the one whose evaluation it is. */
interface PlannedPolicy {
  readonly policy: Pick<CompiledPolicy, 'counters'>;
  readonly by?: readonly string[] | undefined;
}

/** The counters of all policies: equal definitions are one counter. */
export function plannedCounters(policies: readonly PlannedPolicy[]): PlannedCounter[] {
  const found = new Map<string, PlannedCounter>();
  for (const { policy, by } of policies)
    for (const { identity, over } of policy.counters) {
      const all = new Set([...(found.get(identity)?.by ?? []), ...(by ?? [])]);
      found.set(identity, { identity, over, ...(all.size > 0 && { by: [...all] }) });
    }
  return [...found.values()];
}
