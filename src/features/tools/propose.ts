import type { JsonObject } from '../../schemas/values.ts';
import {
  addressWords,
  answeringVerbs,
  commandNouns,
  computedWords,
  containers,
  contentWords,
  deletingVerbs,
  describingWords,
  destroyingVerbs,
  directoryWords,
  goingVerbs,
  invitedNouns,
  lightVerbs,
  methodEffects,
  recipientWords,
  runningVerbs,
  searchingWords,
  sendingWords,
  sentNouns,
  shownWords,
  staffNouns,
  verbs,
  weakVerbs,
} from './proposal-words.ts';
import type { ProposedReason } from './schema.ts';
import { type ReadTool, resolved } from './tool-lists.ts';
import type { ToolEffect } from './words.ts';

/** The description of a tool, inferred from its definition; an operator confirms or corrects it. */
export interface Proposal {
  effect: ToolEffect;
  destinations: string[];
  identifiers: string[];
  content: string[];
  untrustedResults: boolean;
  directory: boolean;
  reasons: ProposedReason[];
}

type Definition = Pick<
  ReadTool,
  'name' | 'description' | 'inputSchema' | 'annotations' | 'method' | 'argumentsLike'
>;

/** Text of a schema that a server wrote may be long: arguments beyond these are not looked at. */
const mostArguments = 200;
const mostPaths = 50;

/**
 * Proposes what a tool does. Everything that is read was written by its server, so it is a claim: hints can make the proposal
 * graver than the name, and READ only where the name does not say that something changes. Nothing becomes DESTRUCTIVE for want
 * of a hint.
 */
export function proposeTool(definition: Definition): Proposal {
  const named = nameOf(definition);
  const schema = definition.argumentsLike ?? definition.inputSchema ?? {};
  const all = [...argumentsIn(schema, schema)].slice(0, mostArguments);
  const { effect, reason, verb, reads = effect === 'READ' } = effectOf(definition, named, all);
  const reasons: ProposedReason[] = [{ field: 'effect', reason }];
  const say = (field: ProposedReason['field'], why: string): void =>
    void reasons.push({ field, reason: why });

  const destinations = destinationsOf(effect, verb, all);
  for (const { path, why } of destinations) say('destinations', `argument ${path}: ${why}`);
  const taken = new Set(destinations.map(({ path }) => path));
  const content = all.filter(
    ({ path, words, isText }) => isText && !taken.has(path) && has(words, contentWords),
  );
  const identifiers = all.filter(
    (argument) => effect !== 'READ' && !taken.has(argument.path) && isIdentifier(argument),
  );
  for (const { path } of identifiers) say('identifiers', `argument ${path} says what is changed`);
  const untrusted = untrustedBecause(reads, verb, named, definition.description ?? '');
  say('untrustedResults', untrusted.why);
  const directory = effect === 'READ' && isDirectory(named);
  if (directory) say('directory', 'it lists people or accounts that the user knows');
  const pathsOf = (some: readonly { path: string }[]) => some.map(({ path }) => path).slice(0, mostPaths);
  return {
    effect,
    destinations: pathsOf(destinations),
    identifiers: pathsOf(identifiers),
    content: pathsOf(content),
    untrustedResults: untrusted.isUntrusted,
    directory,
    reasons: reasons.slice(0, mostPaths),
  };
}

/** The words of the name, in lower case: `crm.sendMail`, `send_mail` and `SendMail` alike. */
const wordsIn = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const nameOf = ({ name }: Definition): string[] => wordsIn(name.slice(0, 200));

type Effect = { effect: ToolEffect; reason: string; verb: string | null; reads?: boolean };

