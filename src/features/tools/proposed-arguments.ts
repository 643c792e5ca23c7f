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
  wordsOf,
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

/** The tool that takes an argument. */
interface Taker {
  effect: ToolEffect;
  verb: string | null;
  /** The words of its name. */
  named: readonly string[];
}

export function destinationsOf(taker: Taker, all: readonly Argument[]): Destination[] {
  const reached = all.flatMap((argument): (Destination & { noun: string })[] => {
    const why = destinationBecause(taker, argument);
    return why === null ? [] : [{ path: argument.path, why, noun: nounOf(argument) }];
  });
  // Who is added to a room is told; the room is no destination.
  const adds = /^(?:add|set|update|manage)$/.test(taker.verb ?? '');
  const people = adds ? reached.filter(({ noun }) => !meetingNouns.has(noun)) : [];
  const found = people.length > 0 ? people : reached;
  if (found.length > 0 || taker.effect !== 'EXTERNAL') return found;
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
  /\bmention(?:s|ed)?\b/.test([...above, ...words].join(' ')) ||
  (words.length > 1 && notDestinations.has(words[0] as string)) ||
  has(above, searchingWords) ||
  steps.some(isSource);

function destinationBecause(taker: Taker, argument: Argument): string | null {
  const [{ effect }, { words, above, description }] = [taker, argument];
  if (saysOtherwise(argument)) return null;
  if (isConnectedTo(taker, argument)) return 'the service connects to it';
  if (argument.isText && addressWords.has(nounOf(argument)) && fetching.test(description))
    return 'its description says that it is fetched or called';
  if (effect !== 'READ' && isAddressOf(effect, argument)) return 'it is an address of a recipient';
  if (effect !== 'READ' && isShippedTo(argument)) return 'something is delivered there';
  if (words.join(' ') === 'site url') return null;
  if ((above.length > 1 && has(above, contentWords)) || has([...words, ...above], shownWords)) return null;
  return goneTo(taker, argument) ?? (effect === 'READ' ? null : sentTo(taker, argument));
}

const fetching =
  /\b(?:to|will|be|and|is|are) (?:be )?(?:attach|fetch|upload|download|import|scrape|crawl|visit|call|load|ingest)(?:ed|d)?\b|\bhosted\b|\b(?:requests?|events?|messages?|notifications?) (?:are |is |will be )?(?:sent )?to\b/i;

/** A proxy, a host with its port or its kind, a base address, or the address that a tool stores to call it later. */
function isConnectedTo({ effect, verb, named }: Taker, argument: Argument): boolean {
  const { words, steps, siblings, isText } = argument;
  const [tool, last = '', before = ''] = [named.join(' '), words.at(-1), words.at(-2)];
  if (!isText || last === 'proxy') return isText;
  if (/^host(?:name)?$/.test(last) && !/^(?:local|bind|listen)$/.test(before) && !/\bhost/.test(tool))
    return before !== '' || siblings.includes('port') || reachingWords.test(tool);
  if (!/^(?:ur[li]s?|endpoint)$/.test(last)) return false;
  if (connectingWords.has(before)) return true;
  if (effect === 'READ') return steps.length === 0 && words.length === 2 && mediaWords.has(before);
  if (words.length === 1 && (steps.at(-1) ?? []).some((word) => calledParts.has(word))) return true;
  const isPlain = steps.length < 2 && words.length < 3 && !has(words, shownWords);
  return (
    (isPlain && calledNouns.test(tool)) ||
    (words.length === 1 && /^(?:connect|init|initialize|login|configure)$/.test(verb ?? ''))
  );
}
const connectingWords = wordsOf(
  'base server api instance region gateway proxy cluster rpc registry repo repository webhook callback notification',
);
/** Words of tools that reach another machine. */
const reachingWords = /\b(?:ping|ssh|s?ftp|telnet|connect|scan|probe|smtp|imap)\b/;
/** Words before `url` for content that a READ tool downloads: `imageUrl`. */
const mediaWords = new Set('feed file image audio video document pdf media article'.split(' '));
/** Names of settings whose `url` the service calls later. */
const calledParts = new Set('tool tools server request webhook webhooks'.split(' '));
/** Tools that set one of these up are given its address. */
const calledNouns = /\b(?:webhook|proxy|remote|monitor|mirror|feed)s?\b/;
const meetingNouns = new Set('channel chat room conversation group team'.split(' '));

function goneTo(taker: Taker, argument: Argument): string | null {
  const { above, isText, description } = argument;
  if (!isText) return null;
  if (isAddress(taker, argument) || isOfRemote(taker, argument)) return 'the tool goes to this address';
  return taker.effect === 'READ' && above.length === 0 && saysAddress.test(description)
    ? 'its description says that it can be an address'
    : null;
}

function sentTo(taker: Taker, argument: Argument): string | null {
  const { effect, verb } = taker;
  // Elsewhere it says which contact is changed.
  const isAddressed =
    effect === 'EXTERNAL' || /^(?:create|invite|register|set|new|schedule|draft)$/.test(verb ?? '');
  if (isAddressed && /^(?:idn-)?email$/.test(argument.format ?? '')) return 'its format is email';
  if (isWrittenTo(taker, argument)) return 'it says where this person is written to';
  if (saysTo(taker, argument)) return 'its name says that something goes there';
  return effect === 'EXTERNAL' && saysWhere(verb, argument)
    ? 'the tool sends something, and this says where'
    : null;
}

/** The address of a contact that is created or changed, or whom a stored campaign goes to. */
function isWrittenTo({ verb, named }: Taker, { words, steps }: Argument): boolean {
  if (steps.length > 1) return false;
  const noun = named.findLast((word) => word !== verb && !/^e?mails?$/.test(word)) ?? '';
  if (campaignNouns.test(named.join(' '))) return audienceNoun.test(words.join(' '));
  return (
    /^(?:create|add|update|set|new|upsert|subscribe)$/.test(verb ?? '') &&
    (verb === 'subscribe' || reachedNouns.test(noun)) &&
    /^(?:(?:e?mail|contact email)(?: address)?|e?mail addresses|emails)$/.test(words.join(' '))
  );
}
const campaignNouns = /\b(?:broadcast|campaign|newsletter)s?\b/;
const audienceNoun = /^(?:segment|audience|recipient|list)s?(?: ids?)?$/;
const reachedNouns = /^(?:contact|customer|lead|subscriber|candidate|order|user|forwarding)s?$/;

/** A file, or what stands for one, that the tool would load from an address as well. */
const saysAddress =
  /^\W*(?:the )?(?:(?:local )?(?:file )?path|file|data|image|document|source|location|input)\b.{0,40}\bor (?:an? )?(?:https? )?urls?\b|^\W*(?:the )?urls?\b.{0,20}\bor (?:\p{L}+ ){0,3}(?:path|file|data)\b/iu;

/** Another copy of a repository, by its name. */
const isOfRemote = ({ verb, named }: Taker, { words }: Argument): boolean =>
  (/^(?:push|fetch|sync|clone)$/.test(verb ?? '') || named.at(-1) === 'pull') &&
  /^remote(?: branch| url| name)?$/.test(words.join(' '));

function isAddress({ effect, verb }: Taker, argument: Argument): boolean {
  const { words, above, format } = argument;
  if (words.length === 1 && words[0] === 'webhook') return true;
  if (words[0] === 'connection' && /^(?:string|url|uri)$/.test(words.at(-1) ?? '')) return true;
  if (format !== 'uri' && format !== 'url' && !has([nounOf(argument)], addressWords)) return false;
  const goes = effect === 'READ' || verb === null || goingVerbs.has(verb) || effect === 'EXTERNAL';
  const isTheOne =
    words.length === 1 || (words.length === 2 && /^(?:page|target|web|start|seed)$/.test(words[0] as string));
  return goes && isTheOne && above.length === 0;
}

/** The last word but `id`, `number`, `name` and `list`, which say only how something is named. */
const nounOf = ({ words }: Argument): string =>
  words.findLast((word) => !/^(?:ids?|numbers?|names?|list)$/.test(word)) ?? words.at(-1) ?? '';

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
  if (isRecipient && (addressNouns.test(last) || /^(?:ids?|handle|iban)$/.test(last))) return true;
  const [parent = ''] = (steps.at(-1) ?? []).slice(-1);
  return (
    (/^destinations?$/.test(parent) && (addressNouns.test(last) || /^(?:server|host|ur[li])$/.test(last))) ||
    (effect === 'EXTERNAL' && /^(?:customer|contact|callee)s?$/.test(parent) && addressNouns.test(last))
  );
}
const addressNouns = /^(?:e?mails?|address(?:es)?|phone|number)$/;

