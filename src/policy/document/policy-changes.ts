import { canonicalJson } from '../../json/stringify.ts';
import { isRecord } from '../records.ts';
import { readDocument } from './read-document.ts';

/** The parts in which two documents may differ. */
export type PolicyPart =
  | 'SETTING'
  | 'PARAM'
  | 'VARIABLE'
  | 'COUNTER'
  | 'DETECTOR'
  | 'TOOL'
  | 'RULE'
  | 'LABEL'
  | 'TEST';

/** One part that a document has, lacks or says differently, compared with another. */
export interface PolicyChange {
  part: PolicyPart;
  /** The id of a rule; the key or name of any other part. */
  name: string;
  change: 'ADDED' | 'REMOVED' | 'CHANGED';
  /** Absent when ADDED. Of a CHANGED object, only the fields that differ. */
  before?: unknown;
  /** Absent when REMOVED. Of a CHANGED object, only the fields that differ. */
  after?: unknown;
}

type Named = ReadonlyMap<string, unknown>;

/** How each field of a document is compared that is not one setting. */
const partsByField: Readonly<Record<string, { part: PolicyPart; named: (value: unknown) => Named }>> = {
  params: { part: 'PARAM', named: members },
  variables: { part: 'VARIABLE', named: members },
  counters: { part: 'COUNTER', named: members },
  detectors: { part: 'DETECTOR', named: (value) => itemsBy('tag', value) },
  tools: { part: 'TOOL', named: members },
  rules: { part: 'RULE', named: (value) => itemsBy('id', value) },
  tests: { part: 'TEST', named: (value) => itemsBy('name', value) },
};

/**
 * The differences between two policy documents: both must be valid. Comments, layout and the order of rules are no difference,
 * because no decision depends on them.
 */
export function policyChanges(before: string, after: string): PolicyChange[] {
  const [from, to] = [contentOf(before), contentOf(after)];
  const settings = changesOf('SETTING', settingsIn(from), settingsIn(to));
  const parts = Object.entries(partsByField).flatMap(([field, { part, named }]) =>
    changesOf(part, named(from[field]), named(to[field])),
  );
  return [...settings, ...parts, ...changesOf('LABEL', labelsIn(from), labelsIn(to))];
}

function contentOf(document: string): Record<string, unknown> {
  const { value } = readDocument(document);
  if (!isRecord(value)) throw new Error('only policy documents that were accepted can be compared');
  return value;
}

const settingsIn = (document: Record<string, unknown>): Named =>
  new Map(Object.entries(document).filter(([field]) => !Object.hasOwn(partsByField, field)));

/** The rules that put each label, by the label. */
function labelsIn({ rules }: Record<string, unknown>): Named {
  const labels = new Map<string, string[]>();
  for (const [id, rule] of itemsBy('id', rules)) {
    for (const label of (rule as { label?: string[] }).label ?? []) {
      labels.set(label, [...(labels.get(label) ?? []), id]);
    }
  }
  return labels;
}

function members(value: unknown): Named {
  return new Map(Object.entries((value as Record<string, unknown> | undefined) ?? {}));
}

/** Names that are not unique get a number, so that none hides another. */
function itemsBy(field: string, value: unknown): Named {
  const items = new Map<string, unknown>();
  for (const item of (value as Record<string, unknown>[] | undefined) ?? []) {
    const name = String(item[field]);
    let unique = name;
    for (let count = 2; items.has(unique); count++) unique = `${name} (${count})`;
    items.set(unique, item);
  }
  return items;
}

function changesOf(part: PolicyPart, from: Named, to: Named): PolicyChange[] {
  const changes: PolicyChange[] = [];
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    const [before, after] = [from.get(name), to.get(name)];
    if (!from.has(name)) changes.push({ part, name, change: 'ADDED', after });
    else if (!to.has(name)) changes.push({ part, name, change: 'REMOVED', before });
    else if (!isSame(before, after))
      changes.push({ part, name, change: 'CHANGED', ...differing(before, after) });
  }
  return changes;
}

function differing(before: unknown, after: unknown): { before: unknown; after: unknown } {
  if (!isRecord(before) || !isRecord(after)) return { before, after };
  const differs = ([field, value]: [string, unknown], other: Record<string, unknown>) =>
    !Object.hasOwn(other, field) || !isSame(value, other[field]);
  return {
    before: Object.fromEntries(Object.entries(before).filter((member) => differs(member, after))),
    after: Object.fromEntries(Object.entries(after).filter((member) => differs(member, before))),
  };
}

const isSame = (before: unknown, after: unknown): boolean => canonicalJson(before) === canonicalJson(after);
