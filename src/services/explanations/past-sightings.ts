import { parseJson } from '../../json/parse.ts';
import { identifierOf, mentionsIn } from '../../policy/mentions.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { StoredEvaluation } from '../../store/store.ts';

/** Where an identifier was seen: in what was let through, and what came back from it. */
export type Sightings = (value: string) => {
  found: boolean;
  /** A PROMPT has no place. */
  actions: number[];
  /** Whether all content was kept. */
  isComplete: boolean;
};

export const noSightings: Sightings = () => ({ found: false, actions: [], isComplete: false });

/** Pauses after each evaluation. */
export function* readingSightings(earlier: readonly StoredEvaluation[]): Generator<void, Sightings> {
  const through = earlier.filter(({ enforcementAction }) => letsThrough(enforcementAction));
  const seqs = new Map(through.map(({ id, seq }) => [id, seq]));
  const places = new Map<string, (number | null)[]>();
  let isComplete = true;
  for (const { input, targetKey, phase, seq, resultOf } of through) {
    const mentions = mentionsIn([input === null ? null : parseJson(input), targetKey], phase);
    if (input === null || mentions === null) isComplete = false;
    for (const identifier of mentions?.keys() ?? []) {
      const known = places.get(identifier) ?? [];
      known.push(seq ?? seqs.get(resultOf ?? '') ?? null);
      places.set(identifier, known);
    }
    yield;
  }
  return (value) => {
    const identifier = identifierOf(value);
    const found = (identifier === null ? undefined : places.get(identifier)) ?? [];
    return { found: found.length > 0, actions: found.filter((seq) => seq !== null), isComplete };
  };
}
