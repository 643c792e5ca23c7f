import type { Hit } from '../resolve.ts';
import { masked } from './mask.ts';

/** Where a leaf is: its JSON Pointer (RFC 6901), and whether it is the key and not the value there. */
export interface Place {
  path: string;
  key: boolean;
}

/** Findings by leaf. */
export function byLeaf(hits: readonly Hit[]): Map<number, Hit[]> {
  const leaves = new Map<number, Hit[]>();
  for (const hit of hits) {
    const same = leaves.get(hit.leaf);
    if (same === undefined) leaves.set(hit.leaf, [hit]);
    else same.push(hit);
  }
  return leaves;
}

/**
 * The places of leaves that have findings. A key that holds a value is masked in every path it is part of: a path is
 * shown where the value must not be.
 */
export function locate(
  input: unknown,
  leaves: ReadonlyMap<number, Hit[]>,
  tags: readonly string[],
): Map<number, Place> {
  const places = new Map<number, Place>();
  let leaf = 0;
  const note = (path: string, key: boolean): void => {
    leaf++;
    if (leaves.has(leaf)) places.set(leaf, { path, key });
  };
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      note(path, false);
    else if (Array.isArray(value)) {
      note(path, false);
      for (let i = 0; i < value.length; i++) visit(value[i], `${path}/${i}`);
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        const shown = masked(key, leaves.get(leaf + 1), tags);
        const member = `${path}/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        note(member, true);
        visit((value as Record<string, unknown>)[key], member);
      }
    }
  };
  visit(input, '');
  return places;
}
