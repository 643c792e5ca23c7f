import type { BoundPolicy, HousePolicy, Policy, PolicySummary } from '../../../features/policies/schema.ts';
import type { PolicyMode } from '../../../schemas/decisions.ts';
import type { Evaluation } from '../../../schemas/evaluations.ts';
import { call, callAll } from '../api.ts';

/** How a policy applies: to every integration, or to one. */
export interface Binding {
  /** Null for a house policy. */
  integrationId: string | null;
  policy: PolicySummary;
  /** Null is the mode of the document. */
  mode: PolicyMode | null;
  /** Values that differ from the document. */
  params: Readonly<Record<string, unknown>>;
}

export const readHouse = async (signal?: AbortSignal): Promise<Binding[]> =>
  (await callAll<HousePolicy>('/v1/house-policies', { signal })).map(({ policy, mode, params }) => ({
    integrationId: null,
    policy,
    mode,
    params,
  }));

/** All policies that apply to an integration, those of the house first. One may apply both ways. */
export async function readEffective(integrationId: string, signal?: AbortSignal): Promise<Binding[]> {
  const [house, bound] = await Promise.all([
    readHouse(signal),
    callAll<BoundPolicy>(`/v1/integrations/${integrationId}/policies`, { signal }),
  ]);
  const own = bound.map(({ binding: { mode, params }, ...policy }) => ({
    integrationId,
    policy,
    mode,
    params,
  }));
  return [...house, ...own];
}

/** Where a binding is changed in the API. */
export const bindingPath = (integrationId: string | null, policyId: string): string =>
  integrationId === null
    ? `/v1/house-policies/${policyId}`
    : `/v1/integrations/${integrationId}/policies/${policyId}`;

/** The part of a document below one of its keys, as it is written: its params with their defaults. */
export function partOfDocument(document: string, key: string): string {
  const lines = document.split('\n');
  const from = lines.findIndex((line) => new RegExp(`^["']?${key}["']?\\s*:`).test(line));
  if (from < 0) return '';
  const after = lines.slice(from + 1).findIndex((line) => /^\S/.test(line));
  return lines
    .slice(from, after < 0 ? undefined : from + 1 + after)
    .join('\n')
    .trimEnd();
}

/** The mode that a document has by itself. */
export const modeOfDocument = (document: string): PolicyMode =>
  /^\s*["']?mode["']?\s*:\s*["']?MONITOR/m.test(document) ? 'MONITOR' : 'ENFORCE';

/** Whether a policy ever reported anything, so that an operator may know what it does. */
export const hasReported = async (policyId: string, signal: AbortSignal): Promise<boolean> =>
  (await call('/v1/violations', { query: { policyId, size: 1 }, signal })).pagination.total > 0;

export const readPolicy = async (id: string, signal?: AbortSignal): Promise<Policy> =>
  (await call<Policy>(`/v1/policies/${id}`, { signal })).data;

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