function effectOf(definition: Definition, named: readonly string[], all: readonly Argument[]): Effect {
  const { annotations = {}, description = '', method } = definition;
  const byVerb = saidBy(named, method);
  const byChoice = saidByChoices(definition.argumentsLike ?? definition.inputSchema ?? {}, named);
  const leavesOpen = byVerb === null || byVerb.isWeak || byVerb.verb === 'manage';
  const byName = byChoice && (leavesOpen || isGraver(byChoice, byVerb)) ? byChoice : byVerb;
  const byDescription = byName === null || byName.isWeak ? saidByDescription(description) : null;
  // A noun that could be a verb tells less than a description that begins with one.
  const said = byName?.isWeak && byDescription?.isWeak === false ? byDescription : (byName ?? byDescription);
  const found: Effect = said ?? { effect: 'WRITE', reason: 'nothing says what it does', verb: null };
  if (said === null && annotations.destructiveHint === true)
    return { effect: 'DESTRUCTIVE', reason: 'its server says that it is destructive', verb: null };
  const graver = graverThan(found, named, description, all);
  if (graver) return { ...found, ...graver };
  if (annotations.readOnlyHint === true && (found.effect === 'READ' || said === null || said.isWeak))
    return { effect: 'READ', reason: 'its server says that it only reads', verb: found.verb };
  return found;
}

interface Said extends Effect {
  /** From a word that is a noun as often, or from the description. */
  isWeak: boolean;
}

/** By the first verb of the name, and by what `and` or `or` joins with it. */
function saidBy(named: readonly string[], method: string | undefined): Said | null {
  const isMethod = named[0] === 'api' && named[1] !== undefined && named[1] in methodEffects;
  const http = method ?? (isMethod ? named[1] : undefined);
  const words = isMethod ? named.slice(2) : named;
  if (http !== undefined) return saidByMethod(http, words);
  const places = words.flatMap((word, place) => (verbEffect(word) ? [place] : []));
  const strong = places.find(
    (place) => (place === 0 && words.length > 1) || !weakVerbs.has(words[place] as string),
  );
  const place = strong ?? places[0];
  if (place === undefined) return null;
  const verb = words[place] as string;
  const joined = words.flatMap((word, at) =>
    at > place && ['and', 'or'].includes(words[at - 1] as string) && verbEffect(word) ? [word] : [],
  );
  const effects = [verb, ...joined].map((one) => changeOf(one, words.slice(place + 1)));
  const effect = gravest(effects);
  const gravestVerb = [verb, ...joined][effects.indexOf(effect)] as string;
  return {
    effect,
    reason: `its name says "${gravestVerb}"`,
    verb: gravestVerb,
    isWeak: strong === undefined,
  };
}

/** By the verbs that one argument lets the caller choose from: `action` with "create", "list" and "remove" is as grave as "remove". */
function saidByChoices(schema: JsonObject, named: readonly string[]): Said | null {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  for (const [name, given] of properties) {
    const property = resolved(schema, given);
    if (!isObject(property) || !Array.isArray(property.enum) || !choosing.has(wordsIn(name).at(-1) ?? ''))
      continue;
    const choices = property.enum.slice(0, mostPaths).map((choice) => wordsIn(String(choice)));
    const verbsChosen = choices.flatMap(([first = '', ...rest]) =>
      verbEffect(first) ? [[first, ...rest]] : [],
    );
    if (verbsChosen.length * 2 <= choices.length) continue;
    const object = named.filter((word) => verbEffect(word) === null || weakVerbs.has(word));
    const effects = verbsChosen.map(([verb = '', ...rest]) => changeOf(verb, [...rest, ...object]));
    const effect = gravest(effects);
    const removing = verbsChosen.find(([verb = '']) => deletingVerbs.has(verb));
    const verb = (removing ?? verbsChosen[effects.indexOf(effect)])?.[0] as string;
    const reads = effects.includes('READ');
    return { effect, reason: `argument ${name} can be "${verb}"`, verb, reads, isWeak: false };
  }
  return null;
}
const choosing = new Set('action actions operation op mode command method task'.split(' '));

function saidByMethod(http: string, words: readonly string[]): Said {
  const verb = words.find((word) => verbEffect(word)) ?? null;
  const effect = methodEffects[http] ?? 'WRITE';
  const byVerb = verb === null ? effect : changeOf(verb, words);
  // Searches are often sent with POST, and messages too. What GET does is asked of the server to be safe.
  const isVerb = http === 'post' && verb !== null;
  return {
    effect: isVerb ? byVerb : effect,
    reason: isVerb ? `its name says "${verb}"` : `its method is ${http.toUpperCase()}`,
    verb: http === 'delete' ? 'delete' : http === 'patch' || http === 'put' ? 'update' : (verb ?? http),
    isWeak: false,
  };
}

