import { didYouMean } from '../../cel/suggest.ts';
import type { PolicyTestGiven } from '../../schemas/policy-tests.ts';
import { type DocumentPath, readablePath } from '../policy-issue.ts';
import type { OnIssue } from '../read-document.ts';
import { isRecord } from '../records.ts';
import { perOf } from './counter-source.ts';
import type { CounterReadings } from './read-counters.ts';

/** Checks the counters that a test sets: they exist, and those that a value splits are given by value. */
export function checkGivenCounters(
  given: unknown,
  counters: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  report: OnIssue,
): void {
  if (!isRecord(given) || !isRecord(given.counters)) return;
  for (const [name, value] of Object.entries(given.counters)) {
    const at = [...path, name];
    const counter = Object.hasOwn(counters, name) ? counters[name] : undefined;
    if (counter === undefined) {
      const hint = didYouMean(name, Object.keys(counters)) ?? 'declare it under counters';
      report(
        at,
        { code: 'unknown_key', message: `${readablePath(at)}: there is no such counter`, hint },
        'key',
      );
      continue;
    }
    const isSplit = isRecord(counter) && perOf(counter.per).values.length > 0;
    if (isSplit === isRecord(value)) continue;
    const message = isSplit
      ? 'is split by a value: give a number for each, as in { c1: 1 }'
      : 'is one number: nothing splits it';
    report(at, { code: 'wrong_type', message: `${readablePath(at)}: ${message}` });
  }
}

/** What a test gives; 0 for every other counter and value. */
export const givenCounters = (given: PolicyTestGiven['counters'] = {}): CounterReadings => ({
  isReserved: () => false,
  read({ name }, key) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (typeof value !== 'object') return value ?? 0;
    // A key begins with its type; in a test, the number 7 and the text "7" are written alike.
    const text = key.slice(1);
    return (Object.hasOwn(value, text) ? value[text] : undefined) ?? 0;
  },
});
