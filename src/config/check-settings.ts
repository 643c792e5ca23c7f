import type { TSchema } from '@sinclair/typebox';
import type { Environment } from './environment.ts';
import { Settings } from './settings.ts';

/**
 * The settings with their defaults; null beside one line for each mistake. Checked here instead of by a library: compiling a
 * validator that runs once is a tenth of the time to start.
 */
export function checkSettings(given: Environment): { settings: Settings | null; refused: string[] } {
  const settings: Record<string, unknown> = {};
  const refused: string[] = [];
  for (const [name, schema] of Object.entries<TSchema>(Settings.properties)) {
    const text = given[name];
    const value = text === undefined ? schema.default : readValue(text, schema);
    const mistake = text === undefined ? null : mistakeIn(value, schema);
    // Never shows the value: it may be a key.
    if (mistake !== null) refused.push(`${name}: ${mistake} (${schema.description ?? 'see the README'})`);
    else if (value !== undefined) settings[name] = value;
  }
  return { settings: refused.length === 0 ? (settings as Settings) : null, refused };
}

/** Undefined for a text that cannot be of this type. */
function readValue(text: string, { type }: TSchema): unknown {
  if (type === 'boolean') return { true: true, false: false }[text];
  if (type !== 'integer' && type !== 'number') return text;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const isOfType = type === 'integer' ? Number.isInteger(number) : Number.isFinite(number);
  return isOfType ? number : undefined;
}

function mistakeIn(value: unknown, schema: TSchema): string | null {
  if (value === undefined) return `must be ${schema.type}`;
  const { enum: allowed, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(allowed) && !allowed.includes(value)) return `must be one of ${allowed.join(', ')}`;
  if (typeof value === 'number') return outOfRange(value, schema);
  if (typeof value !== 'string') return null;
  if (value.length < minLength) return `must have at least ${minLength} characters`;
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  return pattern === undefined || new RegExp(pattern, 'u').test(value) ? null : `must match ${pattern}`;
}

function outOfRange(value: number, { minimum, maximum, exclusiveMinimum }: TSchema): string | null {
  if (value < minimum) return `must be at least ${minimum}`;
  if (value > maximum) return `must be at most ${maximum}`;
  return value <= exclusiveMinimum ? `must be more than ${exclusiveMinimum}` : null;
}
