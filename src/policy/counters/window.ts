import { createBudget, timestampFromEpochMs } from '../../cel/index.ts';
import { civilFromDays, zoneOffset } from '../../cel/time.ts';
import { dayMs, hourMs } from '../../schemas/durations.ts';
import type { PolicyCounter } from '../../schemas/policy-documents.ts';

/** The time that a counter looks back: all of it, a sliding length, or the present unit of the calendar. */
export type Window =
  | { readonly kind: 'always' }
  | { readonly kind: 'sliding'; readonly ms: number }
  | { readonly kind: 'calendar'; readonly unit: CalendarUnit; readonly zone: string };

const calendarUnits = ['hour', 'day', 'week', 'month'] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

/**
 * The count of one slice of time is kept as one number. A sliding window is 60 slices long, so a counter has at
 * most 61 of them: those of the window and the one that its far end is in.
 */
const slicesPerWindow = 60;

/** 1970-01-01 was a Thursday; weeks begin on Monday (ISO 8601). */
const daysBeforeMonday = 3;

/** The slice that a moment is in (epoch milliseconds). Later moments never have a smaller one. */
export function sliceAt(window: Window, at: number): number {
  switch (window.kind) {
    case 'always':
      return 0;
    case 'sliding':
      // One division of exact integers: multiplying by a rounded width would move moments across the edges.
      return Math.floor((at * slicesPerWindow) / window.ms);
    case 'calendar':
      return unitAt(window.unit, at + offsetMs(window.zone, at));
  }
}

/**
 * The oldest slice that counts now. Nothing younger than a sliding window is left out, and nothing counts that is older
 * than the window and a sixtieth of it. Slices after the present one count too: a clock that was set back must not
 * empty a limit.
 */
export function firstSlice(window: Window, now: number): number {
  return sliceAt(window, now) - (window.kind === 'sliding' ? slicesPerWindow : 0);
}

/** A length of time after which nothing that happens now counts any more; null when it always does. */
export function reachMs(window: Window): number | null {
  switch (window.kind) {
    case 'always':
      return null;
    case 'sliding':
      return Math.ceil((window.ms * (slicesPerWindow + 1)) / slicesPerWindow);
    case 'calendar':
      // Longer than any such unit, in any zone.
      return { hour: 3 * hourMs, day: 3 * dayMs, week: 9 * dayMs, month: 33 * dayMs }[window.unit];
  }
}

function unitAt(unit: CalendarUnit, local: number): number {
  const days = Math.floor(local / dayMs);
  switch (unit) {
    case 'hour':
      return Math.floor(local / hourMs);
    case 'day':
      return days;
    case 'week':
      return Math.floor((days + daysBeforeMonday) / 7);
    case 'month': {
      const { year, month } = civilFromDays(days);
      return year * 12 + month - 1;
    }
  }
}

/** The last offset found in each zone: most moments asked for are in the same second as the one before. */
const offsets = new Map<string, { second: number; ms: number }>();
const mostOffsets = 1_000;

/** The check of a document refuses unknown zones; one that this installation does not know any more counts as UTC. */
function offsetMs(zone: string, at: number): number {
  if (zone === 'UTC') return 0;
  const second = Math.floor(at / 1_000);
  const known = offsets.get(zone);
  if (known?.second === second) return known.ms;
  const moment = timestampFromEpochMs(at);
  const offset = moment === null ? 0 : zoneOffset(zone, moment, createBudget());
  const ms = typeof offset === 'number' ? offset * 1_000 : 0;
  if (offsets.size >= mostOffsets) offsets.clear();
  offsets.set(zone, { second, ms });
  return ms;
}

const isUnit = (text: string): text is CalendarUnit => (calendarUnits as readonly string[]).includes(text);

/** `per` names a unit of the calendar, a value that splits the counter, or both. */
export function perOf(per: unknown): { units: CalendarUnit[]; values: string[] } {
  const texts = [per].flat().filter((text) => typeof text === 'string');
  return { units: texts.filter(isUnit), values: texts.filter((text) => !isUnit(text)) };
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** More than a year: what is counted by the year is counted whole. */
export const longestWindowMs = 400 * dayMs;

/** The milliseconds of a text like `90s`, `30m`, `24h` or `7d`. */
export const lengthMs = (within: string): number =>
  Number(within.slice(0, -1)) * (unitMs[within.slice(-1)] as number);

export function windowOf({
  within,
  per,
  zone = 'UTC',
}: Pick<PolicyCounter, 'within' | 'per' | 'zone'>): Window {
  const [unit] = perOf(per).units;
  if (unit !== undefined) return { kind: 'calendar', unit, zone };
  return within === undefined ? { kind: 'always' } : { kind: 'sliding', ms: lengthMs(within) };
}
