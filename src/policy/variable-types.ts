import { type CelType, type CheckedExpression, check, types } from '../cel/index.ts';
import { environment, type Params } from './environment.ts';
import type { OnTextIssue, TextIssue } from './policy-issue.ts';

interface VariableTypes {
  types: Record<string, CelType>;
  /** Those that check. */
  expressions: Map<string, CheckedExpression>;
}

/**
 * Finds the types of the variables of a document, which may use each other in any order. Each is checked twice: first
 * with all others untyped, to find which ones it uses; then with the types of those. A cycle is an issue of every
 * variable in it.
 */
export function checkVariables(
  variables: Readonly<Record<string, string | undefined>>,
  params: Params,
  counters: CelType | null,
  onIssue: OnTextIssue,
): VariableTypes {
  const names = Object.keys(variables);
  const known: Record<string, CelType> = Object.fromEntries(names.map((name) => [name, types.dyn]));
  const expressions = new Map<string, CheckedExpression>();
  const untyped = new Map<string, CheckedExpression>();
  for (const [name, source] of Object.entries(variables)) {
    if (source === undefined) continue;
    const checked = check(source, environment(params, types.object('vars', known), { counters }));
    if (checked.ok) untyped.set(name, checked.expression);
    else for (const issue of checked.issues) onIssue(['variables', name], issue);
  }
  for (const name of dependencyOrder(untyped, (name) => onIssue(['variables', name], cycleIssue(name)))) {
    const checked = check(
      variables[name] as string,
      environment(params, types.object('vars', known), { counters }),
    );
    if (checked.ok) {
      known[name] = checked.expression.type;
      expressions.set(name, checked.expression);
    } else for (const issue of checked.issues) onIssue(['variables', name], issue);
  }
  return { types: known, expressions };
}

/** The variables an expression reads; all of them when it takes `vars` as a whole. */
export function variablesRead(expression: CheckedExpression, all: Iterable<string>): string[] {
  const reads = expression.reads.filter(([root]) => root === 'vars');
  if (reads.some((path) => path.length === 1)) return [...all];
  return [...new Set(reads.map((path) => path[1] as string))];
}

/** Orders variables so that each comes after those it uses; reports and leaves out those in a cycle. */
function dependencyOrder(
  expressions: ReadonlyMap<string, CheckedExpression>,
  onCycle: (name: string) => void,
): string[] {
  const uses = new Map(
    [...expressions].map(([name, expression]) => [name, variablesRead(expression, expressions.keys())]),
  );
  const ordered = new Set<string>();
  let waiting = [...expressions.keys()];
  for (;;) {
    const blocked: string[] = [];
    for (const name of waiting) {
      const open = (uses.get(name) as string[]).some((used) => waiting.includes(used) && !ordered.has(used));
      if (open) blocked.push(name);
      else ordered.add(name);
    }
    if (blocked.length === waiting.length) break;
    waiting = blocked;
  }
  for (const name of waiting) if (reaches(name, name, uses)) onCycle(name);
  return [...ordered];
}

/** Whether `from` uses `to`, directly or through others. */
function reaches(from: string, to: string, uses: ReadonlyMap<string, string[]>): boolean {
  const seen = new Set<string>();
  const open = [...(uses.get(from) as string[])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(uses.get(name) ?? []));
  }
  return false;
}

function cycleIssue(name: string): TextIssue {
  const message = `the variable "${name}" is defined by itself`;
  return { code: 'cycle', message, line: 1, column: 1, offset: 0 };
}
