import { type CheckedExpression, compile, createBudget } from '../../cel/index.ts';
import type { PolicyProperty } from '../../schemas/policy-documents.ts';
import { phases } from '../../schemas/words.ts';
import { Activation } from '../activation.ts';
import type { CheckedProperty } from '../expressions.ts';
import type { Decision, Subject } from '../subject.ts';
import { normalized } from '../tool-calls.ts';
import { Model, type ProvedPolicy } from './decision-model.ts';
import { whenSpent } from './expression.ts';
import { and, type Formula, not, or, textIs } from './formula.ts';
import { holdsByInduction } from './induction.ts';
import { ask, type Proof } from './question.ts';
import { inPhase } from './subject-model.ts';
import {
  afterAction,
  anotherSession,
  changeBy,
  inheritsOf,
  isInvariant,
  newSession,
  unmodelledAfter,
  withInherited,
} from './transition.ts';
import { decideWitness, smallest, type Witness, witnessOf } from './witness.ts';

/** PROVED: holds for every action and session. VIOLATED: not by `witness`, as the engine confirms. */
export type PropertyResult =
  | { readonly verdict: 'PROVED' }
  | { readonly verdict: 'VIOLATED'; readonly witness: Witness; readonly decision: Decision }
  | {
      readonly verdict: 'UNKNOWN';
      /** The parts that the model does not look into; empty where the search was too long. */
      readonly notModelled: readonly string[];
      /** An action after which the property of sessions no longer holds, in a session that may never come about. */
      readonly induction?: Witness;
    }
  /** The engine does not confirm an action that was found: a mistake of the prover, and no statement about the policy. */
  | { readonly verdict: 'PROVER_ERROR'; readonly witness: Witness };

/** The circumstances in which a property has to hold. */
export interface PropertyTerms {
  /** The policies that decide together with it: all of them, so that nothing else holds an action. Absent where any others may. */
  readonly others?: readonly ProvedPolicy[];
  /** Nodes of expressions that may still be translated. */
  readonly left?: { nodes: number };
  /** Whether an induction may take several actions: false where there is no time for it. */
  readonly inSteps?: boolean;
}

/** Proves a property of a policy, or finds an action and a session for which it does not hold. */
export function* proveProperty(
  proved: ProvedPolicy,
  index: number,
  { others, left, inSteps = true }: PropertyTerms = {},
): Proof<PropertyResult> {
  const policies: Together = [proved, ...(others ?? [])];
  const isWhole = others !== undefined;
  const property = proved.document.properties?.[index] as PolicyProperty;
  const checked = proved.expressions.properties[index] as CheckedProperty;
  const model = new Model(left);
  try {
    return isInvariant(checked, proved.expressions)
      ? yield* proveInvariant(model, policies, { property, checked, inSteps, isWhole })
      : yield* proveOfActions(model, policies, property, checked);
  } catch (error) {
    return whenSpent(error, { verdict: 'UNKNOWN', notModelled: [] });
  }
}

/** The policy that has the property, and those that decide together with it. */
type Together = readonly [ProvedPolicy, ...ProvedPolicy[]];

function* proveOfActions(
  model: Model,
  policies: Together,
  property: PolicyProperty,
  checked: CheckedProperty,
): Proof<PropertyResult> {
  const [proved] = policies;
  const given = model.decisionCases(model.decisionOf(policies));
  const translation = model.translation(proved, given);
  const when = checked.when ? translation.condition(checked.when).holds : and();
  const { holds } = translation.condition(checked.holds as CheckedExpression);
  const violation = and(appliesTo(model, property), when, not(holds));
  const answer = yield* ask(model, violation);
  if (answer.kind === 'never') return { verdict: 'PROVED' };
  const notModelled = model.symbols.unmodelledIn([violation]);
  if (answer.kind === 'unknown') return { verdict: 'UNKNOWN', notModelled };
  const witness = witnessOf(answer.model, model.symbols);
  const isViolatedBy = (one: Witness): boolean => isViolated(policies, property, checked, one);
  if (!isViolatedBy(witness)) return notConfirmed(model, violation, witness);
  const least = smallest(witness, isViolatedBy);
  return { verdict: 'VIOLATED', witness: least, decision: decideWitness(policies, least).decision };
}

function notConfirmed({ symbols }: Model, violation: Formula, witness: Witness): PropertyResult {
  const notModelled = symbols.unmodelledIn([violation]);
  return notModelled.length > 0 ? { verdict: 'UNKNOWN', notModelled } : { verdict: 'PROVER_ERROR', witness };
}

