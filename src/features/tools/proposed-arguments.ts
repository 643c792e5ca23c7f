import type { JsonObject } from '../../schemas/values.ts';
import {
  addressWords,
  contentWords,
  describingWords,
  goingVerbs,
  has,
  recipientWords,
  searchingWords,
  sendingWords,
  shownWords,
  wordsIn,
} from './proposal-words.ts';
import { isObject, resolved } from './tool-lists.ts';
import type { ToolEffect } from './words.ts';

export interface Argument {
  path: string;
  /** The words of each name in front of its last one. */
  steps: readonly (readonly string[])[];
  /** The same in one list. */
  above: readonly string[];
  /** The words of its last name. */
  words: readonly string[];
  isText: boolean;
  isId: boolean;
  format: string | null;
  description: string;
  /** Among the fields of the same object. */
  siblings: readonly string[];
}

/** Text of a schema that a server wrote may be long, and its references may lead on without end: so much of it is looked at. */
const mostArguments = 200;
const mostNodes = 2_000;
const mostForms = 20;
const deepest = 7;

interface Node {
  given: unknown;
  path: string;
  /** Names in the same object. */
  siblings: readonly string[];
  /** The description of the list, for its entries. */
  description: string;
  depth: number;
}

/**
 * The texts and ids among the arguments that the schema describes, also those in lists and objects, outer ones first. `root`: the
 * document that its references lead into.
 */
export function argumentsIn(root: JsonObject, schema: JsonObject): Argument[] {
  const nodes: Node[] = [{ given: schema, path: '', siblings: [], description: '', depth: 0 }];
  const found: Argument[] = [];
  // Also counts the names of objects: many references may lead to a large one.
  let seen = 0;
  for (let at = 0; at < nodes.length && found.length < mostArguments; at++) {
    const queued = nodes[at] as Node;
    const forms = formsOf(root, queued.given);
    const node = {
      ...queued,
      description: firstText(forms.map((form) => form.description)) ?? queued.description,
    };
    found.push(...valueAt(node, forms.filter(isValue)));
    for (const form of node.depth < deepest ? forms : []) {
      const below = seen < mostNodes ? propertiesOf(node, form) : [];
      seen += 1 + below.length;
      nodes.push(...below.slice(0, mostNodes));
      // Past the limit as well: only its entries tell what kind of list `to` is.
      if (isObject(form.items) && nodes.length < 3 * mostNodes)
        nodes.push({ ...node, given: form.items, depth: node.depth + 1 });
    }
  }
  return found;
}

/** The schema, and those that it is any or all of. */
function formsOf(root: JsonObject, given: unknown): JsonObject[] {
  const schema = resolved(root, given);
  if (!isObject(schema)) return [];
  const others = [schema.anyOf, schema.oneOf, schema.allOf]
    .flat()
    .slice(0, mostForms)
    .map((form) => resolved(root, form));
  return [...new Set([schema, ...others])].filter(isObject);
}

function propertiesOf({ path, depth }: Node, { properties }: JsonObject): Node[] {
  const entries = isObject(properties) ? Object.entries(properties) : [];
  const names = entries.map(([name]) => name);
  return entries.flatMap(([name, given]): Node[] =>
    isPathName(name)
      ? [
          {
            given,
            path: path === '' ? name : `${path}.${name}`,
            siblings: names,
            description: '',
            depth: depth + 1,
          },
        ]
      : [],
  );
}

const firstText = (some: readonly unknown[]): string | null =>
  some.find((one): one is string => typeof one === 'string') ?? null;

function valueAt({ path, siblings, description }: Node, values: readonly JsonObject[]): Argument[] {
  if (path === '' || values.length === 0) return [];
  const names = path.split('.').map(wordsIn);
  const words = names.at(-1) ?? [];
  const steps = names.slice(0, -1);
  const isText = values.some(({ type }) => [type].flat().includes('string'));
  const isId = /^ids?$/.test(words.at(-1) ?? '');
  if (!isText && !isId) return [];
  const format = firstText(values.map((value) => value.format));
  return [{ path, steps, above: steps.flat(), words, isText, isId, format, description, siblings }];
}

