import type { DecisionModel, Model } from './decision-model.ts';
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
import { afterAction, outcomeFacts } from './transition.ts';
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
 * what leads back to a state can be left out. Labels, tags and everything that is not counted may change in any way meanwhile.
 */
export function* holdsByInduction(model: Model, said: Formula, decision: DecisionModel): Proof<boolean> {
  const { counts, step } = transitionOf(model, said, decision);
  const { symbols } = model;
  // A count that is not there is 0, so that two states without it are the same.
  const absent = counts.flatMap(({ name, has }) => (has === null ? [] : [or(flag(has), isZero(name))]));
  const facts = and(...symbols.factsAbout([said, step]), ...absent);
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
      ...counts.flatMap(({ name, has }) => {
        const [first, second] = [variable(`${name} @${one}`), variable(`${name} @${two}`)];
        const [is, was] = [flag(`${has} @${one}`), flag(`${has} @${two}`)];
        const inPresence = has === null ? [] : [and(is, not(was)), and(not(is), was)];
        return [less(first, second, true), less(second, first, true), ...inPresence];
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
    if (yield* isNever([...path, ...held, ...different, ...end(actions + 1)])) return true;
  }
  return false;
}

const isZero = (name: string): Formula => equalSums(variable(name), constantSum(0));

/** The counts on which a sentence depends, directly or through decisions, and how an action changes them. */
function transitionOf(model: Model, said: Formula, decision: DecisionModel) {
  const after = afterAction(model, decision);
  const outcome = outcomeFacts(model, decision);
  const counts = new Map<string, Count>();
  const steps: Formula[] = [outcome];
  const open = [...variablesIn([said, outcome])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const count = countOf(model, name);
    if (count === null || counts.has(count.name)) continue;
    counts.set(count.name, count);
    const changes = changesOf(after, count, model);
    steps.push(changes);
    open.push(...variablesIn([changes]).keys());
  }
  return { counts: [...counts.values()], step: and(...steps) };
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
