import type { CallNode, MacroNode, NameNode, Node } from '../../cel/ast.ts';
import { type ComputationKeys, type Frame, type Scope, sourceOf, withLocal } from './computation-keys.ts';
import {
  and,
  atomsIn,
  constantSum,
  type Formula,
  flag,
  no,
  not,
  or,
  textIs,
  truth,
  variable,
  yes,
} from './formula.ts';
import {
  contained,
  eachOrNull,
  failed,
  inBothOrNull,
  isCollection,
  joined,
  kindTests,
  rankOf,
  textTests,
} from './operations.ts';
import { natural } from './symbols.ts';
import {
  always,
  bool,
  type Cases,
  casesOf,
  failure,
  inEach,
  number,
  type Outcome,
  outcomeOf,
  textOf,
  type Value,
} from './value.ts';

/** Reads the operands of a call. */
export interface Visitor {
  readonly scope: Scope;
  readonly keys: ComputationKeys;
  visit(node: Node, frame: Frame): Cases;
}

const each = (visitor: Visitor, node: Node, frame: Frame, of: (value: Value) => Cases | null): Cases | null =>
  eachOrNull(visitor.visit(node, frame), of);

/** The call of a function of the library; null where it is not modelled. */
export function callCases(visitor: Visitor, node: CallNode, frame: Frame): Cases | null {
  const plan = frame.expression.calls.get(node);
  if (!plan) return null;
  const operands = plan.operands;
  const [first, second] = operands as [Node, Node | undefined];
  if (plan.kind === 'orValue')
    return each(visitor, first, frame, (value) => {
      if (value.kind === 'some') return value.of;
      return value.kind === 'none' ? visitor.visit(second as Node, frame) : failed(value);
    });
  if (plan.kind === 'or')
    return each(visitor, first, frame, (value) => {
      if (value.kind === 'some') return always(value);
      return value.kind === 'none' ? visitor.visit(second as Node, frame) : failed(value);
    });
  if (plan.kind === 'matches') {
    const pattern = plan.pattern?.source;
    if (pattern === undefined) return null;
    return each(visitor, first, frame, (value) => {
      if (value.kind !== 'text') return failed(value);
      return 'variable' in value.text ? always(bool(textIs(value.text.variable, 'matches', pattern))) : null;
    });
  }
  if (plan.kind !== 'function') return null;
  const test = textTests[node.name];
  if (test && operands.length === 2) {
    return inBothOrNull(visitor.visit(first, frame), visitor.visit(second as Node, frame), (one, two) => {
      if (one.kind === 'error' || two.kind === 'error') return always(failure);
      if (one.kind !== 'text' || two.kind !== 'text') return failed(one.kind === 'text' ? two : one);
      if (!('variable' in one.text) || !('constant' in two.text)) return null;
      return always(
        bool(two.text.constant === '' ? yes : textIs(one.text.variable, test, two.text.constant)),
      );
    });
  }
  const isKind = kindTests[node.name];
  if (isKind)
    return each(visitor, first, frame, (value): Cases | null => {
      if (value.kind === 'error') return always(failure);
      if (value.kind === 'none') return always(bool(no));
      const inner = value.kind === 'some' ? value.of : always(value);
      return eachOrNull(inner, (its) => (its.kind === 'any' ? null : always(bool(truth(isKind(its))))));
    });
  switch (node.name) {
    case 'size':
      return each(visitor, first, frame, (value) => sizeOf(visitor, value, node, frame));
    case 'containsAny':
    case 'containsAll':
      return inBothOrNull(visitor.visit(first, frame), visitor.visit(second as Node, frame), (one, two) =>
        contained(node.name === 'containsAny', one, two),
      );
    case 'hasValue':
      return each(visitor, first, frame, (value) =>
        value.kind === 'some' || value.kind === 'none'
          ? always(bool(truth(value.kind === 'some')))
          : failed(value),
      );
    case 'dyn':
    case 'double':
      return each(visitor, first, frame, (value) =>
        node.name === 'dyn' || value.kind === 'number' || value.kind === 'error' ? always(value) : null,
      );
    case 'string':
      return each(visitor, first, frame, (value) =>
        value.kind === 'text' || value.kind === 'error' ? always(value) : null,
      );
    case 'severityRank':
      return each(visitor, first, frame, (value) =>
        value.kind === 'null' ? always(number(constantSum(0))) : rankOf(value),
      );
    default:
      return null;
  }
}

