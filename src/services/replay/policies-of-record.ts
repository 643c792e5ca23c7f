import { hash } from 'node:crypto';
import { createDecidingTools, type DecidingTools } from '../../evaluate/catalogue.ts';
import { plannedCounters } from '../../evaluate/in-force.ts';
import { parseCatalogue } from '../../features/tools/stored-catalogue.ts';
import { parseJson } from '../../json/parse.ts';
import {
  type CompiledPolicy,
  compilingPolicy,
  type DecidingDocument,
  UncheckedPolicy,
} from '../../policy/compile-policy.ts';
import { checkPolicyDocument, compileOnly } from '../../policy/document/check-policy-document.ts';
import type { ListEntries } from '../../policy/environment.ts';
import type { Decision } from '../../policy/subject.ts';
import type { PolicyMode, Violation } from '../../schemas/decisions.ts';
import type { ReplayIntegration, ReplaySource } from '../../store/replay.ts';
import type { NewEvaluation, PolicyTerms } from '../../store/store.ts';
import type { RecordedVerdict } from './recorded-verdict.ts';

/** Counters are told apart by it: equal definitions, and only those, have equal digests. */
const digest = (text: string): string => hash('sha256', text, 'base64url');

type Terms = Omit<PolicyTerms, 'lists'>;
const paramsOf = ({ params }: Terms) => parseJson(params) as Record<string, unknown>;

/** A policy compiled as it took part in a decision. Null for a document that does not pass the check any more. */
function compileThen(terms: Terms, text: string, lists: ListEntries): CompiledPolicy | null {
  const { compile } = checkPolicyDocument(text, { ...compileOnly, params: paramsOf(terms) });
  return compile?.(identityOf(terms), optionsOf(terms, lists)) ?? null;
}

/** The same of a document that was read, with a pause after each rule. Null for params that do not fit it any more. */
export function* compilingThen(
  terms: Terms,
  document: DecidingDocument,
  lists: ListEntries,
): Generator<void, CompiledPolicy | null> {
  try {
    const options = { ...optionsOf(terms, lists), given: paramsOf(terms) };
    return yield* compilingPolicy(document, identityOf(terms), options);
  } catch (error) {
    if (!(error instanceof UncheckedPolicy)) throw error;
    return null;
  }
}

const identityOf = ({ policyId, version }: Terms) => ({ policyId, policyVersion: version });
const optionsOf = ({ mode }: Terms, lists: ListEntries) => ({
  digest,
  lists,
  ...(mode !== null && { mode }),
});

/** The policies of recorded evaluations, compiled once, with the change on trial. */
export class PoliciesOfRecord {
  readonly #source: ReplaySource;
  readonly #change: ReplayChange;
  readonly #mostToolNames: number;
  readonly #compiled = new Map<string, CompiledPolicy | null>();
  readonly #sets = new Map<string, PoliciesThen>();

  constructor(source: ReplaySource, change: ReplayChange, mostToolNames: number) {
    this.#source = source;
    this.#change = change;
    this.#mostToolNames = mostToolNames;
  }

  of(setRow: number, integrationRow: number, integrationId: string): PoliciesThen {
    const key = `${setRow} ${integrationRow}`;
    let then = this.#sets.get(key);
    if (!then) {
      then = this.#prepare(setRow, integrationId);
      this.#sets.set(key, then);
    }
    return then;
  }

  /** Whether some counter, of then or on trial, counts in several sessions: then all that was recorded matters to it. */
  countAcrossSessions(): boolean {
    return this.#any(({ counters }) => counters.some(({ over }) => over !== 'session'));
  }

  readRecentActions(): boolean {
    return this.#any(({ reads }) => reads.has('session.recentActions'));
  }