const verbEffect = (word: string): ToolEffect | null =>
  verbs.READ.has(word)
    ? 'READ'
    : verbs.EXTERNAL.has(word)
      ? 'EXTERNAL'
      : verbs.WRITE.has(word) || runningVerbs.has(word)
        ? 'WRITE'
        : null;

const paidNouns = new Set(['transaction', 'payment', 'transfer', 'payout']);

/** The effect of a verb with its object: to create a message sends it, to draft one does not. */
function changeOf(verb: string, object: readonly string[]): ToolEffect {
  const effect = verbEffect(verb) ?? 'WRITE';
  const isDraft = object.some((word) => word === 'draft' || word === 'drafts' || word === 'template');
  if (isDraft && effect !== 'READ') return /^(?:send|share|publish|post)$/.test(verb) ? effect : 'WRITE';
  if (verb === 'transfer' && has(object, staffNouns)) return 'READ';
  if (/^(?:add|manage|set|update|change)$/.test(verb) && has(object, invitedNouns)) return 'EXTERNAL';
  const sends =
    /^(?:create|schedule|add|generate|trigger|new|push|put|submit)$/.test(verb) && has(object, sentNouns);
  const pays = verb === 'update' && has(object, paidNouns);
  return effect === 'WRITE' && (sends || pays) ? 'EXTERNAL' : effect;
}

/** By its first words: "Sends a mail", "Performs a web search", "List, create, or close tabs". Weak unless the very first says it. */
function saidByDescription(description: string): Said | null {
  const words =
    description
      .slice(0, 200)
      .toLowerCase()
      .match(/\p{L}+|,/gu) ?? [];
  for (const [place, word] of words.slice(0, 8).entries()) {
    const verb = verbIn(word);
    if (verb === null || lightVerbs.has(word)) continue;
    const all = [verb, ...(words[place + 1] === ',' ? listedVerbs(words.slice(place + 1, place + 9)) : [])];
    const effects = all.map((one) => (one === 'return' ? 'READ' : changeOf(one, words.slice(0, 12))));
    const effect = gravest(effects);
    return {
      effect,
      reason: `its description says "${word}"`,
      verb: all[effects.indexOf(effect)] as string,
      isWeak: !words.slice(0, place).every((one) => lightVerbs.has(one)),
    };
  }
  return null;
}

/** The verbs in ", create, or close tabs": create and close. */
const listedVerbs = (words: readonly string[]): string[] =>
  words.flatMap((word, place) => {
    const isListed =
      words[place - 1] === ',' || (/^(?:and|or)$/.test(words[place - 1] ?? '') && words[place - 2] === ',');
    const verb = isListed ? verbIn(word) : null;
    return verb === null ? [] : [verb];
  });

const verbIn = (word: string): string | null =>
  [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')].find(
    (form) => verbEffect(form) !== null || form === 'return',
  ) ?? null;

const rank: readonly ToolEffect[] = ['READ', 'WRITE', 'EXTERNAL', 'DESTRUCTIVE'];
const isGraver = (one: Effect, other: Effect): boolean =>
  rank.indexOf(one.effect) > rank.indexOf(other.effect);
const gravest = (effects: readonly ToolEffect[]): ToolEffect =>
  effects.reduce((one, other) => (rank.indexOf(other) > rank.indexOf(one) ? other : one), 'READ');

