import { RE2JS, RE2Set } from 're2js';
import type { CustomDetector } from './custom.ts';
import { taxonomy } from './taxonomy.ts';

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
 * What is wrong with custom detectors, in their order; empty when all can be used. The set of their patterns is timed
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