  /** Whether it holds for a policy of then or one on trial. */
  #any(holds: (policy: CompiledPolicy) => boolean): boolean {
    const then = this.#source
      .policySetRows()
      .flatMap((row) => this.#source.policySet(row).map((terms) => this.#compileThen(terms)));
    const tried = this.#change.bindings.flatMap(({ policy }) => (policy ? [this.#compileTried(policy)] : []));
    return [...then, ...tried].some((policy) => policy !== null && holds(policy));
  }

  #prepare(setRow: number, integrationId: string): PoliciesThen {
    const terms = this.#source.policySet(setRow);
    const recorded = terms.map((one) => this.#compileThen(one));
    const { policies, onTrial, ...changed } = this.#withChange(terms, recorded, integrationId);
    const known = recorded.flatMap((one) => (one ? [one] : []));
    const detectsAnew = detectorsOf(policies) !== detectorsOf(known);
    const canSplit = !detectsAnew && changed.unknown.length === 0;
    const sides = { recorded: known, now: policies, ids: onTrial };
    const isOnTrial = onTrial.size > 0;
    const all = { ...changed, isOnTrial, wasEnforced: known.some(({ mode }) => mode === 'ENFORCE') };
    return {
      ...this.#describe(policies, all),
      detectsAnew,
      part: canSplit ? partOnTrial(sides, (tried) => this.#describe(tried, all)) : null,
    };
  }

  #withChange(
    terms: readonly PolicyTerms[],
    recorded: readonly (CompiledPolicy | null)[],
    integrationId: string,
  ) {
    const bound = this.#boundTo(integrationId);
    const policies: CompiledPolicy[] = [];
    const deciders: Deciders = new Map();
    const add = (policy: CompiledPolicy, by: readonly string[]): void => {
      policies.push(policy);
      deciders.set(policy, by);
    };
    const unknown: PolicyTerms[] = [];
    const done = new Set<string>();
    const onTrial = new Set<string>();
    for (const [place, one] of terms.entries()) {
      const replaced = bound.get(one.policyId);
      const then = recorded[place] ?? null;
      const listed = then && this.#withLists(one, then);
      if (replaced || listed !== then) onTrial.add(one.policyId);
      if (!replaced && listed) add(listed, one.by ?? []);
      else if (!replaced) unknown.push(one);
      else if (replaced.policy && !done.has(one.policyId))
        add(this.#compileTried(replaced.policy), decidedBy(terms, one.policyId));
      done.add(one.policyId);
    }
    const added = [...bound.values()].filter(({ policyId, isAdded }) => isAdded && !done.has(policyId));
    for (const { policyId, policy } of added) {
      if (policy === null) continue;
      add(this.#compileTried(policy), terms.some(({ by }) => by) ? [integrationId] : []);
      onTrial.add(policyId);
    }
    return { policies, deciders, unknown, onTrial, tried: new Set(bound.keys()) };
  }

  #boundTo(integrationId: string): ReadonlyMap<string, TriedBinding> {
    return new Map(
      this.#change.bindings
        .filter((one) => one.integrationId === null || one.integrationId === integrationId)
        .map((one) => [one.policyId, one]),
    );
  }

  #describe(
    policies: readonly CompiledPolicy[],
    {
      deciders,
      ...all
    }: Pick<PoliciesThen, 'unknown' | 'tried' | 'isOnTrial' | 'wasEnforced'> & { deciders: Deciders },
  ): PoliciesThen {
    const planned = plannedCounters(policies.map((policy) => ({ policy, by: deciders.get(policy) })));
    const reads = new Set(policies.flatMap((policy) => [...policy.reads]));
    const repeats = reads.has('session.repeats');
    return {
      ...all,
      policies,
      needs: {
        recentActions: true,
        pendingReview: false,
        counters: repeats || planned.length > 0 ? planned : null,
        sightings: reads.has('seen'),
        repeats,
      },
      toolNames: {
        most: this.#mostToolNames,
        mentioned: new Set(policies.flatMap((policy) => [...policy.toolNames])),
      },
      reads,
      inputPaths: policies.flatMap(({ inputPaths }) => inputPaths),
      detectsAnew: false,
      readsCatalogue: ofCatalogue.some((root) => reads.has(root)),
      part: null,
    };
  }