function appliesTo(model: Model, { on = ['ACTION'], tool }: PolicyProperty): Formula {
  model.subject.read('phase');
  const inPhases = or(...phases.filter((phase) => on.includes(phase)).map(inPhase));
  if (tool === undefined) return inPhases;
  model.subject.read('tool');
  return and(inPhases, or(...[tool].flat().map((one) => textIs('tool', 'is', normalized(one)))));
}

/** The engine's answer: an error in `when` means that the property says nothing, one in `holds` that it does not hold. */
function isViolated(
  policies: Together,
  { on = ['ACTION'], tool }: PolicyProperty,
  checked: CheckedProperty,
  witness: Witness,
): boolean {
  const { decision, subject } = decideWitness(policies, witness);
  if (!on.includes(subject.phase)) return false;
  if (tool !== undefined && ![tool].flat().map(normalized).includes(subject.tool)) return false;
  return fails(policies[0], checked, subject, { decision, lists: witness.lists ?? {} });
}

/** Whether the engine finds that a property does not hold of an action, its session and the decision about it. */
export function fails(
  { policy }: ProvedPolicy,
  { when, holds }: CheckedProperty,
  subject: Subject,
  { decision, lists }: { decision?: Decision; lists?: Witness['lists'] } = {},
): boolean {
  const budget = createBudget();
  const activation = new Activation(subject);
  activation.params = policy.params;
  activation.lists = { ...policy.lists, ...lists };
  activation.vars = policy.bindVariables(activation, budget);
  activation.counters = policy.bindCounters(activation.readings, budget);
  if (decision)
    activation.decision = {
      enforcementAction: decision.enforcementAction,
      severity: decision.enforcedSeverity,
      rules: decision.violations.map(({ ruleId }) => ruleId),
    };
  const run = (expression: CheckedExpression): unknown =>
    compile(expression, { params: policy.params }).run(activation, budget);
  if (when && run(when) !== true) return false;
  return run(holds as CheckedExpression) !== true;
}

interface InvariantTerms {
  readonly property: PolicyProperty;
  readonly checked: CheckedProperty;
  readonly inSteps: boolean;
  readonly isWhole: boolean;
}

/** A property of sessions: it holds in a new one, after an action of one in which it held, and with the labels and tags of another such one. */
function* proveInvariant(
  model: Model,
  policies: Together,
  { property, checked, inSteps, isWhole }: InvariantTerms,
): Proof<PropertyResult> {
  const [proved] = policies;
  const unknown = unmodelledAfter(checked, proved.expressions);
  if (unknown.length > 0) return { verdict: 'UNKNOWN', notModelled: unknown };
  const saidOf = (given?: Parameters<Model['translation']>[1]): Formula => {
    const translation = model.translation(proved, given);
    const when = checked.when ? translation.condition(checked.when).holds : and();
    return or(not(when), translation.condition(checked.holds as CheckedExpression).holds);
  };
  const violation = not(saidOf(newSession()));
  const atFirst = yield* ask(model, violation);
  if (atFirst.kind === 'sometimes') {
    const witness: Witness = {};
    const violated = isViolated(policies, { ...property, on: ['ACTION'] }, checked, witness);
    if (!violated) return notConfirmed(model, violation, witness);
    return { verdict: 'VIOLATED', witness, decision: decideWitness(policies, witness).decision };
  }
  const change = changeBy(model, model.decisionOf(policies), isWhole);
  const step = and(saidOf(), not(saidOf(afterAction(model, change))));
  const answer = yield* ask(model, step);
  const mayInherit = inheritsOf(checked, proved.expressions);
  if (atFirst.kind === 'never' && answer.kind === 'never') {
    if (!mayInherit) return { verdict: 'PROVED' };
    const both = and(saidOf(), saidOf(anotherSession(model)), not(saidOf(withInherited(model))));
    if ((yield* ask(model, both)).kind === 'never') return { verdict: 'PROVED' };
    return {
      verdict: 'UNKNOWN',
      notModelled: ['labels and data tags of a parent, sub-agent or continued session'],
    };
  }
  if (
    inSteps &&
    atFirst.kind === 'never' &&
    !mayInherit &&
    (yield* holdsByInduction(model, saidOf(), change))
  )
    return { verdict: 'PROVED' };
  const notModelled = model.symbols.unmodelledIn([step]);
  if (answer.kind !== 'sometimes') return { verdict: 'UNKNOWN', notModelled };
  return { verdict: 'UNKNOWN', notModelled, induction: witnessOf(answer.model, model.symbols) };
}
