import {
  addressWords,
  commandNouns,
  deletingVerbs,
  destroyingVerbs,
  has,
  invitedNouns,
  isContainer,
  lightVerbs,
  methodEffects,
  runningVerbs,
  sentNouns,
  staffNouns,
  verbs,
  weakVerbs,
  wordsIn,
  wordsOf,
} from './proposal-words.ts';
import type { Argument } from './proposed-arguments.ts';
import { isObject, type ReadTool, resolved } from './tool-lists.ts';
import type { ToolEffect } from './words.ts';

/** The parts of a definition that say something about its tool. */
export type Definition = Pick<
  ReadTool,
  | 'name'
  | 'title'
  | 'description'
  | 'inputSchema'
  | 'annotations'
  | 'method'
  | 'argumentsLike'
  | 'document'
  | 'outputSchema'
>;

interface Effect {
  effect: ToolEffect;
  reason: string;
  verb: string | null;
  /** Whether it can read, too. */
  reads?: boolean;
  /** Whether it runs what it is given. */
  runs?: boolean;
}

type Graver = Omit<Effect, 'verb'> | null;
interface Told {
  named: readonly string[];
  description: string;
  all: readonly Argument[];
}

export function effectOf(definition: Definition, named: readonly string[], all: readonly Argument[]): Effect {
  const { annotations = {}, description = '', method } = definition;
  const byVerb = saidBy(named, method) ?? saidByTitle(definition);
  const byChoice = saidByChoices(definition, named);
  const leavesOpen = byVerb === null || byVerb.isWeak || byVerb.verb === 'manage';
  const removes = deletingVerbs.has(byChoice?.verb ?? '') && byVerb?.effect === 'WRITE';
  const byName = byChoice && (leavesOpen || removes || isGraver(byChoice, byVerb)) ? byChoice : byVerb;
  const byDescription = byName === null || byName.isWeak ? saidByDescription(description) : null;
  // A noun that could be a verb tells less than a description that begins with one.
  const said = byName?.isWeak && byDescription?.isWeak === false ? byDescription : (byName ?? byDescription);
  const found: Effect = said ?? { effect: 'WRITE', reason: 'nothing says what it does', verb: null };
  if (said === null && annotations.destructiveHint === true)
    return { effect: 'DESTRUCTIVE', reason: 'its server says that it is destructive', verb: null };
  const graver = graverThan(found, { named, description, all });
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
  // To send feedback on a search looks for nothing.
  if (words.at(-1) === 'feedback' && !/^(?:get|list|read|search|find|fetch)$/.test(words[0] ?? ''))
    return { effect: 'WRITE', reason: 'its name says "feedback"', verb: 'submit', isWeak: false };
  const last = words.findLast((word) => word !== 'tool') ?? '';
  const isSpace = places[1] === 1 && /^(?:get|list|search|create|update|delete|send)$/.test(words[1] ?? '');
  const strong = places.find(
    (place) =>
      !weakVerbs.has(words[place] as string) ||
      (place === 0 && words.length > 1 && !isSpace && !tellingNouns.test(last)),
  );
  const place = strong ?? places[0];
  if (place === undefined) return null;
  const verb = words[place] as string;
  const joined = words.flatMap((word, at) =>
    at > place && ['and', 'or'].includes(words[at - 1] as string) && verbEffect(word) ? [word] : [],
  );
  const object = objectOf(words, place);
  const effects = [verb, ...joined].map((one) => changeOf(one, object));
  const effect = gravest(effects);
  const gravestVerb = [verb, ...joined][effects.indexOf(effect)] as string;
  return {
    effect,
    reason: `its name says "${gravestVerb}"`,
    verb: gravestVerb,
    isWeak: strong === undefined,
  };
}

/** In `orders_refunds_create` it comes first. */
const objectOf = (words: readonly string[], verbAt: number): readonly string[] =>
  verbAt > 0 && verbAt === words.length - 1 ? words.slice(0, verbAt) : words.slice(verbAt + 1);

/** The last word of tools that tell something: the details of a place, the count of unread messages. */
const tellingNouns = /^(?:details|info|information|summary|status|stats|overview|history|count)$/;

