import type { IndexNode, NameNode, Node, SelectNode } from '../ast.ts';
import { didYouMean, listed } from '../suggest.ts';
import { type CelType, type ObjectType, types } from '../type.ts';
import { type TypeValue, typeValues } from '../value.ts';
import type { Checking, Scope } from './checking.ts';
import { asMap } from './inference.ts';
import { indexSignatures } from './operators.ts';

const ABSENT_TYPES = new Set(['uint', 'bytes']);

export function checkName(checking: Checking, node: NameNode, scope: Scope | null): CelType {
  const local = findLocal(node.name, scope);
  if (local !== null) {
    checking.slots.set(node, local.slot);
    return local.type;
  }
  const declared = checking.variables.get(node.name);
  if (declared !== undefined) {
    checking.paths.set(node, [node.name]);
    return declared;
  }
  const named = typeValues.get(node.name);
  if (named !== undefined) {
    checking.typeNames.set(node, named);
    return types.type;
  }
  if (ABSENT_TYPES.has(node.name)) {
    const hint = `write ${node.name === 'uint' ? 'int' : 'string'}`;
    return checking.report('unsupported', `this profile has no type "${node.name}"`, node, hint);
  }
  const names = [...checking.variables.keys()];
  for (let one = scope; one !== null; one = one.outer) names.push(one.name);
  const hint =
    didYouMean(node.name, names) ?? `put texts in quotes: "${node.name}"; available here: ${listed(names)}`;
  return checking.report('unknown_variable', `unknown variable "${node.name}"`, node, hint);
}

export function findLocal(name: string, scope: Scope | null): Scope | null {
  for (let one = scope; one !== null; one = one.outer) if (one.name === name) return one;
  return null;
}

/** The name of a type in a package, such as `net.IP`; null for any other selection. */
function packagedType(checking: Checking, node: SelectNode, scope: Scope | null): TypeValue | null {
  if (node.test || node.optional) return null;
  const parts: string[] = [];
  let root: Node = node;
  for (; root.kind === 'select'; root = root.operand) parts.unshift(root.field);
  if (root.kind !== 'name' || findLocal(root.name, scope) !== null || checking.variables.has(root.name))
    return null;
  return typeValues.get([root.name, ...parts].join('.')) ?? null;
}

export function checkSelect(checking: Checking, node: SelectNode, scope: Scope | null): CelType {
  const named = packagedType(checking, node, scope);
  if (named !== null) {
    checking.typeNames.set(node, named);
    return types.type;
  }
  const operand = checking.inference.substitute(checking.visit(node.operand, scope));
  const inOptional = operand.kind === 'optional';
  const inner = inOptional ? checking.inference.substitute(operand.value) : operand;
  const field = fieldType(checking, inner, node);
  extendPath(checking, node, node.operand, node.field);
  if (node.test) return types.bool;
  return inOptional || node.optional ? types.optional(field) : field;
}

function fieldType(checking: Checking, type: CelType, { field, at }: SelectNode): CelType {
  switch (type.kind) {
    case 'dyn':
    case 'variable':
      return types.dyn;
    case 'map':
      checking.inference.assign(types.string, type.key);
      return type.value;
    case 'object':
      return type.fields.get(field) ?? unknownField(checking, type, field, at);
    default: {
      const found = checking.name(type);
      return checking.report(
        'type_mismatch',
        `${found} has no fields, found ".${field}"`,
        at,
        FIELDLESS[type.kind],
      );
    }
  }
}

const FIELDLESS: Readonly<Record<string, string>> = {
  list: 'use [0], or a macro such as exists(x, …)',
  timestamp: 'call a function, such as getHours()',
  duration: 'call a function, such as getSeconds()',
  string: 'call a function, such as size()',
};

function unknownField(
  checking: Checking,
  type: ObjectType,
  field: string,
  at: { start: number; end: number },
): CelType {
  const names = [...type.fields.keys()];
  const fields = names.length > 0 ? `its fields: ${listed(names)}` : undefined;
  const hint = didYouMean(field, names) ?? type.hint ?? fields;
  return checking.report('unknown_field', `${type.name} has no field "${field}"`, at, hint);
}

export function checkIndex(checking: Checking, node: IndexNode, scope: Scope | null): CelType {
  const operand = checking.inference.substitute(checking.visit(node.operand, scope));
  const key = checking.visit(node.key, scope);
  const inOptional = operand.kind === 'optional';
  const inner = inOptional ? checking.inference.substitute(operand.value) : operand;
  const element = elementType(checking, inner, key, node);
  if (node.key.kind === 'literal' && typeof node.key.value === 'string') {
    extendPath(checking, node, node.operand, node.key.value);
  }
  return inOptional || node.optional ? types.optional(element) : element;
}

function elementType(checking: Checking, type: CelType, key: CelType, node: IndexNode): CelType {
  if (type.kind === 'object' && node.key.kind === 'literal' && typeof node.key.value === 'string') {
    return type.fields.get(node.key.value) ?? unknownField(checking, type, node.key.value, node.key);
  }
  const resolved = checking.resolve(indexSignatures, [type.kind === 'object' ? asMap(type) : type, key]);
  if (resolved !== null) return resolved.result;
  const found = `${checking.name(type)}[${checking.name(key)}]`;
  const message = `cannot index ${found}, expected a list with an int or a map with a key of its type`;
  const hint = type.kind === 'string' ? 'use charAt(i) or substring(i, j)' : undefined;
  return checking.report('type_mismatch', message, node, hint);
}

/** Moves the path noted for the operand one step further, to the node that reads it. */
function extendPath(checking: Checking, node: Node, operand: Node, step: string): void {
  const path = checking.paths.get(operand);
  if (path === undefined) return;
  checking.paths.delete(operand);
  checking.paths.set(node, [...path, step]);
}
