import { RE2JS, RE2Set } from 're2js';
import type { Hits } from './detections.ts';
import { FORMATTED } from './kinds/kind.ts';
import { taxonomy } from './kinds/taxonomy.ts';

/** A pattern of an installation's own, in RE2 syntax; what it matches gets the tag and the category. */
export interface CustomDetector {
  tag: string;
  category: string;
  pattern: string;
}

interface Pattern {
  id: number;
  pattern: RE2JS;
}

/** Matches of one pattern counted in one string: more say nothing new. */
const MAX_MATCHES = 10_000;

/** Runs all custom patterns over strings: one set says which match at all, only these are run for their places. */
export class CustomPatterns {
  readonly #set = new RE2Set();
  readonly #patterns: readonly Pattern[];

  /** Patterns with the number of their tag. Throws on one that RE2 does not know. */
  constructor(patterns: readonly { id: number; pattern: string }[]) {
    this.#patterns = patterns.map(({ id, pattern }) => ({ id, pattern: RE2JS.compile(pattern) }));
    for (const { pattern } of patterns) this.#set.add(pattern);
    this.#set.compile();
  }

  find(text: string, leaf: number, hits: Hits): void {
    for (const index of this.#set.match(text)) {
      const found = this.#patterns[index] as Pattern;
      const matcher = found.pattern.matcher(text);
      for (let n = 0; n < MAX_MATCHES && matcher.find(); n++) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (end > start) hits.add(found.id, FORMATTED, leaf, start, end);
      }
    }
  }
}

export interface CustomProblem {
  index: number;
  field: 'tag' | 'category' | 'pattern';
  message: string;
}

/** Detectors one installation may have, characters and compiled instructions one pattern may have. */
const MAX_CUSTOM = 50;
const MAX_PATTERN = 500;
const MAX_PROGRAM = 2_000;
const MAX_PROGRAMS = 10_000;
const NAME = /^[A-Z][A-Z0-9_]{1,47}$/;

const BUILT_IN = new Set(taxonomy.map(({ tag }) => tag));

/**
 * The errors of custom detectors, in their order; empty when all can be used. The set of their patterns is timed
 * only when `now`, a clock in milliseconds, is given: this layer has none of its own.
 */
export function checkCustomDetectors(
  custom: readonly CustomDetector[],
  now?: () => number,
): readonly CustomProblem[] {
  const problems: CustomProblem[] = [];
  const sizes = custom.map((detector, index) => checkOne(detector, index, problems));
  if (custom.length > MAX_CUSTOM) {
    problems.push({
      index: MAX_CUSTOM,
      field: 'pattern',
      message: `at most ${MAX_CUSTOM} detectors are allowed`,
    });
  }
  let total = 0;
  const over = sizes.findIndex((size) => {
    total += size;
    return total > MAX_PROGRAMS;
  });
  if (over >= 0) {
    problems.push({
      index: over,
      field: 'pattern',
      message: 'the patterns together compile to too large a program',
    });
  }
  if (problems.length === 0 && custom.length > 0 && now !== undefined)
    problems.push(...checkSpeed(custom, now));
  return problems;
}

/** Notes what is wrong with one detector; returns the size of its program, 0 when it has none. */
function checkOne(
  { tag, category, pattern }: CustomDetector,
  index: number,
  problems: CustomProblem[],
): number {
  const note = (field: CustomProblem['field'], message: string): number => {
    problems.push({ index, field, message });
    return 0;
  };
  if (!NAME.test(tag)) note('tag', 'must be upper case letters, digits and _, 2 to 48 of them');
  else if (BUILT_IN.has(tag)) note('tag', `${tag} is a built-in tag`);
  if (!NAME.test(category)) note('category', 'must be upper case letters, digits and _, 2 to 48 of them');
  if (pattern === '') return note('pattern', 'must not be empty');
  if (pattern.length > MAX_PATTERN) return note('pattern', `must be at most ${MAX_PATTERN} characters`);
  try {
    const compiled = RE2JS.compile(pattern);
    if (compiled.matcher('').find()) return note('pattern', 'must not match the empty string');
    const size = compiled.programSize();
    return size > MAX_PROGRAM ? note('pattern', 'compiles to too large a program') : size;
  } catch (error) {
    return note('pattern', `is not RE2 syntax: ${(error as Error).message}`);
  }
}

/** Characters a second the set must read once it knows the text, and milliseconds it may take the first time. */
const MIN_SPEED = 50e6;
const MAX_FIRST_MS = 100;
const SAMPLE_SIZE = 65_536;
const SAMPLE_LINE =
  'order 4711: {"user":"jane.doe@example.com","path":"/var/log/app-01.log","id":"8f14e45f-ceea-467a"} 2026-01-02T03:04:05Z ';

/** A set that every machine reads fast, and the milliseconds it takes where nothing slows the machine down (300 MB/s). */
const REFERENCE = 'zq[0-9]{6}';
const REFERENCE_MS = 0.22;

/**
 * Times the set on a fixed text: one that must build too many states is slow on every request. Beside it the same text is
 * read by a reference, so that a busy or a measured machine refuses nothing that an idle one takes.
 */
function checkSpeed(custom: readonly CustomDetector[], now: () => number): CustomProblem[] {
  const sample = SAMPLE_LINE.repeat(Math.ceil(SAMPLE_SIZE / SAMPLE_LINE.length)).slice(0, SAMPLE_SIZE);
  const reference = timeSet([REFERENCE], sample, now);
  const slowness = Math.max(1, reference.againMs / REFERENCE_MS);
  const { firstMs, againMs } = timeSet(
    custom.map(({ pattern }) => pattern),
    sample,
    now,
  );
  const longestMs = (SAMPLE_SIZE / MIN_SPEED) * 1000;
  if (firstMs <= MAX_FIRST_MS * slowness && againMs <= longestMs * slowness) return [];
  const message = 'the patterns together are too slow: simplify them or use fewer';
  return [{ index: custom.length - 1, field: 'pattern', message }];
}

