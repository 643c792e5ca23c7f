import { enforcementActions, phases, policyModes, severities } from '../../../schemas/words.ts';
import { type Entry, fields, functions, members, methods, values, variables } from './names.ts';

/** Names that the service knows of, beside those of the document. */
export interface SeenNames {
  tools: readonly string[];
  tags: readonly string[];
  lists: readonly string[];
}

export interface Completions {
  /** Characters before the cursor that are replaced. */
  length: number;
  entries: readonly Entry[];
}

const named = (names: readonly string[], detail: string): Entry[] => names.map((name) => [name, detail]);

/** The keys below a part of the document, such as the names of its counters. */
function keysBelow(document: string, part: string): string[] {
  const lines = document.split('\n');
  const from = lines.findIndex((line) => new RegExp(`^${part}:`).test(line));
  if (from < 0) return [];
  const inline = [...(lines[from] ?? '').matchAll(/[{,]\s*([A-Za-z_]\w*)\s*:/g)].map(([, name = '']) => name);
  const below: string[] = [];
  let indent: number | null = null;
  for (const line of lines.slice(from + 1)) {
    if (/^\S/.test(line)) break;
    const key = /^(\s+)([A-Za-z_]\w*)\s*:/.exec(line);
    if (!key) continue;
    indent ??= key[1]?.length ?? 0;
    if (key[1]?.length === indent) below.push(key[2] ?? '');
  }
  return [...inline, ...below];
}

const labelsIn = (document: string): string[] => [
  ...new Set(
    [...document.matchAll(/label:\s*\[?([A-Z0-9_, ]+)/g)].flatMap(([, found = '']) =>
      found
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ),
];

/** The words that one key takes. */
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  effect: enforcementActions,
  enforcementAction: enforcementActions,
  onError: enforcementActions,
  severity: severities,
  mode: policyModes,
  on: phases,
  phase: phases,
};

/** The completions at the cursor, by the line before it; null when nothing is asked for. */
export function completionsAt(
  before: string,
  document: string,
  seen: SeenNames,
  isExplicit: boolean,
): Completions | null {
  const word = /[\w.-]*$/.exec(before)?.[0] ?? '';
  // The key `tool`, or a comparison with it: tools have dots in their names.
  if (
    /(?:^|[\s{,-])tool:\s*\[?(?:[^\]]*,\s*)?["']?[\w.-]*$/.test(before) ||
    /\btool\s*(?:==|!=|in\s*\[(?:[^\]]*,)?)\s*["'][\w.-]*$/.test(before)
  )
    return { length: word.length, entries: named(seen.tools, 'tool that was seen') };
  // A text of an expression.
  const when = /(?:^|\s)(?:when|where):\s*(.*)$/.exec(before)?.[1] ?? before;
  if (/^[^"]*(?:"[^"]*"[^"]*)*"[\w.-]*$/.test(when) && /"[\w.-]*$/.test(when)) {
    const entries = [...named(seen.tags, 'data tag'), ...named(labelsIn(document), 'label')];
    return { length: word.length, entries };
  }
  const member = /(\w+)\.(\w*)$/.exec(before);
  if (member) {
    const [, owner = '', typed = ''] = member;
    const own: Readonly<Record<string, readonly Entry[]>> = {
      params: named(keysBelow(document, 'params'), 'param of this policy'),
      vars: named(keysBelow(document, 'variables'), 'variable of this policy'),
      counters: named(keysBelow(document, 'counters'), 'counter of this policy'),
      lists: [...named(seen.lists, 'list'), ...(members.lists ?? [])],
    };
    return { length: typed.length, entries: own[owner] ?? members[owner] ?? methods };
  }
  const typed = /\w*$/.exec(before)?.[0] ?? '';
  if (typed === '' && !isExplicit) return null;
  const key = /(?:^|[\s{,])(\w+):\s*\[?(?:[A-Z_]+,\s*)*\w*$/.exec(before)?.[1];
  const known = key === undefined ? undefined : valuesOf[key];
  if (known) return { length: typed.length, entries: named(known, key ?? '') };
  if (/^\s*(?:- )?\w*$/.test(before)) return { length: typed.length, entries: fields };
  return { length: typed.length, entries: [...values, ...variables, ...functions] };
}
