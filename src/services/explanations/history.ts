import { noDelegators } from '../../evaluate/counters/sets.ts';
import { plannedCounters } from '../../evaluate/in-force.ts';
import { advance } from '../../evaluate/session.ts';
import {
  type CountedEvaluation,
  createMemoryCounters,
} from '../../features/policies/policy-tests/memory-counters.ts';
import { MemorySession } from '../../features/policies/policy-tests/memory-session.ts';
import { parseJson } from '../../json/parse.ts';
import { counterWrites } from '../../policy/counters/count.ts';
import { countersOf } from '../../policy/counters/read-counters.ts';
import { decide } from '../../policy/decide.ts';
import { identifierOf, mentionsIn } from '../../policy/mentions.ts';
import type { Subject } from '../../policy/subject.ts';
import { letsThrough, type Severity } from '../../schemas/decisions.ts';
import { severities } from '../../schemas/words.ts';
import type {
  CounterScope,
  NewEvaluation,
  NewSession,
  RemovedLabel,
  StoredEvaluation,
} from '../../store/store.ts';
import { knownContent } from '../replay/known-content.ts';
import { cataloguedFor } from '../replay/replayed-evaluation.ts';
import { type Catalogue, type DecidedBy, subjectOf } from './deciding-then.ts';

/** The part of an evaluation that `advance` and the counters read. */
type PastEvaluation = CountedEvaluation &
  Parameters<typeof advance>[1] &
  Pick<NewEvaluation, 'id' | 'resultOf'>;

/** The facts that a session had seen before one of its evaluations, made again from its earlier ones. */
export interface History {
  session: MemorySession;
  /** The value of a counter of the session; why there is none otherwise. */
  counter(
    decidedBy: DecidedBy,
    name: string,
  ): { value: number | null; why: string | null; actions: number[] };
  /** The tool catalogue's fields as of the evaluation itself. */
  catalogued(field: CatalogueField): { value?: unknown; why?: string };
  /** The fields that others write in the results of the tools of earlier actions, where the catalogue lists them. */
  untrustedFields(): { value?: unknown; why?: string };
  actionsWith: Sightings;
  /** Places of the earlier actions of which this holds, oldest first. */
  actionsWhere(holds: (action: StoredEvaluation) => boolean): number[];
}

type CatalogueField =
  | 'toolEffect'
  | 'toolUntrusted'
  | 'toolDirectory'
  | 'toolDescribed'
  | 'destinations'
  | 'identifiers';

interface Situation {
  integration: Subject['integration'];
  opened: NewSession;
  catalogue: Catalogue;
  removedLabels: readonly RemovedLabel[];
  /** Rejections in the session before the evaluation. */
  rejectionCount: number;
  /** That is explained. */
  evaluation: StoredEvaluation;
}

