import type { JsonObject } from '../../schemas/values.ts';
import {
  answeringVerbs,
  computedWords,
  contentWords,
  directoryWords,
  has,
  isContainer,
  settingNouns,
  wordsIn,
  wordsOf,
} from './proposal-words.ts';
import { argumentsIn, destinationsOf, isIdentifier } from './proposed-arguments.ts';
import { type Definition, effectOf, headOf } from './proposed-effect.ts';
import type { ProposedReason } from './schema.ts';
import { isObject, resolved } from './tool-lists.ts';
import type { ToolEffect } from './words.ts';

/** The description of a tool, inferred from its definition; an operator confirms or corrects it. */
export interface Proposal {
  effect: ToolEffect;
  destinations: string[];
  identifiers: string[];
  content: string[];
  untrustedResults: boolean;
  /** Empty where any field may be written by others. */
  untrustedFields: string[];
  directory: boolean;
  reasons: ProposedReason[];
}

const mostPaths = 50;

/**
 * Proposes what a tool does. Everything that is read was written by its server, so it is a claim: hints can make the proposal
 * graver than the name, and READ only where the name does not say that something changes. Nothing becomes DESTRUCTIVE for want
 * of a hint.
 */
export function proposeTool(definition: Definition): Proposal {
  const named = wordsIn(definition.name.slice(0, 200));
  const schema = definition.argumentsLike ?? definition.inputSchema ?? {};
  const all = argumentsIn(definition.document ?? schema, schema);
  const { effect, reason, verb, reads = effect === 'READ', runs = false } = effectOf(definition, named, all);
  const reasons: ProposedReason[] = [{ field: 'effect', reason }];
  const say = (field: ProposedReason['field'], why: string): void =>
    void reasons.push({ field, reason: why });

  const destinations = once(destinationsOf({ effect, verb, named }, all));
  for (const { path, why } of destinations) say('destinations', `argument ${path}: ${why}`);
  const taken = new Set(destinations.map(({ path }) => path));
  const content = once(
    all.filter(({ path, words, isText }) => isText && !taken.has(path) && has(words, contentWords)),
  );
  const identifiers = once(
    all.filter((argument) => effect !== 'READ' && !taken.has(argument.path) && isIdentifier(argument)),
  );
  for (const { path } of identifiers) say('identifiers', `argument ${path} says what is changed`);
  const untrusted = untrustedBecause({
    reads,
    runs,
    verb,
    named,
    definition,
  });
  say('untrustedResults', untrusted.why);
  const { outputSchema } = definition;
  const fields = untrusted.isUntrusted && outputSchema ? fieldsIn(outputSchema) : null;
  const untrustedFields = fields?.filter(({ isOthers }) => isOthers).map(({ path }) => path) ?? [];
  // A list is useful only where others do not write some of the fields.
  const isListed = fields !== null && untrustedFields.length > 0 && untrustedFields.length < fields.length;
  if (isListed)
    say('untrustedFields', 'by its result schema, the other fields hold ids, numbers, times or fixed words');
  const directory = effect === 'READ' && isDirectory(named);
  if (directory) say('directory', 'it lists people or accounts that the user knows');
  const pathsOf = (some: readonly { path: string }[]) => some.map(({ path }) => path).slice(0, mostPaths);
  return {
    effect,
    destinations: pathsOf(destinations),
    identifiers: pathsOf(identifiers),
    content: pathsOf(content),
    untrustedResults: untrusted.isUntrusted,
    untrustedFields: isListed ? untrustedFields : [],
    directory,
    reasons: reasons.slice(0, mostPaths),
  };
}

/** Each path once: an argument of several forms (`oneOf` a text or a list of them) is read once for each. */
const once = <T extends { path: string }>(some: readonly T[]): T[] => [
  ...new Map(some.map((one) => [one.path, one])).values(),
];

const offered =
  /^\W*(?:lists?|gets?|returns?|retrieves?|shows?)\s(?:\p{L}+\s+){0,3}(?:available|supported)\s+(?:\p{L}+\s+)?(\p{L}+)/iu;

interface Known {
  reads: boolean;
  /** Whether it runs what it is given. */
  runs: boolean;
  verb: string | null;
  named: readonly string[];
  definition: Definition;
}

function untrustedBecause({ reads, runs, verb, named, definition }: Known): {
  isUntrusted: boolean;
  why: string;
} {
  const { description = '', outputSchema } = definition;
  if (outputSchema && tellsOnlyFigures(outputSchema, outputSchema))
    return { isUntrusted: false, why: 'its results hold no text' };
  if (reads) {
    const isTold =
      tellsOwn(named, description) && !has(named, new Set(['search', 'page', 'events', 'calendar']));
    return isTold
      ? { isUntrusted: false, why: 'it tells what is computed' }
      : { isUntrusted: true, why: 'it reads what others may have written' };
  }
  if (verb === null) return { isUntrusted: true, why: 'nothing says what it does' };
  const answers = runs || (answeringVerbs.has(verb) && !has(named, settingNouns));
  const shows =
    (named.includes('browser') && !has(named, new Set(['close', 'resize', 'emulate', 'install']))) ||
    /\breturns? (?:the |its )?(?:output|content|page|snapshot|stdout|rows|results?)\b/i.test(description);
  return answers || shows
    ? { isUntrusted: true, why: 'it answers with what others may have written' }
    : { isUntrusted: false, why: 'it answers only whether it was done' };
}

