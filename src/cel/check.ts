import type { CallNode, NameNode, Node } from './ast.ts';
import type { CelEnvironment } from './cel-environment.ts';
import { checkIndex, checkName, checkSelect } from './check-access.ts';
import { checkCall } from './check-call.ts';
import { checkBind, checkMacro } from './check-macro.ts';
import { checkConditional, checkList, checkMap, checkOperator } from './check-operator.ts';
import { type CallPlan, Checking, type Scope } from './checking.ts';
import { worstCase } from './cost.ts';
import { type CelIssue, locate, type UnplacedIssue } from './issue.ts';
import { defaultLimits } from './limits.ts';
import { parse } from './parser.ts';
import { type CelType, typeName, types } from './type.ts';
import type { TypeValue } from './type-value.ts';
import { utf8Length } from './utf8-length.ts';

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