const permanent =
  /\b(?:permanent(?:ly)?|irreversibl[ey]|unrecoverabl[ey]|can(?:not|'t| not) be (?:undone|recovered|restored))\b/i;

/** The graver effect that its name, its arguments and its description tell beyond the verb. */
function graverThan(
  found: Effect,
  named: readonly string[],
  description: string,
  all: readonly Argument[],
): Omit<Effect, 'verb'> | null {
  const { verb } = found;
  if (verb === null) return null;
  if (named.includes('browser') && has([verb, ...named], pageSends))
    return { effect: 'EXTERNAL', reason: 'a page can send what it is given' };
  const isOpened = (verb === 'open' || verb === 'new') && named.includes(verb);
  if (isOpened && all.some(({ words }) => words.length === 1 && has(words, addressWords)))
    return { effect: 'READ', reason: 'it opens an address' };
  if (runningVerbs.has(verb) && /\bread[- ]only\b/i.test(description))
    return { effect: 'READ', reason: 'it runs what only reads' };
  if (runningVerbs.has(verb) || (found.effect !== 'READ' && has(named, runningVerbs)))
    return runningOf(named, description, all);
  return deletingVerbs.has(verb) ? deletingOf(verb, named, description) : null;
}

const pageSends = new Set(['upload', 'evaluate', 'drop']);

function runningOf(
  named: readonly string[],
  description: string,
  all: readonly Argument[],
): Omit<Effect, 'verb'> | null {
  const runs =
    has(named, commandNouns) ||
    all.some(({ words }) => words.length < 3 && has(words.slice(-1), commandNouns));
  if (!runs) return null;
  if (/\b(?:page|browser)\b/i.test(description) && !/\bserver\b/i.test(description))
    return { effect: 'EXTERNAL', reason: 'a page can send what it is given' };
  return { effect: 'DESTRUCTIVE', reason: 'it runs whatever it is given' };
}

const amounts = new Set(['all', 'multiple', 'many', 'every', 'everything', 'resources', 'batch', 'bulk']);

function deletingOf(
  verb: string,
  named: readonly string[],
  description: string,
): Omit<Effect, 'verb'> | null {
  if (destroyingVerbs.has(verb)) return { effect: 'DESTRUCTIVE', reason: `its name says "${verb}"` };
  const rest = named.slice(named.indexOf(verb) + 1);
  const joint = rest.findIndex((word) => /^(?:from|by|in|of|for|with)$/.test(word));
  const object = joint < 0 ? rest : rest.slice(0, joint);
  // To remove a project from a task takes nothing away but the link.
  const isLink = verb === 'remove' && rest[joint] === 'from';
  const head = object.at(-1) ?? '';
  const first =
    description
      .toLowerCase()
      .match(/\p{L}+/gu)
      ?.slice(0, 4) ?? [];
  const isContainer = containers.has(head) || containers.has(head.replace(/s$/, ''));
  if (!isLink && (isContainer || has(first, amounts) || has(named, amounts)))
    return { effect: 'DESTRUCTIVE', reason: 'it deletes with everything that is in it' };
  return permanent.test(description)
    ? { effect: 'DESTRUCTIVE', reason: 'its description says that it cannot be undone' }
    : null;
}

interface Argument {
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
  /** Among the fields of the same object. */
  siblings: readonly string[];
}

/** The texts and ids among the arguments, also those in lists and objects. */
function* argumentsIn(
  root: JsonObject,
  given: unknown,
  path = '',
  siblings: readonly string[] = [],
  depth = 0,
): Generator<Argument> {
  const schema = resolved(root, given);
  if (!isObject(schema) || depth > 7) return;
  const forms = [schema.anyOf, schema.oneOf, schema.allOf]
    .flat()
    .map((form) => resolved(root, form))
    .filter(isObject);
  const values = [schema, ...forms].filter(isValue);
  for (const form of [schema, ...forms]) {
    const properties = isObject(form.properties) ? Object.entries(form.properties) : [];
    const names = properties.map(([name]) => name);
    for (const [name, property] of properties) {
      if (!isPathName(name)) continue;
      yield* argumentsIn(root, property, path === '' ? name : `${path}.${name}`, names, depth + 1);
    }
    if (isObject(form.items)) yield* argumentsIn(root, form.items, path, siblings, depth + 1);
  }
  if (path !== '' && values.length > 0) yield* valueAt(path, values, siblings);
}

function* valueAt(
  path: string,
  values: readonly JsonObject[],
  siblings: readonly string[],
): Generator<Argument> {
  const names = path.split('.').map(wordsIn);
  const words = names.at(-1) ?? [];
  const steps = names.slice(0, -1);
  const types = values.flatMap(({ type }) => type);
  const isText = types.includes('string');
  const isId = /^ids?$/.test(words.at(-1) ?? '');
  const format =
    values.map(({ format }) => format).find((one): one is string => typeof one === 'string') ?? null;
  if (isText || isId)
    yield {
      path,
      steps,
      above: steps.flat(),
      words,
      isText,
      isId,
      format,
      siblings,
    };
}

/** A choice of few is no value of its own. */
const isValue = ({ type, enum: choices, const: one }: JsonObject): boolean =>
  choices === undefined &&
  one === undefined &&
  [type].flat().some((each) => each === 'string' || each === 'integer' || each === 'number');

const isPathName = (name: string): boolean => /^[^.\s\0]{1,128}$/.test(name);

type Destination = { path: string; why: string };

function destinationsOf(effect: ToolEffect, verb: string | null, all: readonly Argument[]): Destination[] {
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
  const { words, above, format, isText } = argument;
  if (saysOtherwise(argument)) return null;
  if (effect !== 'READ' && isAddressOf(argument)) return 'it is an address of a recipient';
  if ((above.length > 1 && has(above, contentWords)) || has([...words, ...above], shownWords)) return null;
  if (isText && isAddress(effect, verb, argument)) return 'the tool goes to this address';
  if (effect === 'READ') return null;
  // Elsewhere it says which contact is changed.
  const isAddressed =
    effect === 'EXTERNAL' || /^(?:create|invite|register|set|new|schedule|draft)$/.test(verb ?? '');
  if (isAddressed && /^(?:idn-)?email$/.test(format ?? '')) return 'its format is email';
  if (saysTo(effect, argument)) return 'its name says that something goes there';
  return effect === 'EXTERNAL' && saysWhere(verb, argument)
    ? 'the tool sends something, and this says where'
    : null;
}

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
function isAddressOf({ steps, words }: Argument): boolean {
  const last = words.at(-1) ?? '';
  if (steps.at(-1)?.at(-1) === 'to' && addressNouns.test(last)) return true;
  const isRecipient = steps.some(
    (step) =>
      !/^(?:optional|comment)$/.test(step[0] ?? '') && (isSendingStep(step) || has(step, recipientWords)),
  );
  return isRecipient && (addressNouns.test(last) || /^(?:ids?|handle|iban)$/.test(last));
}
const addressNouns = /^(?:e?mails?|address(?:es)?|phone|number)$/;

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
function isIdentifier({ words, isText, isId, format }: Argument): boolean {
  if (isId) return true;
  const isTime = format !== null && /^(?:date|time|date-time|duration)$/.test(format);
  return isText && !isTime && !has(words, contentWords) && !has(words, describingWords);
}

function untrustedBecause(
  reads: boolean,
  verb: string | null,
  named: readonly string[],
  description: string,
): { isUntrusted: boolean; why: string } {
  if (reads) {
    const isComputed =
      (has(named, computedWords) ||
        named.at(-1) === 'ids' ||
        (named.includes('status') && has(named, jobNouns)) ||
        /^\W*(?:gets?|returns?|retrieves?|counts?) (?:the |a )?(?:total )?(?:number|counts?) of\b/i.test(
          description,
        )) &&
      !has(named, new Set(['search', 'page', 'events', 'calendar']));
    return isComputed
      ? { isUntrusted: false, why: 'it tells what is computed' }
      : { isUntrusted: true, why: 'it reads what others may have written' };
  }
  if (verb === null) return { isUntrusted: true, why: 'nothing says what it does' };
  const answers = answeringVerbs.has(verb);
  const shows =
    (named.includes('browser') && !has(named, new Set(['close', 'resize', 'emulate', 'install']))) ||
    /\breturns? (?:the |its )?(?:output|content|page|snapshot|stdout|rows|results?)\b/i.test(description);
  return answers || shows
    ? { isUntrusted: true, why: 'it answers with what others may have written' }
    : { isUntrusted: false, why: 'it answers only whether it was done' };
}

/** The state of one of these is no text of anybody. */
const jobNouns = new Set(
  'job task import export build deployment upload transfer generation connection login'.split(' '),
);

const isDirectory = (named: readonly string[]): boolean =>
  has(named, directoryWords) ||
  (named.includes('users') && has(named, new Set(['list', 'get']))) ||
  (has(named, new Set(['saved', 'linked'])) &&
    has(named, new Set(['accounts', 'addresses', 'cards', 'methods'])));

const has = (words: readonly string[], some: ReadonlySet<string>): boolean =>
  words.some((word) => some.has(word));

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
