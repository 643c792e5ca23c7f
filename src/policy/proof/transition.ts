import type { CheckedExpression } from '../../cel/index.ts';
import { otherTools } from '../../features/sessions/words.ts';
import { enforcementActions } from '../../schemas/words.ts';
import type { CheckedExpressions, CheckedProperty } from '../expressions.ts';
import type { DecisionModel, Model } from './decision-model.ts';
import {
  and,
  constantSum,
  type Formula,
  flag,
  no,
  not,
  or,
  plus,
  type Sum,
  textIs,
  variable,
} from './formula.ts';
import { inPhase } from './subject-model.ts';
import { natural } from './symbols.ts';
import { always, type Cases, equalTexts, missing, number, type TextTerm } from './value.ts';

// One step of a session: what an action, and the decision about it, change in what rules read of the session.

/** The parts of a session whose change by an action is modelled. */
const modelled: ReadonlySet<string> = new Set([
  'actionCount',
  'warningCount',
  'blockCount',
  'reviewCount',
  'rejectionCount',
  'toolCounts',
  'toolsUsed',
  'attemptCounts',
  'dataTags',
  'labels',
]);

/** All paths that a property reads, also through variables. */
function readsOf({ when, holds }: CheckedProperty, { variables }: Pick<CheckedExpressions, 'variables'>) {
  const found: (readonly string[])[] = [];
  const seen = new Set<CheckedExpression>();
  const open = [when, holds].filter((one) => one !== undefined);
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    found.push(...one.reads);
    for (const [root, name = ''] of one.reads) {
      const variable = root === 'vars' ? variables.get(name) : undefined;
      if (variable) open.push(variable);
    }
  }
  return found.filter(([root]) => root !== 'vars' && root !== 'params');
}

/** Whether a property says something about sessions, whatever the action is. */
export function isInvariant(
  property: CheckedProperty,
  expressions: Pick<CheckedExpressions, 'variables'>,
): boolean {
  const reads = readsOf(property, expressions);
  return reads.length > 0 && reads.every(([root]) => root === 'session');
}

/** The parts of a session that a property reads and whose change is not modelled. */
export function unmodelledAfter(
  property: CheckedProperty,
  expressions: Pick<CheckedExpressions, 'variables'>,
): string[] {
  const fields = readsOf(property, expressions).map(([, field = '']) => field);
  return [
    ...new Set(
      fields.filter((field) => !modelled.has(field)).map((field) => `session.${field} after an action`),
    ),
  ];
}

const zero = always(number(constantSum(0)));

/** A session before its first action. */
export function newSession(): Map<string, Cases> {
  const nothing = (name: string): Cases =>
    always({ kind: 'texts', set: { name: `new ${name}`, has: () => no, size: () => constantSum(0) } });
  const noCounts = (name: string): Cases =>
    always({ kind: 'counts', counts: { name: `new ${name}`, at: () => always(missing) } });
  return new Map<string, Cases>([
    ...['actionCount', 'warningCount', 'blockCount', 'reviewCount', 'rejectionCount'].map(
      (field): [string, Cases] => [`session.${field}`, zero],
    ),
    ...['toolsUsed', 'dataTags', 'labels'].map((field): [string, Cases] => [
      `session.${field}`,
      nothing(field),
    ]),
    ...['toolCounts', 'attemptCounts'].map((field): [string, Cases] => [`session.${field}`, noCounts(field)]),
  ]);
}

/** A decision that changes a session. */
export interface SessionChange {
  /** Which outcome an action may have, given the decision about it. */
  readonly outcomes: Formula;
  /** Holds for every action that is let through: no policy blocked it. */
  readonly passage: Formula;
  /** Labels that the session gets if the action is let through. */
  readonly labels: DecisionModel['labels'];
}

/** `isWhole`: whether the policies that the decision is of are all that hold actions: no other policy, and no setting. */
export function changeBy(
  { symbols }: Model,
  { atLeast, labels }: DecisionModel,
  isWhole: boolean,
): SessionChange {
  const outcome = symbols.text('outcome', enforcementActions);
  const isBlocked = atLeast[3] as Formula;
  // An outcome that is stricter than the decision is that of others; an action that anybody holds may be let through.
  const mayBeHeld = and(isWhole ? (atLeast[2] as Formula) : and(), not(isBlocked));
  const outcomes = enforcementActions.map((action, index) => {
    const isNoStricter = not(atLeast[index + 1] ?? no);
    return or(not(textIs(outcome, 'is', action)), isNoStricter, index < 2 ? mayBeHeld : no);
  });
  return { outcomes: and(...outcomes), passage: or(not(through), not(isBlocked)), labels };
}

const outcomeIs = (action: string): Formula => textIs('outcome', 'is', action);
const through: Formula = or(outcomeIs('ALLOW'), outcomeIs('WARN'));

/**
 * The session after an action, prompt or result. Other policies can only make the decision stricter, and a held action may pass once a
 * person approves it: it is then an ALLOW, even where a rule warned. An operator may take labels away.
 */
