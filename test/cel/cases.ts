import type { Test } from 'tap';
import { Duration, formatDuration, formatTimestamp, Optional, Timestamp } from '../../src/cel/index.ts';
import { evaluate, type Setting } from './evaluate.ts';

/** A source text and the value it must have; errors as `error: code`. */
export type Case = readonly [source: string, expected: unknown];

export function runCases(t: Test, cases: readonly Case[], setting: Setting = {}): void {
  for (const [source, expected] of cases) t.same(plain(evaluate(source, setting)), expected, source);
}

/** Values of our own classes as what they print, maps as entries. */
export function plain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, inner]) => [String(key), plain(inner)]));
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Optional) return value.present ? { some: plain(value.value) } : 'none';
  return value;
}
