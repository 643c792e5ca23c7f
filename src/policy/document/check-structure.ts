import { didYouMean } from '../../cel/suggest.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { type DocumentPath, readablePath } from './policy-issue.ts';
import type { OnIssue } from './read-document.ts';

/** The part of JSON Schema that policy documents use. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  minimum?: number;
  maximum?: number;
}

/** Reports every place where a JSON value differs from its schema. What the values mean is checked elsewhere. */
export function checkStructure(
  schema: Schema,
  value: unknown,
  report: OnIssue,
  path: DocumentPath = [],
): void {
  const kind = kindOf(value);
  const where = readablePath(path);
  const say = (code: string, message: string, hint?: { hint?: string }) =>
    report(path, { code, message: `${where}: ${message}`, ...hint });

  const allowed = schema.type === undefined ? undefined : [schema.type].flat();
  if (allowed && !isOneOf(allowed, kind)) {
    const expected = allowed.map(withArticle).join(' or ');
    say('wrong_type', `expected ${expected}, found ${withArticle(kind)}`, quotesHint(allowed, value));
    return;
  }
  if (schema.enum && !schema.enum.includes(value)) {
    const names = schema.enum.map(String);
    const hint = typeof value === 'string' ? hintOf(value, names) : undefined;
    say('not_allowed', `expected ${listed(names)}, found ${shown(value)}`, hint);
    return;
  }
  if (typeof value === 'string') checkText(schema, value, say);
  if (typeof value === 'number' || typeof value === 'bigint') checkNumber(schema, value, say);
  const tooMany = (size: number, most = Infinity): boolean => {
    if (size > most) say('too_many', `has ${size} entries, at most ${most} are allowed`);
    return size > most;
  };
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0))
      say('too_few', `needs at least ${count(schema.minItems, 'entry', 'entries')}`);
    if (tooMany(value.length, schema.maxItems)) return;
    const { items } = schema;
    if (items)
      value.forEach((item, index) => {
        checkStructure(items, item, report, [...path, index]);
      });
  } else if (kind === 'object' && !tooMany(Object.keys(value as object).length, schema.maxProperties))
    checkObject(schema, value as Record<string, unknown>, report, path);
}

const isOneOf = (allowed: readonly string[], kind: string): boolean =>
  allowed.includes(kind) || (kind === 'integer' && allowed.includes('number'));

function quotesHint(allowed: readonly string[], value: unknown): { hint: string } | undefined {
  const isBare = ['boolean', 'number', 'bigint'].includes(typeof value);
  return isBare && allowed.includes('string') ? { hint: 'put it in quotes' } : undefined;
}

// Each one is compared with all known keys to find a hint: thousands of them would take seconds and help nobody.
const maxUnknownKeys = 50;

function checkObject(
  schema: Schema,
  value: Record<string, unknown>,
  report: OnIssue,
  path: DocumentPath,
): void {
  const properties = schema.properties ?? {};
  const patterns = Object.entries(schema.patternProperties ?? {});
  let unknown = 0;
  for (const [key, item] of Object.entries(value)) {
    const here = [...path, key];
    const known = Object.hasOwn(properties, key)
      ? properties[key]
      : patterns.find(([pattern]) => new RegExp(pattern).test(key))?.[1];
    if (known) checkStructure(known, item, report, here);
    else if (patterns.length > 0) {
      const message = `${readablePath(path)}: the name ${shown(key)} has to match ${patterns[0]?.[0]}`;
      report(here, { code: 'bad_name', message }, 'key');
    } else if (schema.properties && unknown < maxUnknownKeys) {
      unknown++;
      const message = `${readablePath(path)}: unknown key ${shown(key)}`;
      report(here, { code: 'unknown_key', message, ...hintOf(key, Object.keys(properties)) }, 'key');
    }
  }
  for (const key of schema.required ?? []) {
    if (Object.hasOwn(value, key)) continue;
    report([...path, key], {
      code: 'missing_key',
      message: `${readablePath(path)}: ${shown(key)} is missing`,
    });
  }
}

type Say = (code: string, message: string) => void;

function checkText(schema: Schema, value: string, say: Say): void {
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  if (value.length < minLength) say('too_short', 'must not be empty');
  else if (value.length > maxLength)
    say('too_long', `has ${value.length} characters, at most ${maxLength} are allowed`);
  else if (pattern !== undefined && !new RegExp(pattern).test(value))
    say('bad_name', `has to match ${pattern}`);
}

function checkNumber(schema: Schema, value: number | bigint, say: Say): void {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (value < minimum) say('out_of_range', `has to be at least ${minimum}`);
  else if (value > maximum) say('out_of_range', `has to be at most ${maximum}`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) || typeof value === 'bigint' ? 'integer' : typeof value;
}

const words: Record<string, string> = {
  array: 'a list',
  object: 'a map',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'nothing (null)',
  string: 'a text',
  number: 'a number',
};

function withArticle(kind: string): string {
  return words[kind] as string;
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** A value as it was written, cut to a length that fits a message. */
function shown(value: unknown): string {
  const text = stringifyJson(value);
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

function count(number: number | undefined, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The names of effects in other policy languages. */
const effects: Readonly<Record<string, string>> = {
  DENY: 'BLOCK',
  REJECT: 'BLOCK',
  REFUSE: 'BLOCK',
  FORBID: 'BLOCK',
  STOP: 'BLOCK',
  PERMIT: 'ALLOW',
  ACCEPT: 'ALLOW',
  ALERT: 'WARN',
  LOG: 'WARN',
  ASK: 'APPROVAL_REQUIRED',
  HOLD: 'APPROVAL_REQUIRED',
  REVIEW: 'APPROVAL_REQUIRED',
  ESCALATE: 'APPROVAL_REQUIRED',
};

function hintOf(written: string, names: readonly string[]): { hint?: string } {
  const effect = effects[written.toUpperCase()];
  if (effect !== undefined && names.includes(effect)) return { hint: `did you mean "${effect}"?` };
  const hint = didYouMean(written, names);
  return hint === undefined ? {} : { hint };
}
