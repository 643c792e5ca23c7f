import { check, compile, createBudget } from '../../../src/cel/index.ts';
import { coreTests } from '../conformance/core.ts';
import { data, generate } from './generate.ts';
import { Random } from './random.ts';

export interface MutationFinding {
  readonly source: string;
  readonly what: string;
}
export interface MutationResult {
  readonly sources: number;
  readonly accepted: number;
  readonly slowestMs: number;
  readonly findings: readonly MutationFinding[];
}

const SLOW_MS = 20;
const variables = Object.fromEntries(Object.keys(data).map((name) => [name, { kind: 'dyn' }])) as Parameters<
  typeof check
>[1]['variables'];

// biome-ignore format: short texts read better in rows
const PIECES = [
  '(', ')', '[', ']', '{', '}', '.', ',', ':', '?', '!', '-', '+', '*', '/', '%', '&&', '||', '==', '!=',
  '<', '>=', ' in ', '"', "'", '"""', '\\', '\n', '\u0000', '\ud800', '😀', '`', 'r"', 'b"', '0x', '1e999',
  '9007199254740993', '1u', '.5', 'true', 'null', 'in', 'for', 'i', 'ls', 'o', 'm', 'x', '__proto__',
  'constructor', 'toString', '.all(x, x)', '.map(x, [x, x])', '.exists(i, v, i)', '.filter(x, true)',
  '.sortBy(x, x)', '.transformMap(k, v, v)', '.transformMapEntry(k, v, {k: v})', 'has(', 'cel.bind(a, ',
  'size(', 'dyn(', 'optional.of(', '.?a', '[?0]', '.orValue(1)', '.optMap(x, x)', 'math.greatest(',
  'sets.contains(', '.matches("(a|b)*")', '.matches("(', '.split("")', '.flatten()',
  'timestamp("2026-01-01T00:00:00Z")', 'duration("1h")', '.getHours("Europe/Berlin")', 'lists.range(5)',
] as const;

function mutate(random: Random, source: string): string {
  let text = source;
  for (let edits = 1 + random.below(4); edits > 0; edits -= 1) {
    const at = random.below(text.length + 1);
    const length = random.below(8);
    const cut = text.slice(at, at + length);
    const other = random.below(text.length + 1);
    const edit = random.below(6);
    if (edit === 0) text = text.slice(0, at) + text.slice(at + length);
    else if (edit === 1) text = text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    else if (edit === 2) text = text.slice(0, at) + cut.repeat(1 + random.below(6)) + text.slice(at);
    else if (edit === 3) text = text.slice(0, other) + cut + text.slice(other);
    else if (edit === 4) text = text.slice(0, at) + random.pick(PIECES) + text.slice(at + length);
    else text = wrap(random, text);
  }
  return text;
}

function wrap(random: Random, text: string): string {
  const [open, close] = random.pick([
    ['(', ')'],
    ['[', ']'],
    ['!', ''],
    ['-', ''],
    ['size(', ')'],
    ['[1].map(q, ', ')'],
    ['cel.bind(q, ', ', q)'],
    ['{"k": ', '}'],
    ['true ? ', ' : 1'],
  ] as const);
  const times = 1 + random.below(40);
  return open.repeat(times) + text + close.repeat(times);
}

/** Checks, and where possible runs, `count` texts made by damaging working ones. */
export function mutation(seed: number, count: number): MutationResult {
  const random = new Random(seed);
  const seeds = coreTests().map(({ test }) => test.original.expr);
  const findings: MutationFinding[] = [];
  let accepted = 0;
  let slowestMs = 0;
  for (let run = 0; run < count; run += 1) {
    const origin = random.below(3) === 0 ? generate(random, true) : random.pick(seeds);
    const source = mutate(random, origin);
    const { ms, ok, what } = tryOne(source);
    if (ok) accepted += 1;
    slowestMs = Math.max(slowestMs, ms);
    if (what !== null) findings.push({ source, what });
    if (ms > SLOW_MS) findings.push({ source, what: `${ms.toFixed(1)} ms to check and compile` });
  }
  return { sources: count, accepted, slowestMs, findings };
}

function tryOne(source: string): { ms: number; ok: boolean; what: string | null } {
  try {
    const { ms, result } = timed(source);
    if (!result.ok) return { ms, ok: false, what: misplaced(source, result.issues) };
    const value = compile(result.expression).run(data, createBudget(50_000));
    return { ms, ok: true, what: value === undefined ? 'no value' : null };
  } catch (error) {
    return { ms: 0, ok: false, what: `threw ${String(error)}` };
  }
}

/** The quickest of ten when the first seems slow: a pause of the machine is not the text's fault. */
function timed(source: string): { ms: number; result: ReturnType<typeof check> } {
  let ms = Number.POSITIVE_INFINITY;
  for (let attempt = 0; ; attempt += 1) {
    const start = performance.now();
    const result = check(source, { variables });
    if (result.ok) compile(result.expression);
    ms = Math.min(ms, performance.now() - start);
    if (ms <= SLOW_MS || attempt === 9) return { ms, result };
  }
}

function misplaced(
  source: string,
  issues: readonly { offset: number; length: number; line: number; column: number; message: string }[],
): string | null {
  if (issues.length === 0) return 'refused without an issue';
  for (const { offset, length, line, column, message } of issues) {
    const lineStart =
      source
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0);
    if (offset < 0 || offset + length > source.length || lineStart + column - 1 !== offset)
      return `misplaced: ${message}`;
  }
  return null;
}
