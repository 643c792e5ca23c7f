import type { Detection } from '../../../schemas/evaluations.ts';
import { isExactNumber } from '../api.ts';

/** Kinds of arguments, those first that decide whether an action is right. */
export const argumentKinds = ['recipient', 'amount', 'command', 'path', 'address', 'text', 'other'] as const;
export type ArgumentKind = (typeof argumentKinds)[number];

/** One value of an action. Objects and lists are taken apart, down to the values that hold no others. */
export interface Argument {
  /** As a person writes it: `items[0].price`. */
  name: string;
  /** JSON Pointer in the input. */
  pointer: string;
  kind: ArgumentKind;
  /** A scalar, or an object or list that is empty. */
  value: unknown;
}

/** By the last name on the way to a value, in lower case and without separators. */
const namesOfKinds: readonly (readonly [ArgumentKind, RegExp])[] = [
  [
    'recipient',
    /^(?:to|cc|bcc|recipients?|e?mail(?:address)?|phone(?:number)?|iban|account(?:id|number)?|payee|beneficiary|channel|attendees?|members?|user(?:name|id)?|destination)$/,
  ],
  ['amount', /^(?:amount|total|sum|price|currency|quantity|count)$/],
  ['command', /^(?:command|cmd|script|shell|sql|query|statement|code|argv?|args)$/],
  ['path', /^(?:paths?|files?|file(?:name|path)|director(?:y|ies)|dir|folder|cwd|workdir)$/],
  ['address', /^(?:url|uri|href|link|endpoint|webhook|host|domain|server)$/],
  ['text', /^(?:text|body|message|content|subject|note|description|html|markdown|prompt|comment|title)$/],
];
/** From this length on a text is shown on lines of its own. */
const longText = 100;

function kindOf(name: string, value: unknown): ArgumentKind {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const known = namesOfKinds.find(([, pattern]) => pattern.test(plain))?.[0];
  if (known !== undefined) return known;
  return typeof value === 'string' && (value.length > longText || value.includes('\n')) ? 'text' : 'other';
}

export const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && (value.length > longText || value.includes('\n'));

const pointerPart = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** All arguments of an action, in the order of their kinds. */
export function argumentsOf(input: Readonly<Record<string, unknown>>): Argument[] {
  const found: Argument[] = [];
  const read = (value: unknown, name: string, pointer: string, key: string): void => {
    const isHolder = typeof value === 'object' && value !== null && !isExactNumber(value);
    const entries = isHolder ? Object.entries(value) : [];
    if (entries.length === 0 && pointer !== '') {
      found.push({ name, pointer, kind: kindOf(key, value), value });
      return;
    }
    for (const [member, inner] of entries) {
      const isList = Array.isArray(value);
      const innerName = isList ? `${name}[${member}]` : name === '' ? member : `${name}.${member}`;
      read(inner, innerName, pointer + pointerPart(member), isList ? key : member);
    }
  };
  read(input, '', '', '');
  return argumentKinds.flatMap((kind) => found.filter((argument) => argument.kind === kind));
}

/** A text that would be read as another kind of value keeps its quotation marks. */
export const argumentText = (value: unknown): string =>
  typeof value === 'string' && !/^\s*(?:$|["[{]|-?\d|(?:true|false|null)\s*$)/.test(value)
    ? value
    : JSON.stringify(value);

interface ArgumentChanges {
  /** By pointer: what it was; absent when it is as it was. */
  before: ReadonlyMap<string, Argument | null>;
  gone: readonly Argument[];
}

/** How an action differs from one before it. */
export function argumentChanges(now: readonly Argument[], then: readonly Argument[]): ArgumentChanges {
  const old = new Map(then.map((argument) => [argument.pointer, argument]));
  const current = new Set(now.map(({ pointer }) => pointer));
  const before = new Map<string, Argument | null>();
  for (const { pointer, value } of now) {
    const was = old.get(pointer) ?? null;
    if (was === null || JSON.stringify(was.value) !== JSON.stringify(value)) before.set(pointer, was);
  }
  return { before, gone: then.filter(({ pointer }) => !current.has(pointer)) };
}

type Place = Pick<Detection, 'type' | 'path' | 'start' | 'end'>;

export interface MarkedPart {
  text: string;
  /** Types of the data that was found in it. */
  types: readonly string[];
}

/** A text in parts, by the data that was found in it. Places of a text that was masked since do not fit: it is one part. */
export function markedParts(text: string, places: readonly Place[]): MarkedPart[] {
  const fits = places.every(
    ({ type, start, end }) => end <= text.length && start < end && !text.includes(`[${type}]`),
  );
  if (!fits || places.length === 0) return [{ text, types: [] }];
  const edges = [...new Set([0, text.length, ...places.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  return edges.slice(1).map((end, place) => {
    const start = edges[place] ?? 0;
    const types = places.filter((one) => one.start <= start && one.end >= end).map(({ type }) => type);
    return { text: text.slice(start, end), types: [...new Set(types)] };
  });
}

interface Different {
  /** The arguments that all of them have, with the same value. */
  same: readonly Argument[];
  /** The differing arguments of each of them. */
  different: readonly (readonly Argument[])[];
}

/** The common and the differing arguments of several actions. */
export function differencesOf(all: readonly (readonly Argument[])[]): Different {
  const keyOf = ({ pointer, value }: Argument): string => `${pointer} ${JSON.stringify(value)}`;
  const counts = new Map<string, number>();
  for (const key of all.flatMap((one) => one.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isSame = (argument: Argument): boolean => counts.get(keyOf(argument)) === all.length;
  return {
    same: (all[0] ?? []).filter(isSame),
    different: all.map((one) => one.filter((argument) => !isSame(argument))),
  };
}
