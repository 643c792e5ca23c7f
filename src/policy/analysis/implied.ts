import { canonical, type Known, operandsOf, type Part } from './canonical.ts';
import { type Comparison, comparisonOf } from './comparisons.ts';

/** The parts of a condition that must all hold, ready to be compared with those of others. */
export interface Requirements {
  readonly parts: readonly { readonly text: string; readonly limit: Comparison | null }[];
  readonly texts: ReadonlySet<string>;
  /** Comparisons with numbers, by what they compare. */
  readonly limits: ReadonlyMap<string, readonly Comparison[]>;
}

export function requirementsOf(condition: Part, known: Known): Requirements {
  const parts = operandsOf(condition, '&&', known).map((part) => {
    const comparison = comparisonOf(part, known);
    const limit = typeof comparison?.constant === 'number' ? comparison : null;
    return { text: canonical(part, known), limit };
  });
  const limits = parts.flatMap(({ limit }) => limit ?? []);
  return {
    parts,
    texts: new Set(parts.map(({ text }) => text)),
    limits: Map.groupBy(limits, ({ key }) => key),
  };
}

/** Whether `broad` holds whenever `narrow` does: each of its parts is one of `narrow`, or a looser limit on the same. */
export const implies = (narrow: Requirements, broad: Requirements): boolean =>
  broad.parts.every(
    ({ text, limit }) =>
      narrow.texts.has(text) ||
      (limit !== null && (narrow.limits.get(limit.key) ?? []).some((given) => isLooser(limit, given))),
  );

function isLooser({ operator, constant }: Comparison, given: Comparison): boolean {
  const [wanted, most] = [constant as number, given.constant as number];
  switch (operator) {
    case '>=':
      return (given.operator === '>' || isLower(given.operator)) && most >= wanted;
    case '>':
      return given.operator === '>' ? most >= wanted : isLower(given.operator) && most > wanted;
    case '<=':
      return (given.operator === '<' || isUpper(given.operator)) && most <= wanted;
    case '<':
      return given.operator === '<' ? most <= wanted : isUpper(given.operator) && most < wanted;
    default:
      return false;
  }
}

const isLower = (operator: Comparison['operator']): boolean => operator === '>=' || operator === '==';
const isUpper = (operator: Comparison['operator']): boolean => operator === '<=' || operator === '==';

/** Whether a condition contains `a != x || a != y`, which holds whatever `a` is. */
export function alwaysDiffers(part: Part, known: Known): boolean {
  const either = operandsOf(part, '||', known);
  if (either.length < 2) {
    const both = operandsOf(part, '&&', known);
    return both.length > 1 && both.some((one) => alwaysDiffers(one, known));
  }
  const different = either
    .flatMap((one) => comparisonOf(one, known) ?? [])
    .filter(({ operator }) => operator === '!=');
  const excluded = new Map<string, unknown>();
  for (const { key, constant } of different) {
    if (excluded.has(key) && excluded.get(key) !== constant) return true;
    excluded.set(key, constant);
  }
  return either.some((one) => operandsOf(one, '&&', known).length > 1 && alwaysDiffers(one, known));
}
