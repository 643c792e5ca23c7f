import { kinds } from './kinds/index.ts';

export type { Strength } from './hits.ts';

export interface TagInfo {
  tag: string;
  /** Categories a finding of this tag adds, most general first. */
  categories: readonly string[];
  /** Off unless an integration turns it on. */
  optIn?: boolean;
}

/** Every built-in tag, in the order findings are counted. */
export const taxonomy: readonly TagInfo[] = kinds.map(({ tag, categories, optIn }) =>
  optIn ? { tag, categories, optIn } : { tag, categories },
);

const ids = new Map(taxonomy.map(({ tag }, id) => [tag, id]));

/** The number a tag has inside the scanner. Throws a RangeError on a name the taxonomy does not have. */
export function tagId(tag: string): number {
  const id = ids.get(tag);
  if (id === undefined) throw new RangeError(`no such tag: ${tag}`);
  return id;
}
