import { AppError } from '../errors.ts';
import { metadataLimits } from '../features/sessions/words.ts';
import { pointerToken } from '../json/read-exactly.ts';

/** Deepest nesting of a body (contract, "Evaluate"). */
export const deepestBody = 64;

export interface JsonLimits {
  depth: number;
  /** Refuses NUL in texts and keys. */
  noNul?: boolean;
  /** Refuses integers beyond ±(2^53 - 1). */
  noBigIntegers?: boolean;
  /** Whether texts and keys are known to be Unicode. */
  isUnicode?: boolean;
}

export const bodyJson: JsonLimits = { depth: deepestBody };
/** For a body without escape sequences: UTF-8 has no half of a surrogate pair. */
export const unescapedJson: JsonLimits = { depth: deepestBody, isUnicode: true };

/** The limits of the `metadata` of a session or an entity. */
export const metadataJson: JsonLimits = { depth: metadataLimits.depth, noNul: true };

/** The contents of a JSON value that its limits count. */
class JsonContents {
  /** Members of all objects in it. */
  members = 0;
  /** Whether a number in it lies beyond ±(2^53 - 1), where `JSON.parse` loses digits of integers. */
  hasLargeNumbers = false;
}

/** An object or array on the way to a value: paths are spelled only for what is refused. */
interface Place {
  parent: Place | string;
  step: string | number;
}

/**
 * Refuses JSON that could not be stored or evaluated as it was meant: nested too deeply, a key that changes what objects
 * inherit, text that is not Unicode. Throws an AppError with the place, below `path`.
 */
export function checkJson(value: unknown, path = '', limits: JsonLimits = bodyJson): JsonContents {
  const contents = new JsonContents();
  checkValue(value, path, limits, 1, contents);
  return contents;
}

function checkValue(
  value: unknown,
  place: Place | string,
  limits: JsonLimits,
  depth: number,
  contents: JsonContents,
): void {
  if (typeof value === 'string') checkText(value, place, limits);
  else if (typeof value === 'number') {
    if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) contents.hasLargeNumbers = true;
  } else if (typeof value === 'object' && value !== null) {
    if (depth > limits.depth) throw invalid(`must not be nested deeper than ${limits.depth} levels`, place);
    checkMembers(value, { parent: place, step: '' }, limits, depth + 1, contents);
  } else if (typeof value === 'bigint' && limits.noBigIntegers) {
    throw invalid('must lie within ±(2^53 - 1)', place);
  }
}

function checkMembers(
  value: object,
  inside: Place,
  limits: JsonLimits,
  depth: number,
  contents: JsonContents,
): void {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      inside.step = at;
      checkValue(value[at], inside, limits, depth, contents);
    }
    return;
  }
  for (const key in value) {
    inside.step = key;
    if (key === '__proto__') throw invalid('is not allowed as a key', inside);
    checkText(key, inside, limits);
    contents.members++;
    checkValue((value as Record<string, unknown>)[key], inside, limits, depth, contents);
  }
}

function checkText(text: string, place: Place | string, limits: JsonLimits): void {
  if (!limits.isUnicode && !text.isWellFormed())
    throw invalid('must be Unicode text, and holds half a surrogate pair', place);
  if (limits.noNul && text.includes('\0')) throw invalid('must not contain NUL characters', place);
}

function pointerOf(place: Place | string): string {
  if (typeof place === 'string') return place;
  return `${pointerOf(place.parent)}/${pointerToken(String(place.step))}`;
}

const invalid = (message: string, place: Place | string): AppError =>
  new AppError('invalid', message, { path: pointerOf(place) });
