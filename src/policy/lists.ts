import { childrenOf, type NameNode, type Node } from '../cel/ast.ts';
import { CelError, type CelType, type CheckedExpression, types } from '../cel/index.ts';

/** The entries of shared lists, by name. */
export type ListEntries = Readonly<Record<string, readonly string[]>>;

/** In place of the lists where a document is looked at without any. */
export const unknownLists = new CelError('no_such_variable', 'the shared lists are not known yet');

/** `names`: of every list there is; null when they are not known, so that any name may be one. */
export const listsType = (names: readonly string[] | null): CelType =>
  names === null
    ? types.map(types.list(types.string))
    : types.object(
        'lists',
        Object.fromEntries(names.map((name) => [name, types.list(types.string)])),
        toCreate,
      );

const toCreate =
  'a shared list must exist before a policy reads it: create it with POST /v1/lists or assize lists create';

/** Where an expression uses `lists` other than to read one by its name: which ones it reads has to be known before it runs. */
export function misusedLists({
  root,
  slots,
}: CheckedExpression): { offset: number; message: string; hint: string }[] {
  const found: { offset: number; message: string; hint: string }[] = [];
  const isLists = (node: Node): node is NameNode =>
    node.kind === 'name' && node.name === 'lists' && !slots.has(node);
  const look = (node: Node, parent: Node | null): void => {
    if (isLists(node) && !(parent?.kind === 'select' && !parent.test && !parent.optional)) {
      const message = 'the shared lists can only be read by name';
      found.push({ offset: node.start, message, hint: 'write lists.NAME' });
    }
    for (const child of childrenOf(node)) look(child, node);
  };
  look(root, null);
  return found;
}
