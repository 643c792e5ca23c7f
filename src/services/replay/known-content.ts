import { parseJson } from '../../json/parse.ts';
import { CallArguments } from '../../policy/call-arguments.ts';
import { notKept } from '../../policy/subject.ts';
import type { ReplayRow } from '../../store/replay.ts';

type Json = Record<string, unknown>;

/** The known content of a recorded evaluation. */
export interface KnownContent {
  /** Holds `notKept` in place of masked values, or around them where policies read more than the value. */
  input: Json;
  detections: readonly { type: string; count: number }[];
  hidesInput: boolean;
  hidesTargetKey: boolean;
}

interface Detection {
  readonly type: string;
  readonly in: string;
  readonly path: string;
  readonly end: number;
  /** So many whose places are not kept. */
  readonly more?: number;
}

const none: readonly never[] = [];

/** `paths`: the places of `input` and `arguments` that the policies can read. `hidden` stands for what is not known. */
export function knownContent(
  { input: text, targetKey, detections: found }: Pick<ReplayRow, 'input' | 'targetKey' | 'detections'>,
  paths: readonly (readonly string[])[],
  hidden: object = notKept,
): KnownContent {
  const all = found === null ? none : (JSON.parse(found) as Detection[]);
  const hidesTargetKey = all.some((one) => one.in === 'targetKey' && isMasked(targetKey, one));
  const detections = all.length === 0 ? none : countsOf(all);
  const isCut = all.some((one) => one.in === 'input' && one.more !== undefined);
  if (text === null || isCut)
    return { input: hidden as unknown as Json, detections, hidesInput: true, hidesTargetKey };
  const input = parseJson(text) as Json;
  let hidesInput = false;
  let shown: unknown = input;
  let inInput: readonly (readonly string[])[] | null = null;
  for (const one of all) {
    if (one.in !== 'input' || !isMasked(valueAt(input, namesOf(one.path)), one)) continue;
    hidesInput = true;
    inInput ??= paths.flatMap((path) => placesRead(path, input));
    shown = hide(shown, placeToHide(namesOf(one.path), inInput), hidden);
  }
  return { input: shown as Json, detections, hidesInput, hidesTargetKey };
}

/** Where in the input stands what a policy reads of `input` or `arguments`. */
function placesRead([root, ...names]: readonly string[], input: Json): (readonly string[])[] {
  if (root !== 'arguments') return [names];
  return new CallArguments(input).paths.map((path) => [...namesOf(path), ...names]);
}

function countsOf(all: readonly Detection[]): { type: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { type, more = 1 } of all) counts.set(type, (counts.get(type) ?? 0) + more);
  return [...counts].map(([type, count]) => ({ type, count }));
}

const namesOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Undefined where the name of a member was masked as well: it has another one then. */
function valueAt(value: unknown, names: readonly string[]): unknown {
  let at = value;
  for (const name of names) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Json)[name];
  }
  return at;
}

/** The record does not say whether content was kept as sent. What was masked has the mask in it; what was not read is masked from there on. */
function isMasked(value: unknown, { type, end }: Detection): boolean {
  if (value === undefined || end === Number.MAX_SAFE_INTEGER) return true;
  return typeof value === 'number' ? false : JSON.stringify(value).includes(`[${type}]`);
}

/** A value that contains something unknown must not be read as a whole: returns the place that policies read, where it is around the value. */
function placeToHide(names: readonly string[], paths: readonly (readonly string[])[]): readonly string[] {
  let place = names;
  for (const read of paths)
    if (read.length < place.length && read.every((name, index) => name === names[index])) place = read;
  return place;
}

/** A copy with `hidden` in that place, or in the last place on the way that exists. */
function hide(value: unknown, names: readonly string[], hidden: object): unknown {
  const [name, ...rest] = names;
  if (name === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
    return hidden;
  if (Array.isArray(value)) return value.with(Number(name), hide(value[Number(name)], rest, hidden));
  return { ...value, [name]: hide((value as Json)[name], rest, hidden) };
}
