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

export function createSightings(earlier: readonly StoredEvaluation[]): Sightings {
  const through = earlier.filter(({ enforcementAction }) => letsThrough(enforcementAction));
  const seqs = new Map(through.map(({ id, seq }) => [id, seq]));
  const mentions = through.map(({ input, targetKey, phase }) =>
    mentionsIn([input === null ? null : parseJson(input), targetKey], phase),
  );
  const isComplete = through.every(({ input }) => input !== null) && !mentions.includes(null);
  return (value) => {
    const identifier = identifierOf(value);
    const found = through.filter((_, place) => identifier !== null && mentions[place]?.has(identifier));
    const places = found.map(({ seq, resultOf }) => seq ?? seqs.get(resultOf ?? '') ?? null);
    return { found: found.length > 0, actions: places.filter((seq) => seq !== null), isComplete };
  };
}
