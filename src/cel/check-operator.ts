import type { ConditionalNode, ListNode, MapNode, Node, OperatorNode } from './ast.ts';
import type { Checking, Scope } from './checking.ts';
import { A, instantiate, type Signature } from './declaration.ts';
import { negationSignatures, operatorSignatures } from './operators.ts';
import { type CelType, type TypeVariable, typeName, types } from './type.ts';

export function checkOperator(checking: Checking, node: OperatorNode, scope: Scope | null): CelType {
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

export function checkConditional(checking: Checking, node: ConditionalNode, scope: Scope | null): CelType {
  const condition = checking.visit(node.condition, scope);
  checking.expect(node.condition, condition, types.bool, 'the condition before "?"');
  const yes = checking.visit(node.yes, scope);
  const no = checking.visit(node.no, scope);
  const resolved = checking.resolve([{ params: [A, A], result: A }], [yes, no]);
  if (resolved !== null) return resolved.result;
  const message = `the branches are ${checking.name(yes)} and ${checking.name(no)}, expected one type`;
  return checking.report('type_mismatch', message, node, 'convert one, or wrap both in dyn(…)');
}

export function checkList(checking: Checking, node: ListNode, scope: Scope | null): CelType {
  let joined: CelType | null = null;
  for (const { node: element, optional } of node.elements) {
    const type = elementType(checking, element, optional, scope);
    joined = joined === null ? type : checking.inference.join(joined, type);
  }
  return types.list(joined ?? checking.inference.fresh());
}

export function checkMap(checking: Checking, node: MapNode, scope: Scope | null): CelType {
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
