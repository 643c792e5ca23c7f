import { type CheckedExpression, compile, createBudget } from '../../cel/index.ts';
import type { PolicyProperty } from '../../schemas/policy-documents.ts';
import { phases } from '../../schemas/words.ts';
import { Activation } from '../activation.ts';
import type { CheckedProperty } from '../expressions.ts';
import type { Decision, Subject } from '../subject.ts';
import { normalized } from '../tool-calls.ts';
import { Model, type ProvedPolicy } from './decision-model.ts';
import { whenSpent } from './expression.ts';
import {
  and,
  constantSum,
  equalSums,
  type Formula,
  flag,
  less,
  not,
  or,
  renamed,
  textIs,
  variable,
  variablesIn,
} from './formula.ts';
import { ask, type Proof } from './question.ts';
import { inPhase } from './subject-model.ts';
import { Symbols } from './symbols.ts';
import {
  afterAction,
  anotherSession,
  changeBy,
  inheritsOf,
  isInvariant,
  newSession,
  type SessionChange,
  unmodelledAfter,
  withInherited,
} from './transition.ts';
import type { Cases } from './value.ts';
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

/** Actions in a row that an induction looks at, at most. */
const mostSteps = 3;

/** A count of a session: `has` says whether a map has its key; null for a count that is always there. */
interface Count {
  readonly name: string;
  readonly has: string | null;
}

/** The value of a variable after the action. */
const next = (name: string): string => `next ${name}`;

/**
 * Whether a sentence about the counts of a session holds after every action, by an induction over several actions: it holds after the
 * first ones of a new session, and after an action that follows on others after which it held. Only states that differ follow one another:
 * what leads back to a state can be left out. Labels, tags and everything that is not counted may change in any way meanwhile. The first
 * attempt looks at the counts of tools alone: any action may change the other counts, so no state would lead back to itself.
 */
function* holdsByInduction(model: Model, said: Formula, change: SessionChange): Proof<boolean> {
  const ofTools = transitionOf(model, said, change, true);
  if (ofTools.counts.length > 0 && (yield* holdsOver(model, said, ofTools))) return true;
  const ofAll = transitionOf(model, said, change, false);
  return ofAll.counts.length > ofTools.counts.length && (yield* holdsOver(model, said, ofAll));
}

/** Some counts of a session, and how an action changes them. */
interface Transition {
  readonly counts: readonly Count[];
  readonly step: Formula;
  readonly facts: Formula;
}

function* holdsOver(model: Model, said: Formula, { counts, step, ...known }: Transition): Proof<boolean> {
  const { symbols } = model;
  // A tool that was not called has no count, and no session begins with one.
  const absent = counts.flatMap(({ name, has }) =>
    has === null
      ? []
      : [or(flag(has), isZero(name)), or(not(flag(has)), less(constantSum(1), variable(name), false))],
  );
  const facts = and(known.facts, ...absent);
  const unrolled = new Symbols();
  const at = (formula: Formula, place: number): Formula =>
    renamed(formula, (name) => {
      const isNext = name.startsWith(next(''));
      const own = isNext ? name.slice(next('').length) : name;
      const one = `${own} @${isNext ? place + 1 : place}`;
      const range = symbols.numbers.get(own);
      if (range) unrolled.number(one, range);
      const domain = symbols.domains.get(own);
      if (domain !== undefined) unrolled.text(one, domain);
      return one;
    });
  const isNever = function* (formulas: readonly Formula[]): Proof<boolean> {
    return (yield { formulas, symbols: unrolled }).kind === 'never';
  };
  const differ = (one: number, two: number): Formula =>
    or(
      ...counts.flatMap(({ name }) => {
        const [first, second] = [variable(`${name} @${one}`), variable(`${name} @${two}`)];
        return [less(first, second, true), less(second, first, true)];
      }),
    );
  const isNew = and(
    ...counts.flatMap(({ name, has }) => [isZero(name), ...(has === null ? [] : [not(flag(has))])]),
  );
  for (let actions = 1; actions < mostSteps; actions++) {
    const places = [...Array(actions + 1).keys()];
    const path = places.map((place) => and(at(facts, place), at(step, place)));
    const end = (place: number): Formula[] => [at(facts, place), not(at(said, place))];
    const first = [at(isNew, 0), ...path.slice(0, actions), ...end(actions)];
    if (!(yield* isNever(first))) return false;
    const held = places.map((place) => at(said, place));
    const different = places.flatMap((one) => places.slice(one + 1).map((two) => differ(one, two)));
    // The end comes first: the search goes back from it.
    if (yield* isNever([...end(actions + 1), ...held, ...different, ...path.toReversed()])) return true;
  }
  return false;
}

const isZero = (name: string): Formula => equalSums(variable(name), constantSum(0));

/** The counts on which a sentence depends, directly or through decisions. With `ofTools`, all others may have any value. */
function transitionOf(model: Model, said: Formula, change: SessionChange, ofTools: boolean): Transition {
  const after = afterAction(model, change);
  const outcome = ofTools ? change.passage : change.outcomes;
  const counts = new Map<string, Count>();
  const steps: Formula[] = [outcome];
  const open = [...variablesIn([said, outcome])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const count = countOf(model, name);
    if (count === null || counts.has(count.name) || (ofTools && count.has === null)) continue;
    counts.set(count.name, count);
    const changes = changesOf(after, count, model);
    steps.push(changes);
    open.push(...variablesIn([changes]).keys());
  }
  const step = and(...steps);
  const known = model.symbols.factsAbout([said, step]);
  const facts = and(...known.filter((fact) => !ofTools || fact !== change.outcomes));
  return { counts: [...counts.values()], step, facts };
}

/** The count of a session that a variable belongs to; null for any other. */
function countOf({ symbols }: Model, name: string): Count | null {
  const origin = symbols.origins.get(name);
  if (origin?.of === 'field') return countedFields.has(origin.path) ? { name, has: null } : null;
  if (origin?.of !== 'count' || !countedMaps.has(origin.map) || !origin.key.startsWith('=')) return null;
  const key = name.replace(/^(has|count) /, '');
  return { name: `count ${key}`, has: `has ${key}` };
}

const countedFields: ReadonlySet<string> = new Set(
  ['actionCount', 'warningCount', 'blockCount', 'reviewCount', 'rejectionCount'].map(
    (field) => `session.${field}`,
  ),
);
const countedMaps: ReadonlySet<string> = new Set(['session.toolCounts', 'session.attemptCounts']);

/** The value of a count after an action. */
function changesOf(after: ReadonlyMap<string, Cases>, { name, has }: Count, { symbols }: Model): Formula {
  const origin = symbols.origins.get(name);
  const whole = after.get(origin?.of === 'count' ? origin.map : name) as Cases;
  const [value] = whole;
  const cases =
    origin?.of === 'count' && value?.value.kind === 'counts'
      ? value.value.counts.at({ constant: origin.key.slice(1) })
      : whole;
  return or(
    ...cases.map(({ when, value: its }) => {
      const isThere = its.kind === 'number';
      const sum = isThere ? its.sum : constantSum(0);
      const presence = has === null ? [] : [isThere ? flag(next(has)) : not(flag(next(has)))];
      return and(when, equalSums(variable(next(name)), sum), ...presence);
    }),
  );
}
