import { parseTimestamp } from '../cel/index.ts';
import { checkGivenCounters } from './counters/given-counters.ts';
import { type DocumentPath, readablePath } from './policy-issue.ts';
import type { OnIssue } from './read-document.ts';
import { isRecord } from './records.ts';

/** Checks what a schema cannot express about tests: what goes together, and that their times exist. */
export function checkTests(
  tests: readonly Record<string, unknown>[],
  counters: Readonly<Record<string, unknown>>,
  report: OnIssue,
): void {
  for (const [index, test] of tests.entries()) {
    const path = ['tests', index];
    const { given } = test;
    checkForm(test, path, report);
    checkGivenCounters(given, counters, [...path, 'given', 'counters'], report);
    checkMoments(given, [...path, 'given'], report);
    checkPhase(given, [...path, 'given'], report);
    for (const [step, value] of listOf(test.steps).entries())
      checkStep(value, [...path, 'steps', step], report);
  }
}

/** A test is about one evaluation or about steps. */
function checkForm(test: Readonly<Record<string, unknown>>, path: DocumentPath, report: OnIssue): void {
  const has = (key: string) => Object.hasOwn(test, key);
  const say = (key: string | null, code: string, message: string, hint?: string) => {
    const at = key === null ? path : [...path, key];
    const issue = { code, message: `${readablePath(at)}: ${message}`, ...(hint !== undefined && { hint }) };
    report(at, issue, key === null ? 'value' : 'key');
  };
  if (!has('steps')) {
    if (!has('given') || !has('expect')) say(null, 'one_of', 'a test has "given" and "expect", or "steps"');
    for (const key of ['with', 'integration', 'tools'])
      if (has(key)) say(key, 'misplaced', 'belongs to a test with steps');
    return;
  }
  for (const key of ['given', 'expect'])
    if (has(key)) say(key, 'one_of', 'a test with steps has none', 'say it in the steps');
}

const deeds = ['prompt', 'approve', 'reject', 'end'] as const;
const ofAction = ['tool', 'input', 'targetKey', 'cost', 'dataTags'] as const;

function checkStep(step: Readonly<Record<string, unknown>>, path: DocumentPath, report: OnIssue): void {
  const say = (key: string, code: string, message: string) => {
    const at = [...path, key];
    report(at, { code, message: `${readablePath(at)}: ${message}` }, 'key');
  };
  const has = (key: string) => Object.hasOwn(step, key);
  if (has('at') && has('after')) say('after', 'one_of', 'a step has at most one of "at" and "after"');
  checkMoment(step.at, [...path, 'at'], report);
  const done = deeds.filter(has);
  const [first, second] = done;
  if (second !== undefined) say(second, 'one_of', `a step has at most one of ${listed(deeds)}`);
  if (first === undefined) {
    if (!ofAction.some(has)) {
      const message = `${readablePath(path)}: says nothing that happens: add "tool", "input" or one of ${listed(deeds)}`;
      report(path, { code: 'one_of', message });
    }
    return;
  }
  const misplaced: string[] =
    first === 'prompt' ? ['tool', 'input', 'targetKey', 'result'] : [...ofAction, ...ofOpening];
  if (first === 'end') misplaced.push('result', 'expect');
  for (const key of misplaced.filter(has)) say(key, 'misplaced', whyMisplaced[first]);
}

const whyMisplaced = {
  prompt: 'a prompt has none',
  approve: 'the step does again what was held',
  reject: 'the step does again what was held',
  end: 'the end of a session has none',
};
const ofOpening = ['times', 'session', 'parent', 'entityId', 'metadata'] as const;

const listed = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** `now`, `session.startedAt`, and `at` of the recent actions. */
function checkMoments(given: unknown, path: DocumentPath, report: OnIssue): void {
  if (!isRecord(given)) return;
  const session = isRecord(given.session) ? given.session : {};
  checkMoment(given.now, [...path, 'now'], report);
  checkMoment(session.startedAt, [...path, 'session', 'startedAt'], report);
  for (const [index, { expiresAt }] of listOf(session.grants).entries())
    checkMoment(expiresAt, [...path, 'session', 'grants', index, 'expiresAt'], report);
  for (const [index, { at }] of listOf(session.recentActions).entries())
    checkMoment(at, [...path, 'session', 'recentActions', index, 'at'], report);
}

function checkMoment(text: unknown, at: DocumentPath, report: OnIssue): void {
  if (typeof text !== 'string' || parseTimestamp(text) !== null) return;
  const message = `${readablePath(at)}: ${JSON.stringify(text.slice(0, 40))} is not a date and time`;
  report(at, { code: 'bad_moment', message, hint: 'write it like 2026-01-31T09:30:00Z' });
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

export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map((item) => (isRecord(item) ? item : {})) : [];
}