  #compileThen({ policyId, version, params, mode, lists }: PolicyTerms): CompiledPolicy | null {
    const document = this.#source.document(policyId, version);
    const entries = lists.map(
      ({ name, id, version }) => [name, this.#source.listEntries(id, version)] as const,
    );
    if (document === null || entries.some(([, known]) => known === null)) return null;
    const read = Object.fromEntries(entries) as Record<string, string[]>;
    return this.#compile({ policyId, version, document, params, mode, lists: read }, JSON.stringify(lists));
  }

  /** The same with the lists that are on trial. */
  #withLists(terms: PolicyTerms, then: CompiledPolicy): CompiledPolicy {
    const changed = terms.lists.filter(({ name }) => Object.hasOwn(this.#change.lists, name));
    if (changed.length === 0) return then;
    const { policyId, version, params, mode } = terms;
    const document = this.#source.document(policyId, version) ?? '';
    const read = { ...then.lists, ...this.#change.lists } as TriedPolicy['lists'];
    const as = `lists ${JSON.stringify(terms.lists)}`;
    return this.#compile({ policyId, version, document, params, mode, lists: read }, as) ?? then;
  }

  #compileTried(policy: TriedPolicy): CompiledPolicy {
    const compiled = this.#compile(policy, 'tried');
    if (!compiled) throw new Error('a policy on trial was checked, and does not check any more');
    return compiled;
  }

  #compile({ document, lists, ...terms }: TriedPolicy, as: string): CompiledPolicy | null {
    const key = JSON.stringify([terms.policyId, terms.version, terms.params, terms.mode, as]);
    let policy = this.#compiled.get(key);
    if (policy === undefined) {
      policy = compileThen(terms, document, lists);
      this.#compiled.set(key, policy);
    }
    return policy;
  }
}

/** The integrations that a policy decides for, where the record names them; of others, the one of the evaluation. */
type Deciders = Map<CompiledPolicy, readonly string[]>;

const decidedBy = (terms: readonly PolicyTerms[], id: string): string[] =>
  terms.flatMap(({ policyId, by = [] }) => (policyId === id ? by : []));

const ofCatalogue = [
  'toolEffect',
  'toolUntrusted',
  'toolDirectory',
  'toolDescribed',
  'destinations',
  'identifiers',
  'mcp',
  'seen.byOthers',
];

const detectorsOf = (policies: readonly CompiledPolicy[]): string =>
  JSON.stringify([...new Map(policies.map((one) => [one.policyId, one.detectors])).values()].flat());

export const toolsOf = ({ tools }: Pick<ReplayIntegration, 'tools'>): DecidingTools =>
  createDecidingTools(parseCatalogue(tools));

/** The policies that decide an evaluation in a replay. */
export interface PoliciesThen {
  policies: readonly CompiledPolicy[];
  /** Recorded policies that are not known any more: nothing is decided without them. */
  unknown: readonly PolicyTerms[];
  /** Policies that are on trial: they are not compared by their version. */
  tried: ReadonlySet<string>;
  /** Whether any of them decides, or did. */
  isOnTrial: boolean;
  needs: NewEvaluation['needs'];
  toolNames: NewEvaluation['toolNames'];
  reads: ReadonlySet<string>;
  inputPaths: readonly (readonly string[])[];
  /** Whether custom detectors are others than those that scanned the content then. */
  detectsAnew: boolean;
  readsCatalogue: boolean;
  /** Whether a policy was enforced then. */
  wasEnforced: boolean;
  /** Null when all policies have to be judged. */
  part: PartOnTrial | null;
}