function sizeOf(visitor: Visitor, value: Value, node: Node, frame: Frame): Cases | null {
  if (value.kind === 'list') return always(number(constantSum(value.elements.length)));
  if (value.kind === 'texts') return always(number(value.set.size()));
  if (value.kind === 'text' && 'constant' in value.text)
    return always(number(constantSum([...value.text.constant].length)));
  if (value.kind === 'text' || value.kind === 'json' || value.kind === 'counts')
    return always(number(variable(naturalOf(visitor, node, frame, `of ${JSON.stringify(value)}`))));
  return failed(value);
}

function naturalOf({ scope: { symbols }, keys }: Visitor, node: Node, frame: Frame, of: string): string {
  const name = symbols.number(`size ${keys.of(node, frame)} ${of}`, natural);
  symbols.unmodelled.set(name, { source: sourceOf(node, frame) });
  return name;
}

/** `optMap`, `exists` and `all`; null where it is not modelled. */
export function macroCases(visitor: Visitor, node: MacroNode, frame: Frame): Cases | null {
  if (node.variables.length !== 1 || node.filter !== null) return null;
  const slot = frame.expression.slots.get(node.variables[0] as NameNode) as number;
  if (node.macro === 'optMap')
    return each(visitor, node.range, frame, (value) => {
      if (value.kind !== 'some') return value.kind === 'none' ? always(value) : failed(value);
      const body = visitor.visit(
        node.body,
        withLocal(frame, slot, value.of, visitor.keys.of(node.range, frame)),
      );
      return inEach(body, (its) => always(its.kind === 'error' ? its : { kind: 'some', of: always(its) }));
    });
  if (node.macro !== 'exists' && node.macro !== 'all') return null;
  const isAny = node.macro === 'exists';
  return each(visitor, node.range, frame, (range): Cases | null => {
    if (range.kind === 'list')
      return casesOf(
        range.elements.reduce<Outcome>(
          (before, element, place) => {
            const inner = withLocal(frame, slot, element, `${visitor.keys.of(node.range, frame)}[${place}]`);
            return joined(isAny ? '||' : '&&', before, outcomeOf(visitor.visit(node.body, inner)));
          },
          { holds: truth(!isAny), fails: no },
        ),
      );
    if (range.kind === 'texts') return overTexts(visitor, range.set, node, slot, frame);
    return isCollection(range) ? null : failed(range);
  });
}

/** Each text that the body names is looked at, and one that stands for all others. */
function overTexts(
  visitor: Visitor,
  set: Extract<Value, { kind: 'texts' }>['set'],
  node: MacroNode,
  slot: number,
  frame: Frame,
): Cases {
  const isAny = node.macro === 'exists';
  const { symbols } = visitor.scope;
  const base = `element of ${set.name} in ${visitor.keys.of(node.body, frame)}`;
  const other = symbols.text(base, null);
  symbols.unmodelled.set(other, { source: sourceOf(node, frame) });
  const hasOther = flag(symbols.flag(`has ${base}`, { of: 'includes', list: set.name, text: base }));
  const bodyFor = (value: Value, key: string): Outcome =>
    outcomeOf(visitor.visit(node.body, withLocal(frame, slot, always(value), key)));
  const generic = bodyFor(textOf(other), base);
  const named = new Set(constantsComparedWith(other, [generic.holds, generic.fails]));
  for (const value of named) symbols.fact(`${base} is not ${value}`, () => not(textIs(other, 'is', value)));
  const parts = [...named].map((value) => {
    const { holds, fails } = bodyFor({ kind: 'text', text: { constant: value } }, JSON.stringify(value));
    return { member: set.has({ constant: value }), holds, fails };
  });
  parts.push({ member: hasOther, ...generic });
  const decides = parts.map(({ member, holds, fails }) =>
    and(member, isAny ? holds : and(not(holds), not(fails))),
  );
  const fails = parts.map((part) => and(part.member, part.fails));
  const decided = or(...decides);
  return casesOf({
    holds: isAny ? decided : and(not(decided), not(or(...fails))),
    fails: and(not(decided), or(...fails)),
  });
}

/** The constants that a text is compared with in formulas. */
const constantsComparedWith = (text: string, formulas: readonly Formula[]): string[] =>
  atomsIn(formulas).flatMap((atom) =>
    atom.kind === 'text' && atom.name === text && atom.test === 'is' ? [atom.value] : [],
  );
