import { KeyCache } from './context/keys.ts';
import { type CustomDetector, CustomPatterns, INJECTION_PATTERNS } from './custom.ts';
import { type Hit, Hits, resolve, STRIDE } from './detections.ts';
import { Decoder, UNSCANNED } from './encoded/decoder.ts';
import { TOLD } from './json/member-kinds.ts';
import { Reader } from './json/reader.ts';
import { byLeaf, foundValues, locate, type Place, redact } from './json/redact.ts';
import { BARE, STRENGTHS } from './kinds/kind.ts';
import { type Strength, tagId, taxonomy } from './kinds/taxonomy.ts';
import { Pass } from './pass.ts';
import { scanText } from './scan.ts';

/** A finding of another program in a text: a tag, and UTF-16 offsets. */
export interface TextFinding {
  tag: string;
  start: number;
  end: number;
}

/** By text: what was found in it, for every place of the input that has this text. */
export type RecognizedTexts = ReadonlyMap<string, readonly TextFinding[]>;

export interface DetectorOptions {
  /** `strict` also reports values that only a word near them would tell from a counter. Default `balanced`. */
  sensitivity?: 'balanced' | 'strict';
  /** Tags that are not looked for. */
  disabledTags?: readonly string[];
  /** Tags that are off unless named here: URL and PROMPT_INJECTION. */
  enabledTags?: readonly string[];
  custom?: readonly CustomDetector[];
}

/** Where a value is and what it is; never the value. */
export interface Detection {
  tag: string;
  strength: Strength;
  /** JSON Pointer (RFC 6901) of the string or number; of the array, for a value spelled out in one. */
  path: string;
  /** UTF-16 offsets in that string (or index of the elements of that array). */
  start: number;
  end: number;
  /** Present when the value is in the member's name, not in what it holds. */
  key?: true;
}

export interface Scan {
  /** Categories and types, each once, in the order of the taxonomy, custom ones last. */
  tags: readonly string[];
  counts: readonly { type: string; count: number }[];
  /** Computed when called: the input must not have changed since. */
  detections(): Detection[];
  /** The input with each value replaced by `[TAG]`; the input itself when there is none. */
  redacted(): unknown;
  /** Each value that was found and the `[TAG]` that stands for it, the longest first. */
  values(): [value: string, mask: string][];
}

export interface Detector {
  /** Reads parsed JSON. `recognized` is what another program found in its texts: it counts as `bare`. Throws a RangeError when it is nested too deeply to be read. */
  scan(input: unknown, recognized?: RecognizedTexts | null): Scan;
}

interface Names {
  tags: readonly string[];
  categories: readonly (readonly string[])[];
}

const NOTHING: readonly never[] = [];
/** How many encodings inside each other are undone; what is encoded once more is not scanned. */
const MAX_ENCODINGS = 3;

class ScanResult implements Scan {
  readonly tags: readonly string[];
  readonly counts: readonly { type: string; count: number }[];
  readonly #input: unknown;
  readonly #hits: readonly Hit[];
  readonly #names: Names;

  constructor(input: unknown, hits: readonly Hit[], names: Names) {
    this.#input = input;
    this.#hits = hits;
    this.#names = names;
    const [first] = hits;
    if (first === undefined) {
      this.tags = NOTHING;
      this.counts = NOTHING;
      return;
    }
    if (hits.length === 1) {
      const type = names.tags[first.tag] as string;
      const categories = names.categories[first.tag] as readonly string[];
      this.tags = categories.includes(type) ? categories : [...categories, type];
      this.counts = [{ type, count: 1 }];
      return;
    }
    const counts = new Map<number, number>();
    for (const { tag } of hits) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    const ordered = [...counts].sort((x, y) => x[0] - y[0]);
    const of = (tag: number): string => names.tags[tag] as string;
    this.counts = ordered.map(([tag, count]) => ({ type: of(tag), count }));
    this.tags = [
      ...new Set(ordered.flatMap(([tag]) => [...(names.categories[tag] as readonly string[]), of(tag)])),
    ];
  }

  detections(): Detection[] {
    const places = locate(this.#input, byLeaf(this.#hits), this.#names.tags);
    return this.#hits.map(({ tag, rank, leaf, start, end }) => {
      const { path, key } = places.get(leaf) as Place;
      const strength = STRENGTHS[rank] as Strength;
      const finding = { tag: this.#names.tags[tag] as string, strength, path, start, end };
      return key ? { ...finding, key } : finding;
    });
  }

