import { dayMs } from '../../schemas/durations.ts';
import type { PolicyCounter } from '../../schemas/policy-counters.ts';
import { type CalendarUnit, calendarUnits, type Window } from './window.ts';

/** The expressions of a counter, by the key of the document that holds them. */
export const counterExpressions = ['where', 'add', 'settle', 'distinct', 'per', 'reset'] as const;
export type CounterExpression = (typeof counterExpressions)[number];

/** The texts of a counter's expressions; undefined where there is none to check. */
export type CounterTexts = Readonly<Partial<Record<CounterExpression, string | undefined>>>;

const isUnit = (text: string): text is CalendarUnit => (calendarUnits as readonly string[]).includes(text);

/** `per` names a unit of the calendar, a value that splits the counter, or both. */
export function perOf(per: unknown): { units: CalendarUnit[]; values: string[] } {
  const texts = [per].flat().filter((text) => typeof text === 'string');
  return { units: texts.filter(isUnit), values: texts.filter((text) => !isUnit(text)) };
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** More than a year: what is counted by the year is counted whole. */
export const longestWindowMs = 400 * dayMs;

/** Of a text like `90s`, `30m`, `24h` or `7d`. */
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
