import type { BindNode, MacroNode, NameNode } from './ast.ts';
import type { Checking, Scope } from './checking.ts';
import { asMap } from './inference.ts';
import { type CelType, types } from './type.ts';

export function checkBind(checking: Checking, node: BindNode, scope: Scope | null): CelType {
  const type = checking.visit(node.value, scope);
  return checking.visit(node.body, checking.bind(node.variable, type, scope));
}

/** What a macro iterates over: the type of its variable, and of both when it has two. */
interface Range {
  readonly one: CelType;
  readonly two: readonly [CelType, CelType];
}

export function checkMacro(checking: Checking, node: MacroNode, outer: Scope | null): CelType {
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
