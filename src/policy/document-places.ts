import { isMap, isScalar, isSeq } from 'yaml';
import { startOf } from './json-value.ts';
import type { DocumentPath } from './policy-issue.ts';
import { type ScalarSource, sourceOffset } from './scalar-offset.ts';

/** The offset of `path` in the source; of the nearest enclosing value when it does not exist (a missing key). */
export function offsetOf(
  root: unknown,
  source: string,
  path: DocumentPath,
  place: 'value' | 'key' | number,
): number {
  let node = root;
  let offset = startOf(node);
  for (const [index, step] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
      if (pair === undefined) return offset;
      if (place === 'key' && index === path.length - 1) return startOf(pair.key);
      node = pair.value;
      offset = startOf(isScalar(node) && node.source === '' ? pair.key : node);
    } else if (isSeq(node)) {
      node = node.items[step as number];
      offset = startOf(node);
    }
  }
  return typeof place === 'number' && isScalar(node) ? insideScalar(node, source, place) : offset;
}

const styles: Record<string, ScalarSource['style']> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

function insideScalar(
  node: { range?: readonly number[] | null; type?: string; value: unknown },
  source: string,
  inner: number,
): number {
  const [start, end] = node.range as readonly [number, number];
  const style = styles[node.type as string] as ScalarSource['style'];
  return sourceOffset({ source, start, end, style, value: String(node.value) }, inner);
}