function saidByTitle({ title, annotations }: Definition): Said | null {
  const given = title ?? annotations?.title;
  const said = typeof given === 'string' ? saidBy(wordsIn(given.slice(0, 200)), undefined) : null;
  return said && { ...said, reason: said.reason.replace('name', 'title') };
}

const isNoun = (word: string): boolean => verbEffect(word) === null || weakVerbs.has(word);

/** By the verbs that one argument lets the caller choose from: `action` with "create", "list" and "remove" is as grave as "remove". */
function saidByChoices(definition: Definition, named: readonly string[]): Said | null {
  const schema = definition.argumentsLike ?? definition.inputSchema ?? {};
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  for (const [name, given] of properties) {
    const property = resolved(definition.document ?? schema, given);
    if (!isObject(property) || !Array.isArray(property.enum) || !choosing.has(wordsIn(name).at(-1) ?? ''))
      continue;
    const choices = property.enum.slice(0, mostChoices).map((choice) => wordsIn(String(choice)));
    const methods = choices.map(([first]) => first);
    if (methods.includes('get') && methods.includes('delete') && /method/i.test(name))
      return { ...anyRequest, verb: 'delete', isWeak: false };
    const verbsChosen = choices.flatMap(([first = '', ...rest]) =>
      verbEffect(first) ? [[first, ...rest]] : [],
    );
    if (verbsChosen.length * 2 <= choices.length) continue;
    const object = named.filter(isNoun);
    const effects = verbsChosen.map(([verb = '', ...rest]) => changeOf(verb, [...rest, ...object]));
    const effect = gravest(effects);
    const chosen = (some: RegExp) => verbsChosen.find(([verb = '']) => some.test(verb));
    // Beside "add", "remove" takes an entry away.
    const removing =
      chosen(/^(?:delete|destroy|drop|clear|purge)$/) ?? (chosen(/^add$/) ? undefined : chosen(/^remove$/));
    const verb = (removing ?? verbsChosen[effects.indexOf(effect)])?.[0] as string;
    const reads = effects.includes('READ');
    return { effect, reason: `argument ${name} can be "${verb}"`, verb, reads, isWeak: false };
  }
  return null;
}
const anyRequest = {
  effect: 'DESTRUCTIVE',
  reason: 'it sends any request that it is given',
  runs: true,
} as const;
const mostChoices = 50;
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
  if (isDraft && effect !== 'READ')
    return /^(?:send|share|post)\b|^publish (?!.*template)/.test([verb, ...object].join(' '))
      ? effect
      : 'WRITE';
  if (verb === 'transfer' && has(object, staffNouns)) return 'READ';
  if (/^(?:add|manage|set|update|change)$/.test(verb) && has(object, invitedNouns)) return 'EXTERNAL';
  // Whoever is added gets access.
  if (verb === 'add' && /\bmembers?$|\b(?:members?|users?) to\b/.test(object.join(' '))) return 'EXTERNAL';
  return unlikeItsVerb(verb, object) ?? (effect === 'WRITE' && isSent(verb, object) ? 'EXTERNAL' : effect);
}

/** By what is joined with a verb that means something else with it. */
function unlikeItsVerb(verb: string, object: readonly string[]): ToolEffect | null {
  const head = headOf(object);
  if (/^(?:start|begin|perform|launch|trigger)$/.test(verb) && lookingNouns.has(head)) return 'READ';
  if (verb === 'generate' && linkNouns.has(head)) return 'READ';
  if (verb === 'checkout' && !has(object, boughtNouns)) return 'WRITE';
  if (verb === 'go' && /^(?:back|forward)$/.test(head)) return 'READ';
  if (/^(?:send|forward)$/.test(verb) && /^(?:keys?|keystrokes?|port)$/.test(head)) return 'WRITE';
  if (/^(?:place|confirm)$/.test(verb) && /^(?:order|transfer|payment|transaction|call)$/.test(head))
    return 'EXTERNAL';
  if (verb === 'call' && /^(?:service|tool|function|api|method|contract)$/.test(head)) return 'WRITE';
  // It lets somebody else spend them.
  if (verb === 'approve' && /\b(?:tokens?|spending|allowance)\b/.test(object.join(' '))) return 'EXTERNAL';
  return null;
}