/** `earlier`: what the session recorded before, oldest first. What was not kept of it is not known. Pauses after each of them. */
export function* replayingHistory(
  decidedBy: readonly DecidedBy[],
  earlier: readonly StoredEvaluation[],
  { integration, opened, catalogue, removedLabels, rejectionCount, evaluation: explained }: Situation,
): Generator<void, History> {
  const policies = decidedBy.map(({ policy }) => policy);
  const session = new MemorySession(opened, null);
  const counters = createMemoryCounters();
  const mentioned = new Set(policies.flatMap((policy) => [...policy.toolNames]));
  const causes = new Map<string, number[]>();
  /** Counters that could not count something. */
  const incomplete = new Set<string>();
  const counted = plannedCounters(policies.map((policy) => ({ policy })));
  const planned = counted.length > 0 ? counted : null;
  const inputPaths = policies.flatMap((policy) => policy.inputPaths);

  for (const evaluation of earlier) {
    removeLabelsBefore(evaluation);
    const asNew = newEvaluation(evaluation, opened, { mentioned, counters: planned });
    if (planned !== null) count(evaluation, asNew);
    advance(session, asNew, {
      enforcementAction: evaluation.enforcementAction,
      enforcedSeverity: enforcedSeverity(evaluation),
      violations: evaluation.violations,
      labels: evaluation.labels,
      monitoredLabels: [],
      repeats: null,
    });
    yield;
  }
  const asksSeen = policies.some(({ reads }) => reads.has('seen'));
  const actionsWith = asksSeen ? yield* readingSightings(earlier) : noSightings;
  removeLabelsBefore(explained);
  session.rejectionCount = rejectionCount;

  function removeLabelsBefore({ id }: StoredEvaluation): void {
    for (const { label, before } of removedLabels)
      if (before === id) session.labels = session.labels.filter((one) => one !== label);
  }

  function cellsOf(evaluation: CountedEvaluation) {
    const loaded = counters.load(evaluation, session);
    return {
      find: (counter: string, scope: CounterScope, name: string) =>
        loaded?.of(scope)?.find(counter, name) ?? null,
    };
  }

  function count(evaluation: StoredEvaluation, asNew: PastEvaluation): void {
    const cells = cellsOf(asNew);
    const { enforcementAction, violations } = evaluation;
    const subject = subjectOf(evaluation, {
      integration,
      session,
      catalogue,
      toolsMentioned: mentioned,
      counters: countersOf(cells, asNew.at, asNew),
      content: knownContent(evaluation, inputPaths),
    });
    const decided = decide(policies, subject);
    const told = {
      enforcementAction,
      severity: enforcedSeverity(evaluation),
      rules: violations.map(({ ruleId }) => ruleId),
    };
    const { counted, unevaluated = [] } = decided.afterwards?.(told) ?? decided;
    const writes = counterWrites(counted, enforcementAction, cells, asNew.at, asNew);
    for (const counter of new Set(writes.map(({ counter }) => counter)))
      if (evaluation.seq !== null) causes.set(counter, [...(causes.get(counter) ?? []), evaluation.seq]);
    for (const { counter } of unevaluated) if (counter) incomplete.add(counter.identity);
    counters.write(asNew, session, writes);
  }

  return {
    session,
    counter({ policy, unknownLists }, name) {
      const counter = policy.counters.find((one) => one.name === name);
      if (!counter) return { value: null, why: 'the policy has no such counter', actions: [] };
      const actions = causes.get(counter.identity) ?? [];
      if (counter.over !== 'session') {
        return { value: null, why: `it counts in other sessions of the ${counter.over} too`, actions };
      }
      if (counter.counts === 'REJECTED')
        return { value: null, why: 'people rejected what it counts after it was held', actions };
      if (counter.per !== null) return { value: null, why: 'a value of the action splits it', actions };
      if (unknownLists.size > 0)
        return { value: null, why: 'a list that its policy reads is not known any more', actions };
      if (incomplete.has(counter.identity))
        return { value: null, why: 'what an earlier action added to it is not known any more', actions };
      const at = explained.createdAt;
      const asNew = newEvaluation(null, opened, { mentioned, counters: planned }, at);
      const reading = countersOf(cellsOf(asNew), at, asNew).read(counter, '');
      return typeof reading === 'number'
        ? { value: reading, why: null, actions }
        : { value: null, why: reading.failure, actions };
    },
    untrustedFields() {
      if (catalogue.changedAt > explained.createdAt) return changedSince;
      const called = new Set(earlier.map(({ tool }) => tool));
      const listed = [...called].map((name) => [name, catalogue.tools.find(name)?.untrustedFields] as const);
      return { value: Object.fromEntries(listed.filter(([, fields]) => fields)) };
    },
    catalogued(field) {
      if (catalogue.changedAt > explained.createdAt) return changedSince;
      const content = knownContent(explained, [['input']]);
      const tool = cataloguedFor(explained, content, catalogue);
      switch (field) {
        case 'toolEffect':
          return { value: tool?.effect ?? '' };
        case 'toolUntrusted':
          return { value: tool?.untrustedResults ?? false };
        case 'toolDirectory':
          return { value: tool?.directory ?? false };
        case 'toolDescribed':
          return { value: tool?.described ?? false };
        default:
          if (content.hidesInput) return { why: 'content was not kept' };
          return tool?.[field] === null
            ? { why: 'the arguments of the call cannot be read' }
            : { value: tool?.[field] ?? [] };
      }
    },
    actionsWith,
    actionsWhere: (holds) =>
      earlier.flatMap((action) => (action.seq !== null && holds(action) ? [action.seq] : [])),
  };
}

const changedSince = { why: 'the tool catalogue was changed since' };

function newEvaluation(
  evaluation: StoredEvaluation | null,
  opened: NewSession,
  { mentioned, counters }: { mentioned: ReadonlySet<string>; counters: NewEvaluation['needs']['counters'] },
  at = evaluation?.createdAt ?? 0,
): PastEvaluation {
  return {
    id: evaluation?.id ?? '',
    resultOf: evaluation?.resultOf ?? null,
    phase: evaluation?.phase ?? 'ACTION',
    tool: evaluation?.tool ?? '',
    targetKey: evaluation?.targetKey ?? null,
    dataTags: evaluation?.dataTags ?? [],
    at,
    session: { open: opened },
    integrationId: opened.integrationId,
    delegators: noDelegators,
    toolNames: { most: Number.POSITIVE_INFINITY, mentioned },
    needs: { recentActions: true, pendingReview: false, counters, sightings: false, repeats: false },
  };
}

function enforcedSeverity({ violations }: StoredEvaluation): Severity | null {
  const enforced = violations.filter(({ mode }) => mode === 'ENFORCE');
  return severities.findLast((severity) => enforced.some((one) => one.severity === severity)) ?? null;
}

/** Where an identifier was seen: in what was let through, and what came back from it. */
export type Sightings = (value: string) => {
  found: boolean;
  /** A PROMPT has no place. */
  actions: number[];
  /** Whether all content was kept. */
  isComplete: boolean;
};

const noSightings: Sightings = () => ({ found: false, actions: [], isComplete: false });

/** Pauses after each evaluation. */
export function* readingSightings(earlier: readonly StoredEvaluation[]): Generator<void, Sightings> {
  const through = earlier.filter(({ enforcementAction }) => letsThrough(enforcementAction));
  const seqs = new Map(through.map(({ id, seq }) => [id, seq]));
  const places = new Map<string, (number | null)[]>();
  let isComplete = true;
  for (const { input, targetKey, phase, seq, resultOf } of through) {
    const mentions = mentionsIn([input === null ? null : parseJson(input), targetKey], phase);
    if (input === null || mentions === null) isComplete = false;
    for (const identifier of mentions?.keys() ?? []) {
      const known = places.get(identifier) ?? [];
      known.push(seq ?? seqs.get(resultOf ?? '') ?? null);
      places.set(identifier, known);
    }
    yield;
  }
  return (value) => {
    const identifier = identifierOf(value);
    const found = (identifier === null ? undefined : places.get(identifier)) ?? [];
    return { found: found.length > 0, actions: found.filter((seq) => seq !== null), isComplete };
  };
}