export function afterAction(model: Model, change: SessionChange): Map<string, Cases> {
  const { symbols, subject } = model;
  symbols.fact('outcome', () => change.outcomes);
  subject.read('phase');
  subject.read('tool');
  const isAction = inPhase('ACTION');
  const counted = (field: string, when: Formula): [string, Cases] => {
    const before = sumOf(subject.read(`session.${field}`) as Cases);
    return [
      `session.${field}`,
      [
        { when, value: number(plus(before, constantSum(1))) },
        { when: not(when), value: number(before) },
      ],
    ];
  };
  const rejected = symbols.number('rejected since', natural);
  const rejections = plus(sumOf(subject.read('session.rejectionCount') as Cases), variable(rejected));
  const lets = and(isAction, through, not(textIs('tool', 'is', '')));
  return new Map<string, Cases>([
    counted('actionCount', isAction),
    counted('warningCount', and(isAction, outcomeIs('WARN'))),
    counted('blockCount', and(isAction, outcomeIs('BLOCK'))),
    counted('reviewCount', and(isAction, outcomeIs('APPROVAL_REQUIRED'))),
    ['session.rejectionCount', always(number(rejections))],
    countsAfter(model, 'toolCounts', lets),
    countsAfter(model, 'attemptCounts', and(isAction, not(textIs('tool', 'is', '')))),
    namesAfter(model, lets),
    textsAfter(model, 'dataTags', (text) => model.subject.setOf('dataTags').has(text)),
    textsAfter(model, 'labels', (text) => and(through, givenBy(change, text))),
  ]);
}

/** The lists that a session shares with its parent, with sub-agents that are over, and with the session that it continues. */
const inherited = ['dataTags', 'labels'] as const;

export const inheritsOf = (
  property: CheckedProperty,
  expressions: Pick<CheckedExpressions, 'variables'>,
): boolean => readsOf(property, expressions).some(([, field]) => inherited.some((one) => one === field));

/** Another session. No sentence about sessions reads `tree`, which has the same parts. */
export const anotherSession = ({ subject }: Model): Map<string, Cases> =>
  new Map([...modelled].map((field) => [`session.${field}`, subject.read(`tree.${field}`) as Cases]));

/** The session with the labels and tags of that other one, too. */
export const withInherited = ({ subject }: Model): Map<string, Cases> =>
  new Map(
    inherited.map((field) => {
      const sets = [subject.setOf(`session.${field}`), subject.setOf(`tree.${field}`)];
      const has = (text: TextTerm): Formula => or(...sets.map((set) => set.has(text)));
      const size = freeSize(subject, field);
      return [`session.${field}`, always({ kind: 'texts', set: { name: `${field} of both`, has, size } })];
    }),
  );

const sumOf = (cases: Cases): Sum => {
  const [first] = cases;
  return first?.value.kind === 'number' ? first.value.sum : constantSum(0);
};

/** Whether an action counts under a name: any may count under that of the tools beyond the most names. */
function countsAs({ symbols }: Model, key: TextTerm): Formula {
  const isTool = equalTexts({ variable: 'tool' }, key);
  const isOther = 'constant' in key && key.constant === otherTools;
  return isOther ? or(isTool, flag(symbols.flag('counted with others'))) : isTool;
}

function countsAfter(model: Model, field: string, when: Formula): [string, Cases] {
  const [before] = model.subject.read(`session.${field}`) as Cases;
  if (before?.value.kind !== 'counts') throw new Error(`session.${field} is no map of counts`);
  const { counts } = before.value;
  const at = (key: TextTerm): Cases => {
    const isCounted = and(when, countsAs(model, key));
    return counts.at(key).flatMap(({ when: has, value }) => {
      const one = value.kind === 'number' ? plus(value.sum, constantSum(1)) : constantSum(1);
      return [
        { when: and(has, isCounted), value: number(one) },
        { when: and(has, not(isCounted)), value },
      ];
    });
  };
  return [`session.${field}`, always({ kind: 'counts', counts: { name: `${field} after`, at } })];
}

function namesAfter(model: Model, when: Formula): [string, Cases] {
  const { subject } = model;
  const [before] = subject.read('session.toolsUsed') as Cases;
  if (before?.value.kind !== 'texts') throw new Error('session.toolsUsed is no list of texts');
  const { set } = before.value;
  const has = (key: TextTerm): Formula => or(set.has(key), and(when, countsAs(model, key)));
  return [
    'session.toolsUsed',
    always({ kind: 'texts', set: { name: 'toolsUsed after', has, size: freeSize(subject, 'toolsUsed') } }),
  ];
}

function textsAfter(
  { subject, symbols }: Model,
  field: string,
  isAdded: (text: TextTerm) => Formula,
): [string, Cases] {
  const before = subject.setOf(`session.${field}`);
  const has = (text: TextTerm): Formula => {
    const stays =
      field === 'labels' ? not(flag(symbols.flag(`removed label ${JSON.stringify(text)}`))) : and();
    return or(and(before.has(text), stays), isAdded(text));
  };
  return [
    `session.${field}`,
    always({ kind: 'texts', set: { name: `${field} after`, has, size: freeSize(subject, field) } }),
  ];
}

/** How large a list becomes is not modelled. */
const freeSize = (subject: Model['subject'], field: string) => () =>
  subject.setOf(`session.${field} after`).size();

const givenBy = ({ labels }: SessionChange, text: TextTerm): Formula =>
  'constant' in text
    ? (labels.get(text.constant) ?? no)
    : or(...[...labels].map(([label, when]) => and(textIs(text.variable, 'is', label), when)));
