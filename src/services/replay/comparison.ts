import type { Violation } from '../../schemas/decisions.ts';
import type { SimulationDifference, SimulationResult } from '../../schemas/replays.ts';
import { enforcementActions } from '../../schemas/words.ts';
import type { ReplayRow, TriagedStatus } from '../../store/replay.ts';
import { isoTime } from '../times.ts';
import type { Replayed } from './evaluator.ts';
import { formOf } from './policies-of-record.ts';

type RuleCounts = SimulationResult['rules'][number];
type IntegrationCounts = SimulationResult['integrations'][number];
type Because = SimulationDifference['because'];

/** The violations of an evaluation that operators handled, by their places; NEW ones are not in it. */
export type Triaged = ReadonlyMap<number, TriagedStatus>;

const noTriage = (): Record<TriagedStatus, number> => ({
  NEW: 0,
  ACKNOWLEDGED: 0,
  RESOLVED: 0,
  DISMISSED: 0,
});
const rankOf = (action: Violation['enforcementAction']): number => enforcementActions.indexOf(action);

/** The findings of a replay so far. */
export class Comparison {
  #evaluations = 0;
  #changed = 0;
  #stricter = 0;
  #looser = 0;
  #notEvaluated = 0;
  #notReached = 0;
  #newViolations = 0;
  readonly #sessions = new Set<number>();
  readonly #changes = new Map<string, SimulationResult['changes'][number]>();
  readonly #integrations = new Map<string, IntegrationCounts>();
  readonly #rules = new Map<string, RuleCounts>();
  readonly #kept = noTriage();
  readonly #gone = noTriage();

  /** The difference; null for an evaluation whose verdict is the same. `triaged`: of its recorded violations, by their places. */
  add(
    row: ReplayRow,
    of: { integrationId: string; sessionId: string | null },
    { verdict, recorded, unevaluated, isAssumed, tried, isOnTrial }: Replayed,
    triaged: Triaged | undefined,
  ): SimulationDifference | null {
    this.#evaluations++;
    const integration = isOnTrial ? this.#integration(of.integrationId) : null;
    if (integration) integration.evaluations++;
    for (const one of unevaluated) this.#rule(one).notEvaluated++;
    if (isAssumed) {
      this.#notEvaluated++;
      return null;
    }
    if (verdict === null) this.#notReached++;
    const { before, after } = compared(recorded.violations, verdict?.violations ?? none, unevaluated);
    if (before.length + after.length > 0) {
      for (const { one } of before) this.#rule(one).before++;
      for (const one of after) this.#rule(one).after++;
      this.#countViolations(before, after, triaged);
    }
    const because = differing(
      before.map(({ one }) => one),
      after,
      tried,
    );
    const isSame =
      verdict !== null &&
      because.length === 0 &&
      verdict.enforcementAction === recorded.enforcementAction &&
      verdict.outcome === recorded.outcome &&
      // A rule that could not be evaluated may have raised it, or given a label.
      (unevaluated.length > 0 ||
        (verdict.severity === recorded.severity && sameTexts(verdict.labels, recorded.labels)));
    if (isSame) return null;
    if (integration && verdict?.enforcementAction !== recorded.enforcementAction)
      integration.decisionsChanged++;
    this.#countChange(row, verdict?.enforcementAction ?? null);
    const { outcome, enforcementAction, severity } = recorded;
    return {
      type: 'difference',
      evaluationRunId: row.id,
      ...of,
      tool: row.tool,
      at: isoTime(row.createdAt),
      from: { outcome, enforcementAction, severity },
      to: verdict && {
        outcome: verdict.outcome,
        enforcementAction: verdict.enforcementAction,
        severity: verdict.severity,
      },
      because,
    };
  }

