import type { KeyCache } from '../context/keys.ts';
import type { Pass } from '../pass.ts';
import { scanText } from '../scan.ts';
import { HAS_ESCAPE, HAS_HIDDEN, HAS_PERCENT, HAS_TRIGGER } from '../text/bytes.ts';
import { decodedView } from '../text/view.ts';
import { digitArray } from './digitArray.ts';

/** Levels of nesting a document may have; the service refuses deeper ones before. */
export const MAX_DEPTH = 256;
const NO_CONTEXTS: readonly number[] = [];
const SMALLEST_NUMBER = 100_000;

/**
 * Reads every key, string and number of parsed JSON in document order. Each array, key, string and number counts as
 * one leaf; `redact` and `locate` count the same way.
 */
export class Reader {
  readonly #pass: Pass;
  readonly #keys: KeyCache;

  readonly #onString: ((text: string) => void) | null;

  /** `onString` is called with every string that is read; null when nobody needs it. */
  constructor(pass: Pass, keys: KeyCache, onString: ((text: string) => void) | null) {
    this.#pass = pass;
    this.#keys = keys;
    this.#onString = onString;
  }

  /** Throws a RangeError when the input is nested too deeply to be read: skipping it would allow it. */
  read(input: unknown): void {
    this.#pass.leaf = 0;
    this.#value(input, NO_CONTEXTS, 0);
  }

  #value(value: unknown, contexts: readonly number[], depth: number): void {
    if (typeof value === 'string') {
      this.#pass.leaf++;
      this.#string(value, contexts);
    } else if (typeof value === 'number') {
      this.#pass.leaf++;
      if (value >= SMALLEST_NUMBER && Number.isInteger(value) && value < 1e21)
        this.#string(String(value), contexts);
    } else if (typeof value === 'object' && value !== null) {
      if (depth > MAX_DEPTH) throw new RangeError(`input is nested deeper than ${MAX_DEPTH} levels`);
      if (Array.isArray(value)) this.#array(value, contexts, depth);
      else this.#object(value as Record<string, unknown>, contexts, depth);
    }
  }

  #array(values: readonly unknown[], contexts: readonly number[], depth: number): void {
    this.#pass.leaf++;
    const joined = digitArray(values);
    if (joined !== null) {
      this.#pass.origin = joined.origin;
      this.#text(joined.text, contexts);
      this.#pass.origin = null;
    }
    for (let i = 0; i < values.length; i++) this.#value(values[i], contexts, depth + 1);
  }

  #object(object: Record<string, unknown>, outer: readonly number[], depth: number): void {
    for (const key in object) {
      this.#pass.leaf++;
      const info = this.#keys.get(key);
      if (!info.plain || this.#onString !== null) this.#string(key, NO_CONTEXTS);
      const value = object[key];
      const inherits = outer.length > 0 && typeof value !== 'object';
      this.#value(value, inherits ? merge(outer, info.contexts) : info.contexts, depth + 1);
    }
  }

  #string(text: string, contexts: readonly number[]): void {
    if (this.#onString !== null) this.#onString(text);
    if (text.length < 5 && contexts.length === 0) return;
    const mask = this.#text(text, contexts);
    if ((mask & (HAS_HIDDEN | HAS_ESCAPE | HAS_PERCENT)) === 0) return;
    const pass = this.#pass;
    if (!decodedView(pass, text)) return;
    pass.context.begin(contexts);
    scanText(pass);
    pass.origin = null;
  }

  #text(text: string, contexts: readonly number[]): number {
    const pass = this.#pass;
    pass.text.load(text);
    const { mask } = pass.text;
    if (mask & HAS_TRIGGER) {
      pass.context.begin(contexts);
      scanText(pass);
    }
    return mask;
  }
}

function merge(outer: readonly number[], own: readonly number[]): readonly number[] {
  return own.length === 0 ? outer : [...outer, ...own];
}
