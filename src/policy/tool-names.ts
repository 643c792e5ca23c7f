import { childrenOf } from '../cel/ast.ts';
import { otherTools } from '../features/sessions/words.ts';
import type { PolicyDocument } from '../schemas/policy-documents.ts';
import type { CheckedExpressions } from './expressions.ts';
import type { ListEntries } from './lists.ts';
import { normalized } from './tool-of.ts';

/**
 * Every text that a policy could compare the name of a tool with: the tools of its rules, the texts in its params, lists and
 * expressions. A session counts these under their own names, however many names came before: an agent that makes up
 * names must not hide the tools that a policy looks for.
 */
export function namesMentioned(
  document: PolicyDocument,
  checked: CheckedExpressions,
  params: Readonly<Record<string, unknown>>,
  lists: ListEntries,
): ReadonlySet<string> {
  const names = new Set(document.rules.flatMap(({ tool }) => tool ?? []));
  const open: unknown[] = [...Object.values(params), ...Object.values(lists)];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') names.add(value);
    else if (typeof value === 'object' && value !== null)
      open.push(...Object.keys(value), ...Object.values(value));
  }
  const expressions = [
    ...checked.variables.values(),
    ...checked.rules.flatMap(({ when, message = [] }) => [when, ...message]),
  ];
  for (const expression of expressions) {
    if (expression === undefined || typeof expression === 'string') continue;
    const nodes = [expression.root];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (node.kind === 'literal' && typeof node.value === 'string') names.add(node.value);
      nodes.push(...childrenOf(node));
    }
  }
  return new Set([...names].map(normalized));
}

/**
 * The counts as rules read them. In a session with more names than it keeps, a name that is not kept may be one of
 * those counted under `(other)`, so it reads as their count: a limit holds early rather than never.
 */
export function countsSeen(
  counts: ReadonlyMap<string, number>,
  mentioned: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const other = counts.get(otherTools);
  return other === undefined ? counts : new OverflowedCounts(counts, mentioned, other);
}

/**
 * The names as rules read them. With the name of this action when it may be one of those counted under `(other)`: `tool in
 * session.toolsUsed` holds early, too.
 */
export function namesSeen(
  counts: ReadonlyMap<string, number>,
  tool: string,
  mentioned: ReadonlySet<string>,
): readonly string[] {
  const isUnknown = counts.has(otherTools) && tool !== '' && !counts.has(tool) && !mentioned.has(tool);
  return isUnknown ? [...counts.keys(), tool] : [...counts.keys()];
}

/** Iterating shows the entries as they are; only looking a name up differs. */
class OverflowedCounts extends Map<string, number> {
  readonly #mentioned: ReadonlySet<string>;
  readonly #other: number;

  constructor(counts: ReadonlyMap<string, number>, mentioned: ReadonlySet<string>, other: number) {
    super(counts);
    this.#mentioned = mentioned;
    this.#other = other;
  }
  override get(name: string): number | undefined {
    return super.get(name) ?? (this.#mentioned.has(name) ? undefined : this.#other);
  }
  override has(name: string): boolean {
    return this.get(name) !== undefined;
  }
}
