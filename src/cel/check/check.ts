import type {
  BindNode,
  CallNode,
  ConditionalNode,
  ListNode,
  MacroNode,
  MapNode,
  NameNode,
  Node,
  OperatorNode,
} from '../ast.ts';
import { A, type CelEnvironment, defaultLimits, instantiate, type Signature } from '../environment.ts';

import { type CelIssue, locate, type UnplacedIssue } from '../issue.ts';
import { parse } from '../parse/parser.ts';
import { type CelType, type TypeVariable, typeName, types } from '../type.ts';
import type { TypeValue } from '../value.ts';
import { checkIndex, checkName, checkSelect } from './access.ts';
import { checkCall } from './call.ts';
import { type CallPlan, Checking, type Scope } from './checking.ts';
import { worstCase } from './cost.ts';
import { asMap } from './inference.ts';
import { negationSignatures, operatorSignatures } from './operators.ts';

function checkBind(checking: Checking, node: BindNode, scope: Scope | null): CelType {
  const type = checking.visit(node.value, scope);
  return checking.visit(node.body, checking.bind(node.variable, type, scope));
}

/** The range that a macro iterates over: the type of its variable, and of both when it has two. */
interface Range {
  readonly one: CelType;
  readonly two: readonly [CelType, CelType];
}

function checkMacro(checking: Checking, node: MacroNode, outer: Scope | null): CelType {
  const range = rangeOf(checking, node, checking.visit(node.range, outer));
  const [first, second] = node.variables as [NameNode, NameNode | undefined];
  const scope =
    second === undefined
      ? checking.bind(first, range.one, outer)
      : checking.bind(second, range.two[1], checking.bind(first, range.two[0], outer));
  if (node.filter !== null) {
    checking.expect(
      node.filter,
      checking.visit(node.filter, scope),
      types.bool,
      `the condition of ${node.macro}`,
    );
  }
  return resultOf(checking, node, range, checking.visit(node.body, scope));
}

function rangeOf(checking: Checking, node: MacroNode, given: CelType): Range {
  const substituted = checking.inference.substitute(given);
  const type = substituted.kind === 'object' ? asMap(substituted) : substituted;
  const onOptional = node.macro === 'optMap' || node.macro === 'optFlatMap';
  if (type.kind === 'optional' && onOptional) return { one: type.value, two: [type.value, type.value] };
  if (type.kind === 'list' && !onOptional) return { one: type.element, two: [types.int, type.element] };
  if (type.kind === 'map' && !onOptional && node.macro !== 'sortBy') {
    return { one: type.key, two: [type.key, type.value] };
  }
  if (type.kind !== 'dyn' && type.kind !== 'variable') {
    const wanted = onOptional ? 'an optional' : node.macro === 'sortBy' ? 'a list' : 'a list or a map';
    checking.report(
      'type_mismatch',
      `${node.macro} of ${checking.name(type)}, expected ${wanted}`,
      node.range,
    );
  }
  return { one: types.dyn, two: [types.dyn, types.dyn] };
}

function resultOf(checking: Checking, node: MacroNode, range: Range, body: CelType): CelType {
  switch (node.macro) {
    case 'all':
    case 'exists':
    case 'existsOne':
      checking.expect(node.body, body, types.bool, `the condition of ${node.macro}`);
      return types.bool;
    case 'filter':
      checking.expect(node.body, body, types.bool, 'the condition of filter');
      return types.list(range.one);
    case 'map':
    case 'transformList':
      return types.list(body);
    case 'transformMap':
      return { kind: 'map', key: range.two[0], value: body };
    case 'transformMapEntry':
      checking.expect(node.body, body, anyMap(checking), 'the body of transformMapEntry');
      return body;
    case 'sortBy':
      return types.list(range.one);
    case 'optMap':
      return types.optional(body);
    case 'optFlatMap':
      checking.expect(node.body, body, types.optional(checking.inference.fresh()), 'the body of optFlatMap');
      return body;
  }
}

const anyMap = ({ inference }: Checking): CelType => ({
  kind: 'map',
  key: inference.fresh(),
  value: inference.fresh(),
});

function checkOperator(checking: Checking, node: OperatorNode, scope: Scope | null): CelType {
  const operands = node.operands.map((operand) => checking.visit(operand, scope));
  const negation = node.operator === '-' && operands.length === 1;
  const signatures = negation ? negationSignatures : operatorSignatures[node.operator];
  const resolved = checking.resolve(signatures, operands);
  if (resolved !== null) {
    // Numbers of unknown type mix with all others, so an int on the other side does not make the result an int.
    const isUntyped = operands.some((type) => checking.inference.substitute(type).kind === 'dyn');
    return isUntyped && resolved.result.kind === 'int' ? types.dyn : resolved.result;
  }
  const [left, right] = operands as [CelType, CelType | undefined];
  if (right === undefined) {
    const message = `found ${node.operator}${checking.name(left)}, expected ${listed(signatures.map(({ params }) => params[0] as CelType))}`;
    checking.report('type_mismatch', message, node);
  } else reportBinary(checking, node, left, right, signatures);
  return (signatures[0] as Signature).result === types.bool ? types.bool : types.dyn;
}