/** A folder for mail sends nothing, and neither does a rule or a label of it. */
const isSent = (verb: string, object: readonly string[]): boolean =>
  (/^(?:create|add|generate|new|push|put|submit)$/.test(verb) && sentNouns.has(headOf(object))) ||
  (/^(?:schedule|trigger)$/.test(verb) && has(object, sentNouns)) ||
  (verb === 'update' && has(object, paidNouns));

const lookingNouns = new Set('search lookup query crawl scan research analysis check audit'.split(' '));
const linkNouns = new Set('link links url urls qr code uuid hash'.split(' '));
const boughtNouns = new Set('cart basket order payment purchase checkout session'.split(' '));

/** The last noun in front of a preposition: the folder in "mail folder in the inbox". */
export function headOf(object: readonly string[]): string {
  const end = object.findIndex((word) => joints.has(word));
  const phrase = (end < 0 ? object : object.slice(0, end)).filter((word) => !/^v?\d+$/.test(word));
  const last = phrase.at(-1) ?? '';
  // A payment request, a dispatch request.
  return (/^requests?$/.test(last) && phrase.at(-2)) || last;
}
const joints = new Set(
  ', from by in of for with to on as into via using at against that which and or'.split(' '),
);

/** By its first words: "Sends a mail", "Performs a web search", "List, create, or close tabs". Weak unless the very first says it. */
function saidByDescription(description: string): Said | null {
  const words =
    description
      .slice(0, 200)
      .toLowerCase()
      .match(/\p{L}+|,/gu) ?? [];
  for (const [place, word] of words.slice(0, 8).entries()) {
    const verb = verbIn(word);
    const runs = runningVerbs.has(verb ?? '') && has(words.slice(place + 1, place + 5), runNouns);
    if (verb === null || (lightVerbs.has(word) && !runs)) continue;
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

const runNouns = new Set('command commands shell sql script scripts statement statements'.split(' '));

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

/** It can be had back. */
const isKept =
  /\bsoft[- ]delet|\b(?:moves?|goes) (?:\p{L}+ ){0,3}(?:to|into) (?:the )?(?:\p{L}+ )?(?:trash|bin|deleted items)\b/iu;
const discards = /\bdiscard(?:s|ing)? (?:\p{L}+ )?(?:changes|commits|work)\b|\buntracked files from\b/iu;

/** The graver effect that its name, its arguments and its description tell beyond the verb. */
function graverThan(found: Effect, told: Told): Graver {
  const { verb } = found;
  const { named, description, all } = told;
  if (verb === null) return null;
  const leaves = leavesBy(verb, told);
  if (leaves !== null) return leaves;
  if (runningVerbs.has(verb) && !runsItsText(named, all) && /\bread[- ]only\b/i.test(description))
    return { effect: 'READ', reason: 'it runs what only reads' };
  if (found.effect !== 'READ' && runsItsText(named, all))
    return { effect: 'DESTRUCTIVE', reason: 'it runs whatever it is given', runs: true };
  if (runningVerbs.has(verb) || (found.effect !== 'READ' && has(named, runningVerbs))) return runningOf(told);
  if (/^(?:reset|clean|restore|revert)$/.test(verb) && discards.test(description))
    return { effect: 'DESTRUCTIVE', reason: 'its description says that it discards changes' };
  return deletingVerbs.has(verb) ? deletingOf(verb, told) : null;
}

function leavesBy(verb: string, { named, description, all }: Told): Graver {
  const takes = (some: RegExp) => all.some(({ words }) => some.test(words.join(' ')));
  const isIntoPage = verb === 'upload' && /\belement\b/i.test(description);
  if (isIntoPage || (named.includes('browser') && has([verb, ...named], pageSends)))
    return { effect: 'EXTERNAL', reason: 'a page can send what it is given' };
  const isOpened = (verb === 'open' || verb === 'new') && named.includes(verb);
  if (isOpened && all.some(({ words }) => words.length === 1 && has(words, addressWords)))
    return { effect: 'READ', reason: 'it opens an address' };
  if (verb === 'call' && named.includes('api') && takes(/^(?:endpoint|path)$/)) return anyRequest;
  if (verb === 'push' && takes(/^remote$/)) return { effect: 'EXTERNAL', reason: 'it sends to a remote' };
  return invites(verb, named, all) ? { effect: 'EXTERNAL', reason: 'it invites people' } : null;
}

/** A chat that is created with its members. */
const invites = (verb: string, named: readonly string[], all: readonly Argument[]): boolean =>
  /^(?:create|start|new) .*\b(?:chat|conversation|room|channel)\b/.test([verb, ...named].join(' ')) &&
  all.some(({ words, above }) => above.length < 2 && has(words, peopleNouns) && words[0] !== 'creator');
const peopleNouns = new Set('user users member members participant participants emails invitees'.split(' '));

/** A command, or what is typed into a terminal. */
const runsItsText = (named: readonly string[], all: readonly Argument[]): boolean =>
  all.some(
    ({ words, above, isText }) =>
      isText &&
      above.length === 0 &&
      (/^(?:command|commands|cmd)$/.test(words.join(' ')) ||
        (has(named, terminals) && /^(?:input|text|keys|stdin|data)$/.test(words[0] ?? ''))),
  );
const terminals = new Set('process terminal shell repl tty pty tmux'.split(' '));

const pageSends = new Set(['upload', 'evaluate', 'drop']);

function runningOf({ named, description, all }: Told): Graver {
  const runs =
    has(named, commandNouns) ||
    all.some(({ words }) => words.length < 3 && has(words.slice(-1), commandNouns));
  if (!runs) return null;
  if (/\b(?:page|browser)\b/i.test(description) && !/\bserver\b/i.test(description))
    return { effect: 'EXTERNAL', reason: 'a page can send what it is given' };
  return { effect: 'DESTRUCTIVE', reason: 'it runs whatever it is given', runs: true };
}

const deletesMany =
  /^\W*(?:\p{L}+[,\s]+){0,2}(?:delet|remov|destroy|purg|clear|flush|clean)\p{L}*\s+(?:\p{L}+\s+)?(?:one or more|all|multiple|many|every|everything|untracked|(?:\p{L}+\s+)?resources)\b/iu;
const amounts = new Set(['all', 'multiple', 'many', 'every', 'everything', 'resources', 'batch', 'bulk']);

function deletingOf(verb: string, { named, description }: Told): Graver {
  if (destroyingVerbs.has(verb)) return { effect: 'DESTRUCTIVE', reason: `its name says "${verb}"` };
  const rest = objectOf(named, named.indexOf(verb));
  const joint = rest.findIndex((word) => /^(?:from|by|in|of|for|with)$/.test(word));
  const object = joint < 0 ? rest : rest.slice(0, joint);
  // To remove a project from a task takes nothing away but the link.
  const isLink = verb === 'remove' && rest[joint] === 'from';
  const place = object.findLastIndex((word) => isNoun(word) && !/^ids?$/.test(word));
  const head = object[place] ?? '';
  const isEntry = place > 0 && /^(?:entry|item)$/.test(head);
  const isPart = isLink || isEntry || partNouns.has(head) || partNouns.has(head.replace(/s$/, ''));
  const isMany = isContainer(head) || deletesMany.test(description) || has(named, amounts);
  if (isPart ? named.includes('all') : isMany)
    return { effect: 'DESTRUCTIVE', reason: 'it deletes with everything that is in it' };
  if (isKept.test(description) || object.some((word) => /^drafts?$/.test(word))) return null;
  if (permanent.test(description))
    return { effect: 'DESTRUCTIVE', reason: 'its description says that it cannot be undone' };
  return !isPart && /^(?:delete|remove)$/.test(verb)
    ? { effect: 'DESTRUCTIVE', reason: 'it deletes a whole object' }
    : null;
}
/** Parts and settings of something: nobody misses one of them for long. */
const partNouns = wordsOf(`
  tag label reaction comment note link relation association member membership collaborator attendee participant follower
  watcher assignee reviewer filter override alert suppression block cookie cache log job session status state variation
  translation observation permission subtask attachment emoji category bookmark star vote pin alias rule subscription
  annotation highlight mention header default worklog
`);
