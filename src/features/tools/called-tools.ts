import { parseJson } from '../../json/parse.ts';
import { CallArguments } from '../../policy/call-arguments.ts';
import { normalized as normalizedToolName } from '../../policy/tool-calls.ts';
import { dayMs } from '../../schemas/durations.ts';
import type { JsonObject } from '../../schemas/values.ts';
import type { NextStep } from '../../services/steps.ts';
import type { Store } from '../../store/store.ts';
import type { UndescribedTool } from './schema.ts';
import { namesOf, type StoredTool } from './stored-catalogue.ts';

/** Calls of so many days are looked at. */
const lastDays = 30;
const mostUndescribed = 50;
/** The latest evaluations whose arguments are looked at. */
const mostEvaluations = 200;
const mostBytes = 16_384;
/** The statistics count further names together under this one. */
const otherNames = '(other)';

/** The tools that the integration called lately and that are not among `tools`, in the form in which an import takes them. */
export async function undescribedTools(
  store: Pick<Store, 'stats' | 'evaluations'>,
  integrationId: string,
  tools: readonly StoredTool[],
  { now, step }: { now: number; step: NextStep },
): Promise<UndescribedTool[]> {
  const known = new Set(tools.flatMap(namesOf));
  const today = Math.floor(now / dayMs);
  const points = await store.stats.read(
    { dimension: 'tool', unit: 'day', from: today - lastDays + 1, to: today + 1, integrationId },
    known.size + mostUndescribed + 1,
  );
  const calls = new Map<string, number>();
  for (const { name, allowed, warned, held, blocked } of points)
    if (name !== otherNames && !known.has(normalizedToolName(name)))
      calls.set(name, (calls.get(name) ?? 0) + allowed + warned + held + blocked);
  if (calls.size === 0) return [];
  const schemas = await schemasOfCalls(store, integrationId, new Set(calls.keys()), step);
  return [...calls]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostUndescribed)
    .map(([name, count]) => {
      const inputSchema = schemas.get(name);
      return { name, calls: count, ...(inputSchema && { inputSchema }) };
    });
}

/** A schema of the arguments of each tool, from the latest of its calls whose content is kept. */
async function schemasOfCalls(
  store: Pick<Store, 'evaluations'>,
  integrationId: string,
  names: ReadonlySet<string>,
  step: NextStep,
): Promise<ReadonlyMap<string, JsonObject>> {
  const found = await store.evaluations.search(
    { integrationId },
    { page: 1, size: mostEvaluations },
    mostBytes,
  );
  const schemas = new Map<string, JsonObject>();
  for (const { tool, phase, input } of found?.items ?? []) {
    if (phase !== 'ACTION' || input === null || !names.has(tool) || schemas.has(tool)) continue;
    const { value, isReadable } = new CallArguments(parseJson(input) as JsonObject);
    if (isReadable) schemas.set(tool, schemaLike(value));
    await step();
  }
  return schemas;
}

const deepest = 6;
const mostNames = 50;

/**
 * Describes names and kinds of arguments, and matches any others as well: one call does not tell what the next one may have. No value
 * of the call is in it.
 */
function schemaLike(value: unknown, depth = 0): JsonObject {
  if (typeof value === 'string') return { anyOf: [{ type: 'string' }, {}] };
  if (typeof value === 'number' || typeof value === 'bigint') return { anyOf: [{ type: 'number' }, {}] };
  if (typeof value !== 'object' || value === null || depth > deepest) return {};
  if (Array.isArray(value)) return { items: schemaLike(value[0], depth + 1) };
  const entries = Object.entries(value).slice(0, mostNames);
  return {
    properties: Object.fromEntries(entries.map(([name, entry]) => [name, schemaLike(entry, depth + 1)])),
  };
}
