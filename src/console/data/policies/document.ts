import type { Evaluation } from '../../../schemas/evaluations.ts';

/** The line of a policy document, from 0, that gives a rule its id; -1 when there is none. */
export function lineOfRule(document: string, ruleId: string): number {
  if (ruleId === '') return -1;
  const lines = document.split('\n');
  const from = Math.max(
    0,
    lines.findIndex((line) => /^\s*["']?rules["']?\s*:/.test(line)),
  );
  const escaped = ruleId.replace(/[^\w-]/g, '\\$&');
  const id = new RegExp(`(?:^|[\\s{,-])["']?id["']?\\s*:\\s*["']?${escaped}["']?\\s*(?:$|[,}#])`);
  const found = lines.slice(from).findIndex((line) => id.test(line));
  return found < 0 ? -1 : from + found;
}

/**
 * The evaluation as an entry of a policy's `tests`, in YAML. JSON is YAML, and quotes whatever an agent sent. What the
 * session had seen before is not part of an evaluation: a rule that reads it needs `session` filled in.
 */
export function copyAsTest(evaluation: Evaluation): string {
  const { phase, tool, targetKey, input, dataTags, enforcementAction, outcome, severity, violations } =
    evaluation;
  const given = {
    ...(phase !== 'ACTION' && { phase }),
    ...(tool !== null && { tool }),
    ...(targetKey !== null && { targetKey }),
    ...(input !== null && { input }),
    ...(dataTags.length > 0 && { dataTags }),
  };
  const rules = [...new Set(violations.filter(({ mode }) => mode === 'ENFORCE').map(({ ruleId }) => ruleId))];
  const expect = { enforcementAction, outcome, severity, rules };
  const name = `${tool ?? phase.toLowerCase()}: ${enforcementAction}`.slice(0, 200);
  return [
    `  - name: ${JSON.stringify(name)}`,
    `    given: ${JSON.stringify(given)}`,
    `    expect: ${JSON.stringify(expect)}`,
    '',
  ].join('\n');
}