/** The policies on trial, apart from those that decide as they did. */
export interface PartOnTrial {
  policies: PoliciesThen;
  /** Whether they find what was found then: the other policies do the same then, and the verdict is the recorded one. */
  agrees: (decision: Decision, recorded: RecordedVerdict) => boolean;
}

/** The policies that decide an evaluation, as recorded and on trial. */
interface Sides {
  recorded: readonly CompiledPolicy[];
  now: readonly CompiledPolicy[];
  /** Ids of the policies that are on trial, those that do not decide any more among them. */
  ids: ReadonlySet<string>;
}

const enforces = (policies: readonly CompiledPolicy[]): boolean =>
  policies.some(({ mode }) => mode === 'ENFORCE');
const labels = ({ rules }: CompiledPolicy): boolean => rules.some((rule) => rule.labels.length > 0);
const raises = ({ rules, floors }: CompiledPolicy): boolean =>
  rules.some(({ escalate }) => escalate > 0) || floors.some((floor) => floor > 0);

/** `describe`: what decides, with the policies on trial alone. Null where the record does not tell what the others did. */
function partOnTrial(
  { recorded, now, ids }: Sides,
  describe: (policies: readonly CompiledPolicy[]) => PoliciesThen,
): PartOnTrial | null {
  const tried = now.filter(({ policyId }) => ids.has(policyId));
  const all = [...recorded, ...now];
  // The decision without an enforced policy, the labels of monitored ones, and a counter that waits for the decision depend on all
  // policies.
  if (enforces(recorded) !== enforces(now)) return null;
  if (all.some((one) => one.mode === 'MONITOR' && labels(one))) return null;
  if (tried.some(({ counters }) => counters.some(({ readsDecision }) => readsDecision))) return null;
  const raisesOthers = all.some(raises);
  const mayLabel = all.some((one) => ids.has(one.policyId) && labels(one));
  const ofTrial = (violations: readonly Omit<Violation, 'id'>[]): string[] =>
    violations
      .filter(({ policyId }) => ids.has(policyId))
      .map((one) => `${one.policyId} ${one.ruleId} ${formOf(one, ids)}`);
  return {
    policies: describe(tried),
    agrees(decision, { violations, labels: given }) {
      if (decision.unevaluated || decision.labels.length + decision.monitoredLabels.length > 0) return false;
      if (mayLabel && given.length > 0) return false;
      if (violations.length === 0) return ofTrial(decision.violations).length === 0;
      return !raisesOthers && ofTrial(decision.violations).join() === ofTrial(violations).join();
    },
  };
}

/** A policy as it decides on trial. Plain data: it is sent to another thread. */
export interface TriedPolicy {
  policyId: string;
  version: number;
  document: string;
  /** JSON text. */
  params: string;
  mode: PolicyMode | null;
  /** Entries of the shared lists that it reads. */
  lists: Readonly<Record<string, readonly string[]>>;
}

/** How a policy decides on trial for an integration; null: it does not decide. */
export interface TriedBinding {
  policyId: string;
  /** Null for every integration. */
  integrationId: string | null;
  policy: TriedPolicy | null;
  /** Whether it decides where it did not decide then. */
  isAdded: boolean;
}

/** The changes of a replay to the policies that decided. */
export interface ReplayChange {
  /** The last one that is for an integration counts. */
  bindings: readonly TriedBinding[];
  /** Entries of shared lists, by name. */
  lists: Readonly<Record<string, readonly string[]>>;
}

/** True when nothing is on trial: then all recorded actions are judged again, and every verdict must be the same. */
export const changesNothing = ({ bindings, lists }: ReplayChange): boolean =>
  bindings.length === 0 && Object.keys(lists).length === 0;

/** Versions of policies that are on trial differ by themselves. */
export const formOf = (
  { mode, severity, enforcementAction, reason, policyId, policyVersion }: Omit<Violation, 'id'>,
  tried: ReadonlySet<string>,
): string => [mode, severity, enforcementAction, reason, tried.has(policyId) ? 0 : policyVersion].join();