/** A postal address, all of it or its first lines. */
function isShippedTo({ steps, words }: Argument): boolean {
  const isAddressed = [...steps, words].some((step) => has(step, shippingWords));
  return (
    isAddressed &&
    /^(?:address\d?|(?:address )?(?:line|street)(?: ?\d)?|street address)$/.test(
      words.filter((word) => !shippingWords.has(word)).join(' '),
    )
  );
}
const shippingWords = new Set(['shipping', 'delivery']);

const isSendingStep = (words: readonly string[]): boolean =>
  words.length > 1 &&
  words.at(-1) === 'to' &&
  /^(?:send|deliver|forward|redirect|transfer|share|ship|mail|route|copy|grant)$/.test(words[0] ?? '');

function saysTo({ effect, verb }: Taker, { words, siblings, steps, isText }: Argument): boolean {
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (isText && /^forward(?:ing)?$/.test(first)) return true;
  // Beside `from` it is one end of a relation, unless something is sent.
  if (first === 'to') return effect === 'EXTERNAL' || (words.length === 1 && !siblings.includes('from'));
  if (last === 'to') return isSendingStep(words);
  if (words.includes('destination')) {
    const isPlace = /^(?:move|copy|rename|merge)\b|\b(?:branch|uuid|name|path|folder)$/.test(
      `${verb} ${last}`,
    );
    return !isPlace && !siblings.some((name) => /^(?:origin|source|path)$/.test(name));
  }
  if (/^shared?$/.test(steps.at(-1)?.[0] ?? '') && has([last], sendingWords)) return true;
  return has(words, recipientWords) && !describingWords.has(last) && !/^(?:comment|optional)$/.test(last);
}

const placed = /^(?:reply|respond) thread$|^(?:publish|post) (?:topic|queue|subreddit|community)$/;

/** An account alone is as often the one that sends. */
function saysWhere(verb: string | null, argument: Argument): boolean {
  const { words } = argument;
  const last = words.at(-1) ?? '';
  if (/^accounts?$/.test(nounOf(argument)))
    return /^(?:pay|transfer|wire|deposit|withdraw|payout|refund|send)$/.test(verb ?? '');
  if (placed.test(`${verb} ${nounOf(argument)}`)) return true;
  if (/^(?:token|secret|key|password|type|count)$/.test(last)) return false;
  // The contract of a token, and one's own line with the telephone company.
  if (/^(?:token|contract|nft)\b|^phone number id$/.test(words.join(' '))) return false;
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
