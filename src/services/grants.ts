import { hash } from 'node:crypto';
import { CallArguments, type CataloguedTool, type Decision, type GrantableFinding } from '../engine/index.ts';
import { canonicalJson } from '../json/canonical.ts';
import { severities } from '../schemas/decisions.ts';
import type { GrantOffer, OpenGrant } from '../schemas/grants.ts';
import type { JsonObject } from '../schemas/values.ts';
import type { NewEvaluation } from '../store/store.ts';
import { holds } from './approvals.ts';

/** What is done, as far as grants compare it. */
export interface ComparedAction {
  evaluation: Pick<NewEvaluation, 'phase' | 'tool' | 'dataTags' | 'salt' | 'inputHash'>;
  sessionId: string | null;
  input: JsonObject;
  targetKey: string | null;
  targetMetadata: JsonObject | null;
  catalogued: CataloguedTool | null;
}

/**
 * What an approval of this action would grant. None by a rule that names a value which the action lacks: two actions without
 * it would count as the same.
 */
export function grantOffers({ grantable }: Decision, action: ComparedAction): Omit<GrantOffer, 'id'>[] {
  if (grantable.length === 0 || action.sessionId === null) return [];
  return grantable.flatMap(({ violation, terms }) => {
    const key = keyOf(violation, terms.same, action);
    const { policyId, ruleId, severity } = violation;
    return key === null ? [] : [{ key, policyId, ruleId, severity, ...terms }];
  });
}

/**
 * The grants that let the action pass, one for each finding that holds it; null when one of them is not covered. Covered is
 * what the reviewer saw: the same version of the rule, at no higher severity, and no kind of data that was not there then.
 */
export function coveringGrants(
  { enforcementAction, violations }: Decision,
  offers: readonly Omit<GrantOffer, 'id'>[],
  open: readonly OpenGrant[],
  dataTags: readonly string[],
): OpenGrant[] | null {
  if (enforcementAction !== 'APPROVAL_REQUIRED' || violations.filter(holds).length !== offers.length)
    return null;
  const used = new Set<OpenGrant>();
  for (const { key, severity } of offers) {
    const grant = open.find(
      (one) =>
        one.key === key &&
        severities.indexOf(one.severity) >= severities.indexOf(severity) &&
        dataTags.every((tag) => one.dataTags.includes(tag)),
    );
    if (!grant) return null;
    used.add(grant);
  }
  return [...used];
}

function keyOf(
  { policyId, policyVersion, ruleId }: GrantableFinding['violation'],
  same: readonly string[] | null,
  action: ComparedAction,
): string | null {
  const { evaluation, sessionId, targetKey, targetMetadata, input } = action;
  const { phase, tool } = evaluation;
  // The key is stored: few values are possible for what has to be the same.
  const rule = [evaluation.salt, sessionId, policyId, policyVersion, ruleId, tool];
  if (same === null) return digest([...rule, evaluation.inputHash()]);
  const call = new CallArguments(input);
  const values = same.map((path) => valuesAt(path, action, call));
  if (values.some((value) => value === undefined)) return null;
  // Only its caller knows where the arguments are, so each place counts: an agent could have had the approved recipient in one
  // of them and change another. A further recipient in a field of its own is another action as well.
  const places = [input, ...call.nested];
  const fields = places.map(fieldsOf);
  const namesakes = same
    .filter((path) => /^(?:input|arguments)\./.test(path))
    .map((path) => fieldsNamed(path, places));
  return digest([...rule, phase, targetKey, targetMetadata, fields, same, values, namesakes]);
}

const digest = (value: unknown): string => hash('sha256', canonicalJson(value), 'base64url');

/** Undefined when there is no value. A list on the way stands for each of its entries. */
function valuesAt(
  path: string,
  { evaluation, targetKey, input, catalogued }: ComparedAction,
  call: CallArguments,
): unknown {
  if (path === 'tool') return evaluation.tool || undefined;
  if (path === 'targetKey') return targetKey ?? undefined;
  if (path === 'destinations' || path === 'identifiers') return emptyAsNone(catalogued?.[path]);
  const [root, ...names] = path.split('.');
  if (root !== 'arguments') return valueUnder(input, names);
  return call.isReadable ? valueUnder(call.value, names) : undefined;
}

const emptyAsNone = (values: readonly string[] | null | undefined): readonly string[] | undefined =>
  values?.length ? values : undefined;

function valueUnder(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => valueUnder(entry, [key, ...rest]));
    return entries.length === 0 || entries.includes(undefined) ? undefined : entries;
  }
  const isField = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isField ? valueUnder((value as JsonObject)[key], rest) : undefined;
}

/** Calls `found` with the path, name and value of each field; those of the entries of a list have one path. */
function eachField(input: unknown, found: (path: string, name: string, value: unknown) => void): void {
  const look = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const entry of value) look(entry, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, field] of Object.entries(value)) {
        const here = `${path}/${JSON.stringify(name)}`;
        found(here, name, field);
        look(field, here);
      }
  };
  look(input, '');
}

/** The paths of all fields, each once, in order. */
function fieldsOf(input: unknown): string[] {
  const paths = new Set<string>();
  eachField(input, (path) => paths.add(path));
  return [...paths].sort();
}

/** What stands in the fields that are called like the last part of the path, wherever they are. */
function fieldsNamed(path: string, places: readonly unknown[]): unknown[] {
  const last = path.slice(path.lastIndexOf('.') + 1);
  const values: unknown[] = [];
  for (const place of places)
    eachField(place, (_, name, value) => {
      if (name === last) values.push(value);
    });
  return values;
}
