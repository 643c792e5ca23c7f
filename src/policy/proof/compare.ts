import { enforcementActions } from '../../schemas/words.ts';
import type { Decision } from '../subject.ts';
import { type DecisionModel, Model, type ProvedPolicy } from './decision-model.ts';
import { whenSpent } from './expression.ts';
import { and, type Formula, not, or } from './formula.ts';
import { ask, type Proof } from './question.ts';
import { decideWitness, smallest, type Witness, witnessOf } from './witness.ts';

/** An action and a session that two versions decide differently, as the engine confirms. */
export interface Difference {
  readonly witness: Witness;
  readonly before: Decision['enforcementAction'];
  readonly after: Decision['enforcementAction'];
}

/** How a version decides, compared with the one before it. */
export interface Comparison {
  /** MIXED: stricter for some actions, laxer for others. */
  readonly verdict: 'EQUAL' | 'STRICTER' | 'LAXER' | 'MIXED' | 'UNKNOWN' | 'PROVER_ERROR';
  readonly stricter: Difference | null;
  readonly laxer: Difference | null;
  /** The parts that the model does not look into, where it could not decide. */
  readonly notModelled: readonly string[];
}

type Side = Difference | 'never' | 'unknown' | 'error';

/** Policies that decide together. */
export type PolicySet = readonly ProvedPolicy[];

/** Compares what two versions of a policy decide about every action in every session, each with the policies beside it. */
export function* compareVersions(before: PolicySet, after: PolicySet): Proof<Comparison> {
  const model = new Model();
  try {
    const [old, latest] = [model.decisionOf(before), model.decisionOf(after)];
    const [laxer, stricter] = [stricterThan(old, latest), stricterThan(latest, old)];
    const isStricter = (one: Difference): boolean => rank(one.after) > rank(one.before);
    const isLaxer = (one: Difference): boolean => rank(one.after) < rank(one.before);
    const found = [
      yield* findDifference(model, stricter, [before, after], isStricter),
      yield* findDifference(model, laxer, [before, after], isLaxer),
    ] as const;
    return concluded(found, model.symbols.unmodelledIn([laxer, stricter]));
  } catch (error) {
    return whenSpent(error, concluded(['unknown', 'unknown'], []));
  }
}

const rank = (action: Decision['enforcementAction']): number => enforcementActions.indexOf(action);

/** When one decision is stricter than another one. */
const stricterThan = (one: DecisionModel, two: DecisionModel): Formula =>
  or(
    ...enforcementActions.map((_, index) =>
      and(one.atLeast[index] as Formula, not(two.atLeast[index] as Formula)),
    ),
  );

function* findDifference(
  model: Model,
  formula: Formula,
  [before, after]: readonly [PolicySet, PolicySet],
  isSo: (difference: Difference) => boolean,
): Proof<Side> {
  const answer = yield* ask(model, formula);
  if (answer.kind !== 'sometimes') return answer.kind;
  const differenceIn = (witness: Witness): Difference => ({
    witness,
    before: decideWitness(before, witness).decision.enforcementAction,
    after: decideWitness(after, witness).decision.enforcementAction,
  });
  const witness = witnessOf(answer.model, model.symbols);
  if (!isSo(differenceIn(witness)))
    return model.symbols.unmodelledIn([formula]).length > 0 ? 'unknown' : 'error';
  return differenceIn(smallest(witness, (one) => isSo(differenceIn(one))));
}

function concluded([stricter, laxer]: readonly [Side, Side], notModelled: readonly string[]): Comparison {
  const differences = {
    stricter: typeof stricter === 'object' ? stricter : null,
    laxer: typeof laxer === 'object' ? laxer : null,
  };
  return { verdict: verdictOf(stricter, laxer), ...differences, notModelled };
}

function verdictOf(stricter: Side, laxer: Side): Comparison['verdict'] {
  if (stricter === 'error' || laxer === 'error') return 'PROVER_ERROR';
  if (typeof stricter === 'object' && typeof laxer === 'object') return 'MIXED';
  if (stricter === 'unknown' || laxer === 'unknown') return 'UNKNOWN';
  if (typeof stricter === 'object') return 'STRICTER';
  return typeof laxer === 'object' ? 'LAXER' : 'EQUAL';
}
