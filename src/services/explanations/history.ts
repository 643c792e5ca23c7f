import {
  type CompiledPolicy,
  countersOf,
  counterWrites,
  decide,
  identifierOf,
  mentionsIn,
  type Subject,
} from '../../engine/index.ts';
import { parseJson } from '../../json/parse.ts';
import { letsThrough, type Severity, severities } from '../../schemas/decisions.ts';
import { noDelegators } from '../../store/counter-sets.ts';
import { advance } from '../../store/session-progress.ts';
import type { CounterScope, NewEvaluation, NewSession, StoredEvaluation } from '../../store/store.ts';
import { plannedCounters } from '../planned-counters.ts';
import { type CountedEvaluation, createMemoryCounters } from '../policy-tests/memory-counters.ts';
import { MemorySession } from '../policy-tests/memory-session.ts';

/** What `advance` and the counters read of an evaluation. */
type PastEvaluation = CountedEvaluation &
  Parameters<typeof advance>[1] &
  Pick<NewEvaluation, 'id' | 'resultOf'>;

/** What a session had seen before one of its evaluations, made again from its earlier ones. */
export interface History {
  session: MemorySession;
  /** The value of a counter of the session; why there is none otherwise. */
  counter(
    policy: CompiledPolicy,
    name: string,
  ): { value: number | null; why: string | null; actions: number[] };
  /** Where an identifier was seen: in what was let through, and what came back from it. */
  actionsWith(value: string): {
    found: boolean;
    /** A PROMPT has no place. */
    actions: number[];
    /** Whether all content was kept. */
    isComplete: boolean;
  };
  /** Places of the earlier actions of which this holds, oldest first. */
  actionsWhere(holds: (action: StoredEvaluation) => boolean): number[];
}

/** `earlier`: what the session recorded before, oldest first. What is counted of an action is what was kept of it. */
export function replayHistory(
  policies: readonly CompiledPolicy[],
  integration: Subject['integration'],
  opened: NewSession,
  earlier: readonly StoredEvaluation[],
  at: number,
): History {
  const session = new MemorySession(opened, null);
  const counters = createMemoryCounters();
  const mentioned = new Set(policies.flatMap((policy) => [...policy.toolNames]));
  const causes = new Map<string, number[]>();
  const incomplete = new Set<string>();
  const counted = plannedCounters(policies);
  const planned = counted.length > 0 ? counted : null;

  let sightings: History['actionsWith'] | null = null;

  for (const evaluation of earlier) {
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
    const subject = subjectOf(
      evaluation,
      integration,
      session,
      mentioned,
      countersOf(cells, asNew.at, asNew),
    );
    const writes = counterWrites(
      decide(policies, subject).counted,
      evaluation.enforcementAction,
      cells,
      asNew.at,
      asNew,
    );
    for (const counter of new Set(writes.map(({ counter }) => counter))) {
      if (evaluation.seq !== null) causes.set(counter, [...(causes.get(counter) ?? []), evaluation.seq]);
      if (evaluation.input === null) incomplete.add(counter);
    }
    counters.write(asNew, session, writes);
  }

  return {
    session,
    counter(policy, name) {
      const counter = policy.counters.find((one) => one.name === name);
      if (!counter) return { value: null, why: 'the policy has no such counter', actions: [] };
      const actions = causes.get(counter.identity) ?? [];
      if (counter.over !== 'session') {
        return { value: null, why: `it counts in other sessions of the ${counter.over} too`, actions };
      }
      if (counter.per !== null) return { value: null, why: 'a value of the action splits it', actions };
      if (incomplete.has(counter.identity)) return { value: null, why: 'content was not kept', actions };
      const asNew = newEvaluation(null, opened, { mentioned, counters: planned }, at);
      const reading = countersOf(cellsOf(asNew), at, asNew).read(counter, '');
      return typeof reading === 'number'
        ? { value: reading, why: null, actions }
        : { value: null, why: reading.failure, actions };
    },
    actionsWith(value) {
      sightings ??= createSightings(earlier);
      return sightings(value);
    },
    actionsWhere: (holds) =>
      earlier.flatMap((action) => (action.seq !== null && holds(action) ? [action.seq] : [])),
  };
}

function createSightings(earlier: readonly StoredEvaluation[]): History['actionsWith'] {
  const through = earlier.filter(({ enforcementAction }) => letsThrough(enforcementAction));
  const seqs = new Map(through.map(({ id, seq }) => [id, seq]));
  const mentions = through.map(({ input, targetKey, phase }) =>
    mentionsIn([input === null ? null : parseJson(input), targetKey], phase),
  );
  const isComplete = through.every(({ input }) => input !== null) && !mentions.includes(null);
  return (value) => {
    const identifier = identifierOf(value);
    const found = through.filter((_, place) => identifier !== null && mentions[place]?.has(identifier));
    const places = found.map(({ seq, resultOf }) => seq ?? seqs.get(resultOf ?? '') ?? null);
    return { found: found.length > 0, actions: places.filter((seq) => seq !== null), isComplete };
  };
}

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

function subjectOf(
  evaluation: StoredEvaluation,
  integration: Subject['integration'],
  session: MemorySession,
  toolsMentioned: ReadonlySet<string>,
  counters: Subject['counters'],
): Subject {
  return {
    input: evaluation.input === null ? {} : (parseJson(evaluation.input) as Subject['input']),
    targetKey: evaluation.targetKey ?? '',
    tool: evaluation.tool,
    phase: evaluation.phase,
    catalogued: null,
    resultStatus: evaluation.resultStatus ?? '',
    cost: evaluation.cost ?? undefined,
    dataTags: evaluation.dataTags,
    detections: [],
    integration,
    now: evaluation.createdAt,
    session,
    toolsMentioned,
    counters,
    sightings: { find: () => 'they are not known any more' },
  };
}

function enforcedSeverity({ violations }: StoredEvaluation): Severity | null {
  const enforced = violations.filter(({ mode }) => mode === 'ENFORCE');
  return severities.findLast((severity) => enforced.some((one) => one.severity === severity)) ?? null;
}