function reportBinary(
  checking: Checking,
  node: OperatorNode,
  left: CelType,
  right: CelType,
  signatures: readonly Signature[],
): void {
  const { operator } = node;
  const found = `${checking.name(left)} ${operator} ${checking.name(right)}`;
  if (operator === '==' || operator === '!=') {
    const verdict = operator === '==' ? 'never true' : 'always true';
    const message = `${found} is ${verdict}: the types share no value`;
    checking.report('never_true', message, node, conversion(checking, left, right));
    return;
  }
  if (operator === 'in') {
    const message = `found ${found}, expected an element in a list, or a key in a map`;
    const hint =
      checking.name(right) === 'string' ? 'for a part of a text, write text.contains(part)' : undefined;
    checking.report('type_mismatch', message, node, hint);
    return;
  }
  const all = signatures.map(({ params }) => params as readonly [CelType, CelType]);
  const fitting = all.filter(([first]) => fitsForm(checking, left, first));
  const forms = (fitting.length > 0 ? fitting : all).map(
    ([a, b]) => `${typeName(a)} ${operator} ${typeName(b)}`,
  );
  const message = `found ${found}, expected ${[...new Set(forms)].join(' or ')}`;
  checking.report('type_mismatch', message, node, conversion(checking, left, right));
}

/** Whether a type fits the first parameter of an overload; its type variables stay unbound. */
function fitsForm(checking: Checking, type: CelType, form: CelType): boolean {
  const fresh = (): TypeVariable => checking.inference.fresh();
  const { params } = instantiate({ params: [form], result: types.dyn }, fresh);
  return checking.inference.assignAll([type], params);
}

const CONVERSIONS: Readonly<Record<string, string>> = {
  'int double': 'write a double such as 2.0, or double(…)',
  'double int': 'write a double such as 2.0, or double(…)',
  'string int': 'convert with string(…) or int(…)',
  'int string': 'convert with string(…) or int(…)',
  'string double': 'convert with string(…) or double(…)',
  'double string': 'convert with string(…) or double(…)',
  'string timestamp': 'convert with timestamp("2026-01-31T00:00:00Z")',
  'timestamp string': 'convert with timestamp("2026-01-31T00:00:00Z")',
  'string duration': 'convert with duration("1h30m")',
  'duration string': 'convert with duration("1h30m")',
  'string bool': 'write true or false without quotes',
  'bool string': 'write true or false without quotes',
};

const conversion = (checking: Checking, left: CelType, right: CelType): string | undefined =>
  CONVERSIONS[`${checking.name(left)} ${checking.name(right)}`];

const listed = (all: readonly CelType[]): string => all.map(typeName).join(' or ');

function checkConditional(checking: Checking, node: ConditionalNode, scope: Scope | null): CelType {
  const condition = checking.visit(node.condition, scope);
  checking.expect(node.condition, condition, types.bool, 'the condition before "?"');
  const yes = checking.visit(node.yes, scope);
  const no = checking.visit(node.no, scope);
  const resolved = checking.resolve([{ params: [A, A], result: A }], [yes, no]);
  if (resolved !== null) return resolved.result;
  const message = `the branches are ${checking.name(yes)} and ${checking.name(no)}, expected one type`;
  return checking.report('type_mismatch', message, node, 'convert one, or wrap both in dyn(…)');
}

function checkList(checking: Checking, node: ListNode, scope: Scope | null): CelType {
  let joined: CelType | null = null;
  for (const { node: element, optional } of node.elements) {
    const type = elementType(checking, element, optional, scope);
    joined = joined === null ? type : checking.inference.join(joined, type);
  }
  return types.list(joined ?? checking.inference.fresh());
}

function checkMap(checking: Checking, node: MapNode, scope: Scope | null): CelType {
  let keys: CelType | null = null;
  let values: CelType | null = null;
  for (const { key, value } of node.entries) {
    const keyType = checkKey(checking, key, scope);
    const valueType = elementType(checking, value.node, value.optional, scope);
    keys = keys === null ? keyType : checking.inference.join(keys, keyType);
    values = values === null ? valueType : checking.inference.join(values, valueType);
  }
  const { inference } = checking;
  return { kind: 'map', key: keys ?? inference.fresh(), value: values ?? inference.fresh() };
}

const KEYS: ReadonlySet<string> = new Set(['string', 'int', 'bool', 'dyn']);

// With keys of any type, a type could double in size at each level: {m: m}.
function checkKey(checking: Checking, node: Node, scope: Scope | null): CelType {
  const type = checking.inference.settle(checking.visit(node, scope));
  if (KEYS.has(type.kind)) return type;
  const message = `a key of a map is ${typeName(type)}, expected string, int or bool`;
  return checking.report('type_mismatch', message, node, 'use string(…)');
}

