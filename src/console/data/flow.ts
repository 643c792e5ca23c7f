import type { EnforcementAction } from '../../schemas/decisions.ts';
import type { ListedEvaluation } from '../../schemas/evaluations.ts';

interface FlowStep {
  id: string;
  seq: number;
  tool: string;
  action: EnforcementAction;
  tags: readonly string[];
}

/** A kind of data on its way through a session: from the step that first contained it to the last step. */
interface FlowLane {
  tag: string;
  from: number;
  /** Steps that contained it. */
  at: readonly number[];
}

export interface FlowOfData {
  steps: readonly FlowStep[];
  lanes: readonly FlowLane[];
}

/** The flow through these evaluations of a session, which are in its order. Kinds of data in the order of their first step. */
export function flowOf(evaluations: readonly ListedEvaluation[]): FlowOfData {
  const steps = evaluations
    .filter(({ phase }) => phase === 'ACTION')
    .map((one) => ({
      id: one.evaluationRunId,
      seq: one.seq ?? 0,
      tool: one.tool ?? one.targetKey ?? '–',
      action: one.enforcementAction,
      tags: one.dataTags,
    }));
  const places = new Map<string, number[]>();
  steps.forEach((step, place) => {
    for (const tag of step.tags) places.set(tag, [...(places.get(tag) ?? []), place]);
  });
  const lanes = [...places].map(([tag, at]) => ({ tag, from: at[0] ?? 0, at }));
  return { steps, lanes };
}