function timeSet(patterns: readonly string[], sample: string, now: () => number) {
  const set = new RE2Set();
  for (const pattern of patterns) set.add(pattern);
  set.compile();
  const run = (): number => {
    const begun = now();
    set.match(sample);
    return now() - begun;
  };
  return { firstMs: run(), againMs: Math.min(...Array.from({ length: 12 }, run)) };
}

/**
 * Phrases that ask a model to drop its instructions, in RE2 syntax. Opt-in: patterns find at best 44 % of published
 * jailbreaks and almost none of the instructions hidden in documents; they are a hint, not a defence.
 */
export const INJECTION_PATTERNS: readonly string[] = [
  '(?i)\\b(?:ignore|disregard|forget|override|bypass)\\s+(?:all\\s+|any\\s+|of\\s+)?(?:the\\s+|your\\s+|my\\s+|these\\s+)?(?:previous|prior|above|earlier|preceding|initial|original|system|existing)\\s+(?:instructions?|prompts?|rules|directions|directives|messages?|context|guidelines|commands)',
  '(?i)\\b(?:ignore|disregard|forget)\\s+(?:everything|all)\\s+(?:above|before|you(?:\\s+were|\\s+have\\s+been|\\x27ve\\s+been)\\s+told|previously)',
  '(?i)\\b(?:reveal|show|print|repeat|output|display|tell\\s+me)\\s+(?:me\\s+)?(?:your|the)\\s+(?:full\\s+|entire\\s+|hidden\\s+|initial\\s+)?(?:system\\s+prompt|system\\s+message|initial\\s+instructions|hidden\\s+instructions|developer\\s+message)',
  '(?i)\\byou\\s+are\\s+(?:now\\s+)?(?:in\\s+)?(?:DAN\\b|developer\\s+mode|jailbroken|an?\\s+unrestricted\\s+(?:ai|model|assistant))',
  '(?i)\\b(?:pretend|act)\\s+(?:that\\s+)?(?:as\\s+if\\s+)?you\\s+(?:have|had)\\s+no\\s+(?:restrictions|rules|guidelines|limits|filters)',
  '(?i)(?:<\\|im_start\\|>|\\[/?INST\\]|<<SYS>>|###\\s*(?:system|instructions?)\\s*:)',
  '(?i)\\bdo\\s+anything\\s+now\\b',
  '(?i)\\b(?:ignore|disregard|forget|bypass|override|leave)\\s+(?:all\\s+|any\\s+|all\\s+of\\s+)?(?:of\\s+)?(?:your\\s+)?(?:own\\s+)?(?:instructions|guidelines|programming|safety\\s+\\w+|content\\s+(?:filters?|polic(?:y|ies)))(?:\\s+(?:before|above|and)\\b|\\s*[.!,]|$)',
  '(?i)\\b(?:do\\s+not|don\\x27t|never|must\\s+not|stop)\\s+(?:follow(?:ing)?|obey(?:ing)?|pay(?:ing)?\\s+attention\\s+to)\\s+(?:any\\s+of\\s+)?(?:the\\s+|your\\s+)(?:previous|prior|above|earlier|original|system)?\\s*(?:instructions|rules|guidelines|prompts?)',
  '(?i)\\b(?:ignore|disregard|forget)\\s+(?:what|everything|all)\\s+(?:i|we|they|you)\\s+(?:have\\s+)?(?:said|told|wrote|written)',
  '(?i)\\b(?:disregard|ignore|instead\\s+of)\\s+(?:all\\s+of\\s+)?the\\s+above\\s*(?:and|,|[.!]|$)',
  '(?i)\\b(?:what\\s+(?:is|was|were|are)|repeat|output|print|reveal|show\\s+me|tell\\s+me|summari[sz]e|leak)\\s+(?:all\\s+(?:of\\s+)?)?your\\s+(?:full\\s+|exact\\s+|secret\\s+|hidden\\s+|initial\\s+|original\\s+|system\\s+)*(?:prompt|instructions|rules|system\\s+message)\\b',
  '(?i)\\b(?:repeat|print|output|copy)\\s+(?:me\\s+)?(?:the\\s+(?:text|words|prompt)|everything)\\s+above\\s+(?:this|verbatim|word)',
  '(?i)\\b(?:jailbreak|unrestricted|unfiltered)\\s+(?:mode|ai\\b)',
  '(?i)\\b(?:vergiss|vergessen\\s+sie|ignoriere|ignorieren\\s+sie|missachte)\\s+(?:bitte\\s+)?(?:alles,?\\s+was\\s+(?:du|ich)|(?:alle|die|deine)\\s+(?:\\p{L}+en\\s+)?(?:anweisungen|instruktionen|befehle|regeln|aufgaben))',
  '(?i)\\b(?:ignora|olvida|ignore[zr]?|oublie[zr]?|ignorar|esque[cç]a)\\s+(?:tod[ao]s\\s+|toutes?\\s+|tutte\\s+)?(?:las\\s+|les\\s+|le\\s+|as\\s+)?(?:instrucciones|instructions|istruzioni|instru[cç][oõ]es|consignes)\\s+(?:anteriores|previas|pr[ée]c[ée]dentes|precedenti)',
];