/** Whether the results are computed, or are what the service itself says. */
function tellsOwn(named: readonly string[], description: string): boolean {
  const choices = offered.exec(description)?.[1]?.toLowerCase();
  return (
    has(named, computedWords) ||
    named.at(-1) === 'ids' ||
    ownNouns.has(headOf(named).replace(/(?<!s)s$/, '')) ||
    (named.includes('status') && has(named, jobNouns)) ||
    (/^info(?:rmation)?$/.test(named.at(-1) ?? '') && has(named, jobNouns)) ||
    /^(?:\w+ )?get (?:the )?(?:current|authenticated) user$|\busers get current$/.test(named.join(' ')) ||
    named[0] === 'generate' ||
    (choices !== undefined && !isContainer(choices)) ||
    counted.test(description) ||
    /\bmetadata (?:about|of|for) an? (?:file|directory|folder)\b/i.test(description)
  );
}
const counted = /^\W*(?:gets?|returns?|retrieves?|counts?) (?:the |a )?(?:total )?(?:number|counts?) of\b/i;

/** Figures and settings: nobody else writes a text into one. */
const ownNouns = wordsOf(`
  rule override mailbox voice gateway state stage datasource position ticker orderbook trade total measurement bbox me number
  phone price
`);

const timeFormats = /^(?:date|time|date-time|duration|uuid)$/;

/** Whether results that match the schema have no text in them that anybody wrote. */
function tellsOnlyFigures(root: JsonObject, given: unknown, depth = 0): boolean {
  const schema = resolved(root, given);
  if (!isObject(schema) || depth > 4) return false;
  if (Array.isArray(schema.enum) || schema.const !== undefined) return true;
  const below = (one: unknown) => tellsOnlyFigures(root, one, depth + 1);
  const types = [schema.type].flat();
  return types.every((type) => {
    if (type === 'string') return timeFormats.test(String(schema.format));
    if (type === 'array') return below(schema.items);
    if (type !== 'object') return /^(?:number|integer|boolean|null)$/.test(String(type));
    const { properties = {}, additionalProperties = false } = schema;
    const parts = Object.values(isObject(properties) ? properties : {});
    return parts.length > 0 && parts.length <= 50 && additionalProperties === false && parts.every(below);
  });
}

const listable = /^[^.\s\0]{1,128}$/;
const mostFieldsDeep = 8;

interface ResultField {
  path: string;
  /** Whether others may write it: every text but an id, a time and a fixed word, and numbers that name somebody. */
  isOthers: boolean;
}

/**
 * The fields of results, each path once; null where the schema leaves open what else a result may hold. A name or a description alone
 * never says which fields others do not write.
 */
function fieldsIn(root: JsonObject): ResultField[] | null {
  const found = new Map<string, boolean>();
  const read = (given: unknown, path: string, name: string, depth: number): boolean => {
    const schema = resolved(root, given);
    if (!isObject(schema) || depth > mostFieldsDeep || found.size > mostPaths) return false;
    const take = (isOthers: boolean): boolean => {
      if (path === '') return false;
      found.set(path, isOthers || (found.get(path) ?? false));
      return true;
    };
    if (Array.isArray(schema.enum) || schema.const !== undefined) return take(false);
    if (schema.type === undefined) return false;
    return [schema.type].flat().every((type) => {
      if (type === 'string') return take(!timeFormats.test(String(schema.format)) && !ownNames.has(name));
      if (type === 'number' || type === 'integer') return take(has(wordsIn(name), partyWords));
      if (type === 'boolean' || type === 'null') return path === '' || take(false);
      if (type === 'array') return read(schema.items, path, name, depth + 1);
      const { properties, additionalProperties } = schema;
      if (type !== 'object' || !isObject(properties) || additionalProperties !== false) return false;
      return Object.entries(properties).every(
        ([key, below]) =>
          listable.test(key) && read(below, path === '' ? key : `${path}.${key}`, key, depth + 1),
      );
    });
  };
  if (!read(root, '', '', 0) || found.size > mostPaths) return null;
  return [...found].map(([path, isOthers]) => ({ path, isOthers }));
}

/** Names of fields that hold an id which the service itself assigned. */
const ownNames = new Set(['id', 'uuid']);
/** A number in a field named by one of these words is chosen by others, such as an account or a telephone number. */
const partyWords = new Set(
  'from by contact sender author owner guest payee payer account phone mobile fax card iban user recipient'.split(
    ' ',
  ),
);

/** The state of one of these is no text of anybody. */
const jobNouns = new Set(
  'job task import export build deployment upload transfer generation connection login auth system exchange'.split(
    ' ',
  ),
);

const isDirectory = (named: readonly string[]): boolean =>
  has(named, directoryWords) ||
  (named.includes('users') && has(named, new Set(['list', 'get']))) ||
  (has(named, new Set(['saved', 'linked'])) &&
    has(named, new Set(['accounts', 'addresses', 'cards', 'methods'])));
