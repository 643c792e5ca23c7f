import { language } from './operator/preferences.ts';

/** Times in 24 hours line up and sort; plain `en` would mean the American form. */
const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);

const formats = new Map<string, Intl.DateTimeFormat>();

function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language.value} ${name}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(localeOf(language.value), options);
  formats.set(key, known);
  return known;
}

/** In the viewer's time zone. */
export const timeOf = (at: string): string =>
  format('time', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(at));

export const dayAndTimeOf = (at: string): string =>
  format('day', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }).format(new Date(at));

export const secondOf = (at: string): string =>
  format('second', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(new Date(at));

/** A day of UTC, as the statistics count by. */
export const dateOf = (at: string): string =>
  format('date', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(at));

export const fullTimeOf = (at: string): string =>
  format('full', { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));

export const utcOf = (at: string): string => `${at.replace('T', ' ').replace(/(?:\.\d+)?Z$/, '')} UTC`;

/** `2026-11-22` or `2026-11-22T10:00`, in UTC, as the API takes it. */
export const momentOf = (text: string): string =>
  new Date(`${text.length === 10 ? `${text}T00:00` : text}Z`).toISOString();

export const count = (value: number): string => new Intl.NumberFormat(language.value).format(value);

export const milliseconds = (value: number): string =>
  new Intl.NumberFormat(language.value, {
    style: 'unit',
    unit: 'millisecond',
    maximumSignificantDigits: 3,
  }).format(value);

const lengthUnits = { s: 'second', m: 'minute', h: 'hour', d: 'day' } as const;

/** `30 minutes` for the `30m` of a policy; other texts as they are. */
export function lengthOf(text: string): string {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (!amount) return text;
  const options = {
    style: 'unit',
    unit: lengthUnits[unit as keyof typeof lengthUnits],
    unitDisplay: 'long',
  } as const;
  return new Intl.NumberFormat(language.value, options).format(Number(amount));
}

/** `4:05`, or `1:02:03` from an hour on. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (part: number): string => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** The last eight characters, which tell ids of one page apart. */
export const shortId = (id: string): string => id.slice(-8);

/** The entries of a text with commas between them. */
export const listed = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** A share between 0 and 1 as a text. */
export const percent = (share: number): string =>
  new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: 1 }).format(share);

/** A growth as a text: 0.5 is `+50 %`. */
export const signedPercent = (growth: number): string =>
  new Intl.NumberFormat(language.value, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  }).format(growth);

/** The lines of a text that are not empty. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
