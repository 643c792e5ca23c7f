import { childrenOf } from '../cel/ast.ts';
import type { CheckedExpression } from '../cel/index.ts';
import type { PolicyDocument } from '../schemas/policy-documents.ts';
import { type ListEntries, sessionFields, variablesRead } from './environment.ts';
import {
  type CheckedExpressions as AllExpressions,
  checkExpressions,
  expressionSource,
} from './expressions.ts';
import { asksAuthors, asksSeen } from './seen.ts';
import { normalized } from './tool-calls.ts';

/** Properties are run by no decision. */
type CheckedExpressions = Omit<AllExpressions, 'properties'>;

/** The expressions that a decision can run: conditions, messages, counters, and the variables that these use. */
function reachable({ rules, variables, counters }: CheckedExpressions): Set<CheckedExpression> {
  const found = new Set<CheckedExpression>();
  const open = [
    ...rules.flatMap(({ when, message = [] }) => [when as CheckedExpression, ...message]),
    ...[...counters.values()].flatMap((counter) => Object.values(counter)),
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' || found.has(next)) continue;
    found.add(next);
    for (const name of variablesRead(next, variables.keys())) {
      const variable = variables.get(name);
      if (variable) open.push(variable);
    }
  }
  return found;
}

/** The variables that some rule or message uses, directly or through others. */
export function variablesReached(expressions: CheckedExpressions): Set<string> {
  const used = new Set<string>();
  for (const expression of reachable(expressions)) {
    for (const name of variablesRead(expression, expressions.variables.keys())) used.add(name);
  }
  return used;
}

/** The fields read from a root such as `params`; null when it is read as a whole. */
export function fieldsReached(expressions: CheckedExpressions, root: string): Set<string> | null {
  const fields = new Set<string>();
  for (const { reads } of reachable(expressions)) {
    for (const [first, second] of reads) {
      if (first !== root) continue;
      if (second === undefined) return null;
      fields.add(second);
    }
  }
  return fields;
}

/** The shared lists that a decision can read, by name. */
export const listsRead = (expressions: CheckedExpressions): string[] =>
  [...(fieldsReached(expressions, 'lists') ?? [])].sort();

export const inputPathsRead = (expressions: CheckedExpressions): (readonly string[])[] =>
  [...reachable(expressions)].flatMap(({ reads }) =>
    reads.flatMap((path) => {
      const [root, , ...names] = path;
      // The arguments of the action stand in the place of those of the call.
      if (root === 'call') return [['arguments', ...names]];
      return root === 'input' || root === 'arguments' ? [path] : [];
    }),
  );

const ofPolicy: ReadonlySet<string> = new Set(['session', 'params', 'lists', 'vars', 'counters']);

/** Parts of the subject: roots such as `input`, and fields of the session (all of them when it is read as a whole). */
export function pathsRead(expressions: CheckedExpressions): Set<string> {
  const paths = new Set<string>();
  for (const { reads } of reachable(expressions)) {
    for (const [root] of reads) {
      if (root !== undefined && !ofPolicy.has(root)) paths.add(root);
    }
  }
  for (const field of fieldsReached(expressions, 'session') ?? sessionFields) paths.add(`session.${field}`);
  const all = [...reachable(expressions)];
  // Repeats of earlier actions, too: they are known only for actions that were looked up.
  if (paths.has('session.recentActions') && all.some(({ source }) => source.includes('repeats')))
    paths.add('session.repeats');
  for (const expression of all) if (asksSeen(expression)) paths.add('seen');
  // A variable may have found the sightings that another expression reads.
  if (paths.has('seen') && all.some(asksAuthors)) paths.add('seen.byOthers');
  return paths;
}

/** How much of a call a condition reads: its tool alone, its target as well (AuthZEN's subject, resource and context), or more. */
export type CallRead = 'tool' | 'target' | 'arguments';

/** Fields that are known of a call only once it is made. */
const ofCall: ReadonlySet<string> = new Set([
  'input',
  'arguments',
  'call',
  'targetKey',
  'destinations',
  'identifiers',
  'dataTags',
  'detections',
  'cost',
  'result',
]);

/** Members of an input that name who acts on what, beside the arguments. */
const ofTarget: ReadonlySet<string> = new Set(['tool', 'subject', 'resource', 'context']);

/** How much of a call the condition of a rule reads, itself or through variables and counters. */
export function callRead({ rules, variables, counters }: CheckedExpressions, index: number): CallRead {
  const all = reachable({ rules: rules.slice(index, index + 1), variables, counters: new Map() });
  const isCounted = [...all].some(({ reads }) => reads.some(([root]) => root === 'counters'));
  const read = isCounted ? reachable({ rules: rules.slice(index, index + 1), variables, counters }) : all;
  let most: CallRead = 'tool';
  for (const expression of read) {
    if (asksSeen(expression) || expression.source.includes('repeats')) return 'arguments';
    for (const [root = '', field = ''] of expression.reads) {
      if (!ofCall.has(root)) continue;
      if (root !== 'targetKey' && !(root === 'input' && ofTarget.has(field))) return 'arguments';
      most = 'target';
    }
  }
  return most;
}

const sightingsRead = (expression: CheckedExpression): string[][] => [
  ...(asksSeen(expression) ? [['seen']] : []),
  ...(asksAuthors(expression) ? [['seen', 'byOthers']] : []),
];

/** The paths that the condition of each rule reads, itself and through variables: `input.amount` as `['input', 'amount']`. In the order of the rules. */
export function ruleReads(document: PolicyDocument): (readonly string[])[][] {
  const { rules, variables } = checkExpressions(expressionSource(document, new Set()), () => undefined);
  return rules.map(({ when }) => {
    const paths = new Map<string, readonly string[]>();
    const seen = new Set<CheckedExpression>();
    const open = [when as CheckedExpression];
    for (let next = open.pop(); next; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      for (const path of [...sightingsRead(next), ...next.reads])
        if (path[0] !== 'vars') paths.set(path.join('.'), path);
      for (const name of variablesRead(next, variables.keys())) {
        open.push(variables.get(name) as CheckedExpression);
      }
    }
    return [...paths.values()];
  });
}

/**
 * Every text that a policy could compare the name of a tool with: the tools of its rules, the texts in its params, lists and
 * expressions. A session counts these under their own names, however many names came before: an agent that makes up
 * names must not hide the tools that a policy looks for.
 */
export function namesMentioned(
  document: PolicyDocument,
  checked: CheckedExpressions,
  params: Readonly<Record<string, unknown>>,
  lists: ListEntries,
): ReadonlySet<string> {
  const names = new Set(document.rules.flatMap(({ tool }) => tool ?? []));
  const open: unknown[] = [...Object.values(params), ...Object.values(lists)];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') names.add(value);
    else if (typeof value === 'object' && value !== null)
      open.push(...Object.keys(value), ...Object.values(value));
  }
  const expressions = [
    ...checked.variables.values(),
    ...checked.rules.flatMap(({ when, message = [] }) => [when, ...message]),
  ];
  for (const expression of expressions) {
    if (expression === undefined || typeof expression === 'string') continue;
    const nodes = [expression.root];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (node.kind === 'literal' && typeof node.value === 'string') names.add(node.value);
      nodes.push(...childrenOf(node));
    }
  }
  return new Set([...names].map(normalized));
}