  result(differencesShown: number, seconds: number): SimulationResult {
    return {
      type: 'result',
      evaluations: this.#evaluations,
      changed: this.#changed,
      stricter: this.#stricter,
      looser: this.#looser,
      notEvaluated: this.#notEvaluated,
      notReached: this.#notReached,
      sessionsChanged: this.#sessions.size,
      changes: [...this.#changes.values()].sort((left, right) => right.evaluations - left.evaluations),
      integrations: [...this.#integrations.values()],
      rules: [...this.#rules.values()],
      violations: { kept: this.#kept, gone: this.#gone, new: this.#newViolations },
      differencesShown,
      seconds: Math.round(seconds * 1_000) / 1_000,
    };
  }

  #integration(integrationId: string): IntegrationCounts {
    const counts = this.#integrations.get(integrationId) ?? {
      integrationId,
      evaluations: 0,
      decisionsChanged: 0,
    };
    this.#integrations.set(integrationId, counts);
    return counts;
  }

  #rule({ policyId, policyName, ruleId }: Pick<Violation, 'policyId' | 'policyName' | 'ruleId'>): RuleCounts {
    const key = `${policyId} ${ruleId}`;
    let counts = this.#rules.get(key);
    if (!counts) {
      counts = { policyId, policyName, ruleId, before: 0, after: 0, notEvaluated: 0 };
      this.#rules.set(key, counts);
    }
    return counts;
  }

  #countViolations(
    before: readonly Placed[],
    after: readonly Violation[],
    triaged: Triaged | undefined,
  ): void {
    const now = new Set(after.map(keyOf));
    const then = new Set(before.map(({ one }) => keyOf(one)));
    for (const one of after) if (!then.has(keyOf(one))) this.#newViolations++;
    for (const { one, place } of before)
      (now.has(keyOf(one)) ? this.#kept : this.#gone)[triaged?.get(place) ?? 'NEW']++;
  }

  #countChange(
    { sessionRow, enforcementAction: from }: ReplayRow,
    to: Violation['enforcementAction'] | null,
  ): void {
    this.#changed++;
    if (sessionRow !== null) this.#sessions.add(sessionRow);
    const step = to === null ? 1 : rankOf(to) - rankOf(from);
    if (step > 0) this.#stricter++;
    if (step < 0) this.#looser++;
    const key = `${from} ${to}`;
    const change = this.#changes.get(key) ?? { from, to, evaluations: 0 };
    change.evaluations++;
    this.#changes.set(key, change);
  }
}

const none: readonly never[] = [];
const keyOf = ({ policyId, ruleId }: Pick<Violation, 'policyId' | 'ruleId'>): string =>
  `${policyId} ${ruleId}`;

/** A violation and its place in the record. */
interface Placed {
  one: Violation;
  place: number;
}

/** Compares without the findings of rules that could not be evaluated: it is not known whether they would be there. */
function compared(
  before: readonly Violation[],
  after: readonly Violation[],
  unevaluated: Replayed['unevaluated'],
): { before: readonly Placed[]; after: readonly Violation[] } {
  const unknown = new Set(unevaluated.map(keyOf));
  const isKnown = (one: Violation): boolean => !unknown.has(keyOf(one));
  return {
    before: before.map((one, place) => ({ one, place })).filter(({ one }) => isKnown(one)),
    after: unknown.size === 0 ? after : after.filter(isKnown),
  };
}

const sameTexts = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text) => right.includes(text));

function differing(
  before: readonly Violation[],
  after: readonly Violation[],
  tried: ReadonlySet<string>,
): Because {
  if (before.length === 0 && after.length === 0) return [];
  const changes: Because = [];
  const seen = new Set<string>();
  for (const one of [...before, ...after]) {
    const key = keyOf(one);
    if (seen.has(key)) continue;
    seen.add(key);
    const forms = (of: readonly Violation[]) =>
      of.flatMap((other) => (keyOf(other) === key ? [formOf(other, tried)] : []));
    const [then, now] = [forms(before), forms(after)];
    if (then.length === now.length && then.every((form, place) => form === now[place])) continue;
    const change = then.length === 0 ? 'ADDED' : now.length === 0 ? 'REMOVED' : 'CHANGED';
    const { policyId, policyName, ruleId } = one;
    changes.push({ policyId, policyName, ruleId, change });
  }
  return changes;
}