function elementType(checking: Checking, node: Node, optional: boolean, scope: Scope | null): CelType {
  const type = checking.visit(node, scope);
  if (!optional) return type;
  const inner = checking.inference.fresh();
  checking.expect(node, type, types.optional(inner), 'an element after "?"');
  return inner;
}

/** Bytes of a text in UTF-8; half a surrogate pair counts as the three bytes of its replacement. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** An expression that has passed every check, to be compiled by compile(). */
export interface CheckedExpression {
  readonly source: string;
  readonly type: CelType;
  /**
   * Paths read from the variables, as `['session', 'toolCounts']`, sorted and without repetition. A path includes
   * everything below it: the caller need not provide anything else.
   */
  readonly reads: readonly (readonly string[])[];
  /** Sources of its regular expressions, without repetition. */
  readonly patterns: readonly string[];
  /** Worst-case steps, under the sizes cost.ts assumes. */
  readonly cost: number;
  /** Nodes of the tree: the least that a run takes from the budget. */
  readonly nodeCount: number;
  readonly root: Node;
  readonly types: ReadonlyMap<Node, CelType>;
  readonly calls: ReadonlyMap<CallNode, CallPlan>;
  readonly slots: ReadonlyMap<NameNode, number>;
  readonly slotCount: number;
  readonly typeNames: ReadonlyMap<Node, TypeValue>;
}

export type CheckResult = { ok: true; expression: CheckedExpression } | { ok: false; issues: CelIssue[] };

/**
 * Checks an expression against an environment, and its result against a type when one is expected. Returns all issues
 * at once, in the order of the source. Never throws; the same text always has the same result.
 */
export function check(source: string, environment: CelEnvironment, expected?: CelType): CheckResult {
  const limits = { ...defaultLimits, ...environment.limits };
  const refuse = (found: readonly UnplacedIssue[]): CheckResult => ({
    ok: false,
    issues: found.map((issue) => locate(source, issue)).sort((left, right) => left.offset - right.offset),
  });
  const size = utf8Length(source);
  if (size > limits.sourceBytes) {
    const message = `the expression has ${size} bytes, where ${limits.sourceBytes} are allowed`;
    return refuse([{ code: 'source_too_long', message, at: { start: 0, end: source.length } }]);
  }
  const parsed = parse(source, limits);
  if (!parsed.ok) return refuse([parsed.issue]);
  const { root, nodeCount } = parsed;
  const checking = new Checking(environment, limits, checkNode);
  const found = checking.visit(root, null);
  if (expected !== undefined && !checking.inference.assign(found, expected)) {
    const message = `the expression is ${checking.name(found)}, expected ${typeName(expected)}`;
    const hint = expected.kind === 'bool' ? 'compare it with something' : undefined;
    checking.report('result_type', message, root, hint);
  }
  if (checking.issues.length > 0) return refuse(checking.issues);
  const { calls, slots, slotCount, typeNames, inference } = checking;
  const settled = new Map([...checking.types].map(([node, type]) => [node, inference.settle(type)]));
  const cost = worstCase(root, { types: settled, calls, slots });
  if (cost > limits.cost) {
    const message = `the expression may take ${cost} steps, where ${limits.cost} are allowed`;
    const hint = 'nest fewer macros, or filter a list before going through it again';
    return refuse([{ code: 'too_costly', message, hint, at: root }]);
  }
  const reads = uniquePaths(checking.paths.values());
  const patterns = patternsOf(calls.values());
  const type = inference.settle(found);
  return {
    ok: true,
    expression: {
      source,
      type,
      reads,
      patterns,
      cost,
      nodeCount,
      root,
      types: settled,
      calls,
      slots,
      slotCount,
      typeNames,
    },
  };
}

function checkNode(checking: Checking, node: Node, scope: Scope | null): CelType {
  switch (node.kind) {
    case 'literal':
      return types[node.type];
    case 'name':
      return checkName(checking, node, scope);
    case 'select':
      return checkSelect(checking, node, scope);
    case 'index':
      return checkIndex(checking, node, scope);
    case 'call':
      return checkCall(checking, node, scope);
    case 'operator':
      return checkOperator(checking, node, scope);
    case 'conditional':
      return checkConditional(checking, node, scope);
    case 'list':
      return checkList(checking, node, scope);
    case 'map':
      return checkMap(checking, node, scope);
    case 'macro':
      return checkMacro(checking, node, scope);
    case 'bind':
      return checkBind(checking, node, scope);
  }
}

function patternsOf(calls: Iterable<CallPlan>): string[] {
  const patterns = [...calls].flatMap((call) =>
    'pattern' in call && call.pattern ? [call.pattern.source] : [],
  );
  return [...new Set(patterns)];
}

function uniquePaths(paths: Iterable<readonly string[]>): (readonly string[])[] {
  const unique = new Map([...paths].map((path) => [JSON.stringify(path), path]));
  return [...unique].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, path]) => path);
}
