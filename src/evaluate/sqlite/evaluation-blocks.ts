import type { Sqlite } from '../../store/sqlite/database.ts';
import { hideValues } from '../../store/sqlite/hot-statement.ts';
import type { NewEvaluation, Verdict } from '../evaluation.ts';

/** The facets that evaluations are searched by. Never reorder them: databases hold their indices. */
export const facets = ['integration', 'tool', 'action', 'tag', 'rule'] as const;
export type Facet = (typeof facets)[number];
const integration = 0;
const tool = 1;
const action = 2;
const tag = 3;
const rule = 4;

/** Evaluations of a block: a search reads all of those in which what it looks for occurs. */
export const blockSize = 128;
export const blockOf = (evaluationRow: number): number => Math.floor(evaluationRow / blockSize);

/** Which values occur in which blocks. Synchronous: it runs inside a change or a read. */
export interface EvaluationBlocks {
  /** Adds the facets of an evaluation that is being recorded. */
  add(
    evaluationRow: number,
    integrationRow: number,
    evaluation: Pick<NewEvaluation, 'tool' | 'dataTags'>,
    verdict: Pick<Verdict, 'enforcementAction' | 'violations'>,
  ): void;
  /** The last block up to `block` in which all of the values occur; null when there is none. `steps` counts the looks, and `block` is where they ended. */
  last(
    values: readonly [Facet, string][],
    block: number,
    steps: { left: number; block: number },
  ): number | null;
}

/**
 * An index of each evaluation by each of these would slow every evaluation down. Here most cost nothing: a block is told
 * once of each value in it.
 */
export function createEvaluationBlocks({
  client,
  writer,
}: Pick<Sqlite, 'client' | 'writer'>): EvaluationBlocks {
  const insert = client.prepare<[number, string, number]>(
    hideValues('INSERT OR IGNORE INTO evaluation_blocks (facet, value, block) VALUES (?, ?, ?)'),
  );
  const lastUpTo = client
    .prepare<[number, string, number], number | null>(
      hideValues('SELECT max(block) FROM evaluation_blocks WHERE facet = ? AND value = ? AND block <= ?'),
    )
    .pluck();
  let block = -1;
  let seen = facets.map(() => new Set<string>());
  writer.onRollback(() => {
    block = -1;
  });

  function put(facet: number, value: string): void {
    const values = seen[facet] as Set<string>;
    if (values.has(value)) return;
    values.add(value);
    insert.run(facet, value, block);
  }

  return {
    add(evaluationRow, integrationRow, evaluation, { enforcementAction, violations }) {
      const current = blockOf(evaluationRow);
      if (current !== block) {
        block = current;
        seen = facets.map(() => new Set());
      }
      put(integration, String(integrationRow));
      put(tool, evaluation.tool);
      put(action, enforcementAction);
      for (const one of evaluation.dataTags) put(tag, one);
      for (const { ruleId } of violations) put(rule, ruleId);
    },

    last(values, from, steps) {
      let found: number | null = from;
      // Each value moves the block on; it is theirs when a whole round leaves it where it is.
      for (let agreed = 0, at = 0; agreed < values.length; at = (at + 1) % values.length) {
        const [facet, value] = values[at] as [Facet, string];
        steps.left -= 1;
        if (steps.left < 0) {
          steps.block = found as number;
          return null;
        }
        const block: number | null | undefined = lastUpTo.get(facets.indexOf(facet), value, found as number);
        if (block === null || block === undefined) return null;
        agreed = block === found ? agreed + 1 : 1;
        found = block;
      }
      return found;
    },
  };
}