/** A choice of few is no value of its own. */
const isValue = ({ type, enum: choices, const: one }: JsonObject): boolean =>
  choices === undefined &&
  one === undefined &&
  [type].flat().some((each) => each === 'string' || each === 'integer' || each === 'number');

const isPathName = (name: string): boolean => /^[^.\s\0]{1,128}$/.test(name);

type Destination = { path: string; why: string };

export function destinationsOf(
  effect: ToolEffect,
  verb: string | null,
  all: readonly Argument[],
): Destination[] {
  const found = all.flatMap((argument): Destination[] => {
    const why = destinationBecause(effect, verb, argument);
    return why === null ? [] : [{ path: argument.path, why }];
  });
  if (found.length > 0 || effect !== 'EXTERNAL') return found;
  // Something is sent: then one of them says where.
  const last = all.find(
    ({ words, above }) => above.length === 0 && !isSource(words) && has(words, placeWords),
  );
  return last ? [{ path: last.path, why: 'the tool sends something, and no other argument says where' }] : [];
}

const placeWords = new Set(['location', 'place', 'website', 'username']);
const notDestinations = new Set('date time price amount min max assigned reply'.split(' '));
const isSource = (words: readonly string[]): boolean =>
  /^(?:from|sender|source|origin|owner|by|created|reply)$/.test(words[0] ?? '') || words.at(-1) === 'from';

/** It is where something comes from, when it happens, or looks for something. */
const saysOtherwise = ({ words, above, steps }: Argument): boolean =>
  isSource(words) ||
  (words.length > 1 && notDestinations.has(words[0] as string)) ||
  has(above, searchingWords) ||
  steps.some(isSource);

function destinationBecause(effect: ToolEffect, verb: string | null, argument: Argument): string | null {
  const { words, above } = argument;
  if (saysOtherwise(argument)) return null;
  if (effect !== 'READ' && isAddressOf(effect, argument)) return 'it is an address of a recipient';
  if (effect !== 'READ' && isShippedTo(argument)) return 'something is delivered there';
  if ((above.length > 1 && has(above, contentWords)) || has([...words, ...above], shownWords)) return null;
  return goneTo(effect, verb, argument) ?? (effect === 'READ' ? null : sentTo(effect, verb, argument));
}

function goneTo(effect: ToolEffect, verb: string | null, argument: Argument): string | null {
  const { above, isText, description } = argument;
  if (!isText) return null;
  if (isAddress(effect, verb, argument) || isOfRemote(verb, argument)) return 'the tool goes to this address';
  return effect === 'READ' && above.length === 0 && saysAddress.test(description)
    ? 'its description says that it can be an address'
    : null;
}

function sentTo(effect: ToolEffect, verb: string | null, argument: Argument): string | null {
  // Elsewhere it says which contact is changed.
  const isAddressed =
    effect === 'EXTERNAL' || /^(?:create|invite|register|set|new|schedule|draft)$/.test(verb ?? '');
  if (isAddressed && /^(?:idn-)?email$/.test(argument.format ?? '')) return 'its format is email';
  if (saysTo(effect, argument)) return 'its name says that something goes there';
  return effect === 'EXTERNAL' && saysWhere(verb, argument)
    ? 'the tool sends something, and this says where'
    : null;
}

/** A file, or what stands for one, that the tool would load from an address as well. */
const saysAddress =
  /^\W*(?:the )?(?:(?:local )?(?:file )?path|file|data|image|document|source|location|input)\b.{0,40}\bor (?:an? )?(?:https? )?urls?\b|^\W*(?:the )?urls?\b.{0,20}\bor (?:\p{L}+ ){0,3}(?:path|file|data)\b/iu;

/** Another copy of a repository, by its name. */
const isOfRemote = (verb: string | null, { words }: Argument): boolean =>
  /^(?:push|pull|fetch|sync|clone)$/.test(verb ?? '') &&
  /^remote(?: branch| url| name)?$/.test(words.join(' '));

const calledWords = new Set('webhook callback endpoint target notify notification'.split(' '));