  redacted(): unknown {
    if (this.#hits.length === 0) return this.#input;
    const last = this.#hits.at(-1);
    const unreadFrom = last?.end === Number.MAX_SAFE_INTEGER ? last.leaf : Number.POSITIVE_INFINITY;
    return redact(this.#input, byLeaf(this.#hits), this.#names.tags, unreadFrom);
  }

  values(): [value: string, mask: string][] {
    if (this.#hits.length === 0) return [];
    return foundValues(this.#input, byLeaf(this.#hits), this.#names.tags);
  }
}

/** Makes a detector; the work of compiling patterns is done here, once. Throws a RangeError on an unknown tag. */
export function createDetector(options: DetectorOptions = {}): Detector {
  const custom = options.custom ?? [];
  const own = [...new Set(custom.map(({ tag }) => tag))];
  const names: Names = {
    tags: [...taxonomy.map(({ tag }) => tag), ...own],
    categories: [
      ...taxonomy.map(({ categories }) => categories),
      ...own.map((tag) => [...new Set(custom.filter((c) => c.tag === tag).map((c) => c.category))]),
    ],
  };
  const hits = new Hits();
  const on = switches(names.tags, options);
  const setting = {
    strict: options.sensitivity === 'strict',
    on,
    keys: new KeyCache(TOLD),
    hits,
    effort: 0,
  };
  const pass = new Pass(setting);
  let outer = pass;
  for (let level = 0; level < MAX_ENCODINGS; level++) {
    const inner = new Pass(setting);
    outer.decoder = new Decoder(inner, scanText);
    outer = inner;
  }
  outer.decoder = new Decoder(null, scanText);
  const patterns = ownPatterns(custom, own, on);
  const reader = new Reader(pass, patterns && ((text) => patterns.find(text, pass.leaf, hits)));
  return {
    scan(input, recognized = null) {
      hits.clear();
      reader.read(input, recognized && ((text) => addRecognized(recognized, text, pass, names.tags)));
      const found =
        hits.count === 0
          ? (NOTHING as readonly Hit[])
          : resolve(hits.rows.slice(0, hits.count * STRIDE), hits.count);
      if (hits.lostFrom > 0) return new ScanResult(input, [...found, unread(hits.lostFrom)], names);
      return new ScanResult(input, found, names);
    },
  };
}

/** Notes what another program found in the text that is read. */
function addRecognized(recognized: RecognizedTexts, text: string, pass: Pass, tags: readonly string[]): void {
  const { on, hits } = pass.setting;
  for (const { tag, start, end } of recognized.get(text) ?? NOTHING) {
    const id = tags.indexOf(tag);
    if (on[id] === 1) hits.add(id, BARE, pass.leaf, start, end);
  }
}

/** The finding of everything from this leaf on. */
function unread(leaf: number): Hit {
  return { tag: UNSCANNED, rank: BARE, leaf, start: 0, end: Number.MAX_SAFE_INTEGER };
}

/** The patterns that are switched on; null when there are none. */
function ownPatterns(
  custom: readonly CustomDetector[],
  own: readonly string[],
  on: Uint8Array,
): CustomPatterns | null {
  const patterns = [
    ...INJECTION_PATTERNS.map((pattern) => ({ id: tagId('PROMPT_INJECTION'), pattern })),
    ...custom.map(({ tag, pattern }) => ({ id: taxonomy.length + own.indexOf(tag), pattern })),
  ].filter(({ id }) => on[id] === 1);
  return patterns.length === 0 ? null : new CustomPatterns(patterns);
}

function switches(tags: readonly string[], options: DetectorOptions): Uint8Array {
  const on = new Uint8Array(tags.length).fill(1);
  taxonomy.forEach(({ optIn }, id) => {
    if (optIn) on[id] = 0;
  });
  for (const [names, value] of [
    [options.enabledTags, 1],
    [options.disabledTags, 0],
  ] as const) {
    for (const tag of names ?? []) {
      const id = tags.indexOf(tag);
      if (id < 0) throw new RangeError(`unknown data tag ${tag}`);
      on[id] = value;
    }
  }
  return on;
}
