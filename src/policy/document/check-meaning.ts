import { createBudget, parseTimestamp, type Timestamp } from '../../cel/index.ts';
import { didYouMean } from '../../cel/suggest.ts';
import { zoneOffset } from '../../cel/time.ts';
import { dayMs, minuteMs } from '../../schemas/durations.ts';
import { lengthMs, longestWindowMs, perOf } from '../counters/window.ts';
import { isRecord } from '../records.ts';
import { type DocumentPath, readablePath } from './policy-issue.ts';
import type { OnIssue } from './read-document.ts';

/** Checks what a schema cannot express: ids are unique, a rule does something, the times in tests exist. */
export function checkMeaning(value: unknown, report: OnIssue): void {
  const document = isRecord(value) ? value : {};
  const rules = listOf(document.rules);
  const seen = new Map<unknown, number>();
  for (const [index, rule] of rules.entries()) {
    const path = ['rules', index];
    const where = readablePath(path);
    checkApproval(rule, path, report);
    const { id } = rule;
    const first = seen.get(id);
    if (typeof id === 'string' && first !== undefined) {
      const message = `${where}: the id ${JSON.stringify(id)} is already that of rules[${first}]`;
      report([...path, 'id'], { code: 'duplicate_id', message });
    }
    if (first === undefined) seen.set(id, index);
    const does = ['effect', 'escalate'].filter((key) => Object.hasOwn(rule, key));
    if (does.length === 1 || (does.length === 0 && Object.hasOwn(rule, 'label'))) continue;
    const message =
      does.length === 0
        ? `${where}: a rule needs one of "effect", "escalate" and "label"`
        : `${where}: a rule has at most one of "effect" and "escalate", this one has both`;
    report(path, { code: 'one_of', message });
  }
  const counters = isRecord(document.counters) ? document.counters : {};
  for (const [name, counter] of Object.entries(counters))
    if (isRecord(counter)) checkCounter(counter, ['counters', name], report);
  checkTests(listOf(document.tests), counters, report);
}

const leastMs = minuteMs;
const mostMs = 7 * dayMs;

/** Checks what the schema of an approval cannot express: where it stands, how long a review may wait, and that a grant ends. */
function checkApproval(rule: Readonly<Record<string, unknown>>, path: DocumentPath, report: OnIssue): void {
  if (!Object.hasOwn(rule, 'approval')) return;
  const at = [...path, 'approval'];
  if (rule.effect !== 'APPROVAL_REQUIRED') {
    const message = `${readablePath(at)}: belongs to a rule that holds actions`;
    report(at, { code: 'misplaced', message, hint: 'add effect: APPROVAL_REQUIRED, or leave it out' }, 'key');
  }
  const { expiresIn, grant } = isRecord(rule.approval) ? rule.approval : {};
  checkLength(expiresIn, [...at, 'expiresIn'], report);
  if (!isRecord(grant)) return;
  checkLength(grant.for, [...at, 'grant', 'for'], report);
  if (Object.hasOwn(grant, 'for') || Object.hasOwn(grant, 'uses')) return;
  const message = `${readablePath([...at, 'grant'])}: a grant needs an end: "for", "uses" or both`;
  report([...at, 'grant'], { code: 'unbounded', message });
}

function checkLength(length: unknown, path: DocumentPath, report: OnIssue): void {
  if (typeof length !== 'string' || !/^[1-9][0-9]{0,8}[smhd]$/.test(length)) return;
  const ms = lengthMs(length);
  if (ms >= leastMs && ms <= mostMs) return;
  report(path, { code: 'out_of_range', message: `${readablePath(path)}: has to be from 60s to 7d` });
}

/** Checks what the schema of a counter cannot express: which keys go together, and that what it keeps is bounded. */
function checkCounter(counter: Readonly<Record<string, unknown>>, path: DocumentPath, report: OnIssue): void {
  const say = (key: string | null, code: string, message: string, hint?: string): void => {
    const at = key === null ? path : [...path, key];
    report(at, { code, message: `${readablePath(at)}: ${message}`, ...(hint === undefined ? {} : { hint }) });
  };
  const has = (key: string) => Object.hasOwn(counter, key);
  if (has('add') && has('distinct'))
    say('distinct', 'one_of', 'a counter has at most one of "add" and "distinct"');
  if (has('distinct') && !has('cap'))
    say('distinct', 'unbounded', 'needs "cap", the most distinct values', 'add cap: 1000');
  if (has('cap') && !has('distinct')) say('cap', 'misplaced', 'belongs to "distinct", which is missing');
  if (has('settle') && !has('add'))
    say(
      'settle',
      'misplaced',
      'replaces what "add" added, which is missing',
      'add what the action reserves, as in add: "1"',
    );
  if (has('settle') && counter.on === 'RESULT')
    say('settle', 'one_of', 'a counter that settles counts actions', 'leave out on: RESULT');
  if (has('settle') && perOf(counter.per).values.length > 0)
    say(
      'settle',
      'one_of',
      'a counter that a value splits cannot settle',
      'split it by a unit of the calendar only',
    );
  checkTime(counter, has, say);
  if (counter.on === 'RESULT' && counter.counts === 'HELD')
    say('counts', 'never_matches', 'a RESULT is never held', 'use BLOCKED or ATTEMPTED');
  if (counter.counts === 'REJECTED') {
    if (counter.on === 'RESULT')
      say('counts', 'never_matches', 'a RESULT is never rejected', 'leave out on: RESULT');
    if (has('settle'))
      say('settle', 'one_of', 'an action that was rejected has no result to settle with', 'leave out settle');
  }
}

type Say = (key: string | null, code: string, message: string, hint?: string) => void;

function checkTime(
  { over, within, per, zone }: Readonly<Record<string, unknown>>,
  has: (key: string) => boolean,
  say: Say,
): void {
  const { units, values } = perOf(per);
  if (units.length > 1 || values.length > 1)
    say('per', 'one_of', 'takes one unit of the calendar, one value, or one of each');
  if (has('within') && units.length > 0)
    say('within', 'one_of', `a counter has "within" or a unit of the calendar (per: ${units[0]}), not both`);
  if (typeof within === 'string' && /^[1-9][0-9]*[smhd]$/.test(within) && lengthMs(within) > longestWindowMs)
    say('within', 'out_of_range', 'has to be at most 400d');
  if ((over === 'entity' || over === 'integration') && !has('within') && units.length === 0) {
    const hint = 'add within: 24h, or per: day';
    say(null, 'unbounded', `a counter over ${over} never ends, so it needs a window`, hint);
  }
  if (has('zone') && units.length === 0)
    say('zone', 'misplaced', 'belongs to a unit of the calendar', 'add per: day, or leave it out');
  if (typeof zone === 'string' && !isZone(zone))
    say(
      'zone',
      'bad_zone',
      `${JSON.stringify(zone)} is not a time zone`,
      'write it like Europe/Berlin or +02:00',
    );
}

const anyMoment = parseTimestamp('2026-01-01T00:00:00Z') as Timestamp;
const isZone = (zone: string): boolean => typeof zoneOffset(zone, anyMoment, createBudget()) === 'number';

/** Checks what a schema cannot express about tests: what goes together, and that their times exist. */
function checkTests(
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
const ofAction = ['tool', 'input', 'targetKey', 'cost', 'identity', 'dataTags'] as const;

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

/** Checks the counters that a test sets: they exist, and those that a value splits are given by value. */
function checkGivenCounters(
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
