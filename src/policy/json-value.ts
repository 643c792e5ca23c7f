import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { DocumentPath } from './policy-issue.ts';

/** Deepest nesting of collections, the outermost included. */
export const maxDepth = 32;

/** As many as an integer of a request may have. */
const maxDigits = 1_024;

/** Called for everything that is not JSON: offset in the source, path, error code, message. */
export type Refuse = (offset: number, path: DocumentPath, code: string, message: string) => void;

/** The plain value of a composed YAML node. */
export function jsonValue(node: unknown, path: DocumentPath, refuse: Refuse): unknown {
  const start = startOf(node);
  if (isAlias(node)) refuse(start, path, 'unsupported_yaml', 'aliases are not supported');
  refuseDecoration(node, path, refuse);
  if ((isSeq(node) || isMap(node)) && path.length >= maxDepth) {
    return void refuse(start, path, 'too_deep', `nests deeper than ${maxDepth} levels`);
  }
  if (isSeq(node)) return node.items.map((item, index) => jsonValue(item, [...path, index], refuse));
  if (isMap(node)) return objectOf(node, path, refuse);
  const value = isScalar(node) ? node.value : null;
  if (typeof value === 'bigint') return integer(value, node, path, refuse);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    refuse(start, path, 'not_json', 'the number is not one that JSON can carry');
  }
  return value;
}

function objectOf({ items }: YAMLMap, path: DocumentPath, refuse: Refuse): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const pair of items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const here = [...path, key];
    refuseDecoration(pair.key, here, refuse);
    // Assigned to an ordinary object it would replace the prototype instead of adding a key.
    if (key === '__proto__') refuse(startOf(pair.key), here, 'forbidden_key', 'this key is not allowed');
    else if (Object.hasOwn(object, key)) {
      refuse(startOf(pair.key), here, 'duplicate_key', 'the key is given twice');
    } else object[key] = jsonValue(pair.value, here, refuse);
  }
  return object;
}

/** As in JSON of a request: a number where that is exact, else a bigint. */
function integer(value: bigint, node: unknown, path: DocumentPath, refuse: Refuse): number | bigint {
  const double = Number(value);
  if (Number.isSafeInteger(double)) return double;
  const { source = '' } = node as { source?: string };
  if (source.length > maxDigits) {
    refuse(startOf(node), path, 'not_json', `the number has more than ${maxDigits} digits`);
  }
  return value;
}

function refuseDecoration(node: unknown, path: DocumentPath, refuse: Refuse): void {
  const { anchor, tag } = (node ?? {}) as { anchor?: string; tag?: string };
  if (anchor) refuse(startOf(node), path, 'unsupported_yaml', 'anchors are not supported');
  if (tag) refuse(startOf(node), path, 'unsupported_yaml', 'tags are not supported');
}

/** Where a node starts in the source; 0 for none. */
export function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}
