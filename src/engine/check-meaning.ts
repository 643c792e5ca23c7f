import { parseTimestamp } from '../cel/index.ts';
import { checkCounter } from './counters/check-counter.ts';
import { checkGivenCounters } from './counters/given-counters.ts';
import { isRecord } from './expression-source.ts';
import { type DocumentPath, readablePath } from './policy-issue.ts';
import type { OnIssue } from './read-document.ts';

/** Checks what a schema cannot express: ids are unique, a rule does exactly one thing, the times in tests exist. */
export function checkMeaning(value: unknown, report: OnIssue): void {
  const document = isRecord(value) ? value : {};
  const rules = listOf(document.rules);
  const seen = new Map<unknown, number>();
  for (const [index, rule] of rules.entries()) {
    const path = ['rules', index];
    const where = readablePath(path);
    const { id } = rule;
    const first = seen.get(id);
    if (typeof id === 'string' && first !== undefined) {
      const message = `${where}: the id ${JSON.stringify(id)} is already that of rules[${first}]`;
      report([...path, 'id'], { code: 'duplicate_id', message });
    }
    if (first === undefined) seen.set(id, index);
    const does = ['effect', 'escalate'].filter((key) => Object.hasOwn(rule, key));
    if (does.length === 1) continue;
    const message = `${where}: a rule has exactly one of "effect" and "escalate", this one has ${does.length === 0 ? 'none' : 'both'}`;
    report(path, { code: 'one_of', message });
  }
  const counters = isRecord(document.counters) ? document.counters : {};
  for (const [name, counter] of Object.entries(counters))
    if (isRecord(counter)) checkCounter(counter, ['counters', name], report);
  for (const [index, test] of listOf(document.tests).entries()) {
    checkGivenCounters(test.given, counters, ['tests', index, 'given', 'counters'], report);
    checkMoments(test.given, ['tests', index, 'given'], report);
    checkPhase(test.given, ['tests', index, 'given'], report);
  }
}

/** `now`, `session.startedAt`, and `at` of the recent actions. */
function checkMoments(given: unknown, path: DocumentPath, report: OnIssue): void {
  if (!isRecord(given)) return;
  const session = isRecord(given.session) ? given.session : {};
  const moments: [DocumentPath, unknown][] = [
    [[...path, 'now'], given.now],
    [[...path, 'session', 'startedAt'], session.startedAt],
    ...listOf(session.recentActions).map((action, index): [DocumentPath, unknown] => [
      [...path, 'session', 'recentActions', index, 'at'],
      action.at,
    ]),
  ];
  for (const [at, text] of moments) {
    if (typeof text !== 'string' || parseTimestamp(text) !== null) continue;
    const message = `${readablePath(at)}: ${JSON.stringify(text.slice(0, 40))} is not a date and time`;
    report(at, { code: 'bad_moment', message, hint: 'write it like 2026-01-31T09:30:00Z' });
  }
}

/** A result status in a test would be ignored in another phase; a PROMPT has no tool. */
function checkPhase(given: unknown, path: DocumentPath, report: OnIssue): void {
  if (!isRecord(given)) return;
  const { phase = 'ACTION' } = given;
  const misplaced =
    Object.hasOwn(given, 'result') && phase !== 'RESULT'
      ? 'result'
      : Object.hasOwn(given, 'tool') && phase === 'PROMPT'
        ? 'tool'
        : null;
  if (misplaced === null) return;
  const at = [...path, misplaced];
  const message =
    misplaced === 'result' ? 'only a RESULT has it: add phase: RESULT' : 'a PROMPT has no tool: leave it out';
  report(at, { code: 'wrong_phase', message: `${readablePath(at)}: ${message}` }, 'key');
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map((item) => (isRecord(item) ? item : {})) : [];
}
