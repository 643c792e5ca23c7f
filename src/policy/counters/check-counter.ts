import { createBudget, parseTimestamp, type Timestamp } from '../../cel/index.ts';
import { zoneOffset } from '../../cel/time.ts';
import { type DocumentPath, readablePath } from '../policy-issue.ts';
import type { OnIssue } from '../read-document.ts';
import { lengthMs, longestWindowMs, perOf } from './counter-source.ts';

/** Checks what the schema of a counter cannot express: which keys go together, and that what it keeps is bounded. */
export function checkCounter(
  counter: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  report: OnIssue,
): void {
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
