import type { Node } from './ast.ts';

/** The nodes directly below a node. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'select':
      return [node.operand];
    case 'index':
      return [node.operand, node.key];
    case 'call':
      return node.target === null ? node.args : [node.target, ...node.args];
    case 'operator':
      return node.operands;
    case 'conditional':
      return [node.condition, node.yes, node.no];
    case 'list':
      return node.elements.map((element) => element.node);
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value.node]);
    case 'macro':
      return node.filter === null ? [node.range, node.body] : [node.range, node.filter, node.body];
    case 'bind':
      return [node.value, node.body];
  }
}

export function countNodes(root: Node): number {
  return childrenOf(root).reduce((total, child) => total + countNodes(child), 1);
}