function isAddress(effect: ToolEffect, verb: string | null, argument: Argument): boolean {
  const { words, above, format } = argument;
  if (words.length === 1 && words[0] === 'webhook') return true;
  if (words[0] === 'connection' && /^(?:string|url|uri)$/.test(words.at(-1) ?? '')) return true;
  if (format !== 'uri' && format !== 'url' && !has([nounOf(argument)], addressWords)) return false;
  const goes = effect === 'READ' || verb === null || goingVerbs.has(verb) || effect === 'EXTERNAL';
  const isTheOne =
    words.length === 1 ||
    (words.length === 2 && /^(?:page|target|site|web|start|seed)$/.test(words[0] as string));
  return has(words, calledWords) || (goes && isTheOne && above.length === 0);
}

/** The last word but `id`, `number` and `name`, which say only how something is named. */
const nounOf = ({ words }: Argument): string =>
  (/^(?:ids?|numbers?|names?)$/.test(words.at(-1) ?? '') && words.at(-2)) || (words.at(-1) ?? '');

/** The address in an object that stands for a recipient, however deep: `message.toRecipients.emailAddress.address`. */
function isAddressOf(effect: ToolEffect, { steps, words }: Argument): boolean {
  // Messages in a folder were sent before.
  if (effect !== 'EXTERNAL' && steps.some((step) => step.at(-1) === 'messages')) return false;
  const last = words.at(-1) ?? '';
  if (steps.at(-1)?.at(-1) === 'to' && addressNouns.test(last)) return true;
  const isRecipient = steps.some(
    (step) =>
      !/^(?:optional|comment)$/.test(step[0] ?? '') && (isSendingStep(step) || has(step, recipientWords)),
  );
  return isRecipient && (addressNouns.test(last) || /^(?:ids?|handle|iban)$/.test(last));
}
const addressNouns = /^(?:e?mails?|address(?:es)?|phone|number)$/;

/** A postal address, all of it or its first lines. */
function isShippedTo({ steps, words }: Argument): boolean {
  const isAddressed = [...steps, words].some((step) => has(step, shippingWords));
  return (
    isAddressed &&
    /^(?:address|(?:address )?(?:line|street)(?: ?\d)?|street address)$/.test(
      words.filter((word) => !shippingWords.has(word)).join(' '),
    )
  );
}
const shippingWords = new Set(['shipping', 'delivery']);

const isSendingStep = (words: readonly string[]): boolean =>
  words.length > 1 &&
  words.at(-1) === 'to' &&
  /^(?:send|deliver|forward|redirect|transfer|share|ship|mail|route|copy)$/.test(words[0] ?? '');

function saysTo(effect: ToolEffect, { words, siblings, isText }: Argument): boolean {
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (isText && /^forward(?:ing)?$/.test(first)) return true;
  // Beside `from` it is one end of a relation, unless something is sent.
  if (first === 'to') return effect === 'EXTERNAL' || (words.length === 1 && !siblings.includes('from'));
  if (last === 'to') return isSendingStep(words);
  if (words.includes('destination')) return !siblings.includes('origin');
  return has(words, recipientWords) && !describingWords.has(last) && !/^(?:comment|optional)$/.test(last);
}

/** An account alone is as often the one that sends. */
function saysWhere(verb: string | null, argument: Argument): boolean {
  const { words } = argument;
  const last = words.at(-1) ?? '';
  if (words.length === 1 && /^accounts?$/.test(last))
    return /^(?:pay|transfer|wire|deposit|withdraw|payout|refund)$/.test(verb ?? '');
  if (/^(?:reply|respond)$/.test(verb ?? '') && nounOf(argument) === 'thread') return true;
  if (/^(?:token|secret|key|password|type|count)$/.test(last)) return false;
  return (
    has([nounOf(argument)], sendingWords) ||
    (has(words, sendingWords) && /^(?:address|ids?|number|handle)$/.test(last))
  );
}

/** Whatever else a change takes names what it changes: a file, an order, a hotel, a password. */
export function isIdentifier({ words, isText, isId, format }: Argument): boolean {
  if (isId) return true;
  const isTime = format !== null && /^(?:date|time|date-time|duration)$/.test(format);
  return isText && !isTime && !has(words, contentWords) && !has(words, describingWords);
}
