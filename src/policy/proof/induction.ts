import type { Model } from './decision-model.ts';
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
  variable,
  variablesIn,
} from './formula.ts';
import type { Proof } from './question.ts';
import { Symbols } from './symbols.ts';
import { afterAction, type SessionChange } from './transition.ts';
import type { Cases } from './value.ts';

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
export function* holdsByInduction(model: Model, said: Formula, change: SessionChange): Proof<boolean> {
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
