import { createDecidingTools, type DecidingTools } from '../../evaluate/catalogue.ts';
import { plannedCounters } from '../../evaluate/in-force.ts';
import { parseCatalogue } from '../../features/tools/stored-catalogue.ts';
import type { CompiledPolicy } from '../../policy/compile-policy.ts';
import type { ReplayIntegration, ReplaySource } from '../../store/replay.ts';
import type { PolicyTerms } from '../../store/store.ts';
import { compileThen } from '../compile-then.ts';
import type { ReplayChange, TriedBinding, TriedPolicy } from './change.ts';
import { partOnTrial } from './part-on-trial.ts';
import type { PoliciesThen } from './policies-then.ts';

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

  /** Of those of then and those on trial. */
  #any(holds: (policy: CompiledPolicy) => boolean): boolean {
    const then = this.#source
      .policySetRows()
      .flatMap((row) => this.#termsOf(row).map((terms) => this.#compileThen(terms)));
    const tried = this.#change.bindings.flatMap(({ policy }) => (policy ? [this.#compileTried(policy)] : []));
    return [...then, ...tried].some((policy) => policy !== null && holds(policy));
  }

  #prepare(setRow: number, integrationId: string): PoliciesThen {
    const terms = this.#termsOf(setRow);
    const recorded = terms.map((one) => this.#compileThen(one));
    const { policies, onTrial, ...changed } = this.#withChange(terms, recorded, integrationId);
    const known = recorded.flatMap((one) => (one ? [one] : []));
    const detectsAnew = detectorsOf(policies) !== detectorsOf(known);
    const canSplit = !detectsAnew && changed.unknown.length === 0;
    const sides = { recorded: known, now: policies, ids: onTrial };
    const all = { ...changed, wasEnforced: known.some(({ mode }) => mode === 'ENFORCE') };
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
    { deciders, ...all }: Pick<PoliciesThen, 'unknown' | 'tried' | 'wasEnforced'> & { deciders: Deciders },
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

  /** In files from before terms were kept, those without params and lists are known by the key. */
  #termsOf(setRow: number): PolicyTerms[] {
    const { key, terms } = this.#source.policySet(setRow);
    if (terms) return terms;
    return key.split(',').flatMap((member) => {
      const [policyId = '', version = '', others] = member.split(':');
      if (policyId === '') return [];
      const params = others === undefined ? '{}' : notKnown;
      return [{ policyId, version: Number(version), params, mode: null, lists: [] }];
    });
  }

  #compileThen({ policyId, version, params, mode, lists }: PolicyTerms): CompiledPolicy | null {
    if (params === notKnown) return null;
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

const notKnown = '';
const ofCatalogue = ['toolEffect', 'toolUntrusted', 'destinations', 'identifiers'];

const detectorsOf = (policies: readonly CompiledPolicy[]): string =>
  JSON.stringify([...new Map(policies.map((one) => [one.policyId, one.detectors])).values()].flat());

export const toolsOf = ({ tools }: Pick<ReplayIntegration, 'tools'>): DecidingTools =>
  createDecidingTools(parseCatalogue(tools).tools);
