import { createTimestamp, formatTimestamp } from '../../cel/time.ts';
import type { PolicyTestGiven } from '../../schemas/policy-tests.ts';
import { decide } from '../decide.ts';
import { testSubject } from '../document/test-subject.ts';
import type { Decision, Subject } from '../subject.ts';
import type { ProvedPolicy } from './decision-model.ts';
import type { Model } from './formula.ts';
import type { Origin, Symbols } from './symbols.ts';

/** An action and its session, as the `given` of a test. */
export type Witness = PolicyTestGiven;

/** Objects and lists under construction. */
type Tree = { [key: string]: unknown };

/** The action and the session that a model stands for. Parts that are not modelled are left out. */
export function witnessOf(model: Model, symbols: Symbols): Witness {
  const witness: Tree = {};
  const sizes: { list: string; size: number }[] = [];
  for (const [name, origin] of symbols.origins) {
    const size = place(witness, name, origin, model, symbols);
    if (size !== null) sizes.push(size);
  }
  for (const { list, size } of sizes) fill(witness, list, size);
  return readable(witness, model);
}

/** Puts the value of one variable where it belongs; returns the size of a list, which is filled up afterwards. */
function place(
  witness: Tree,
  name: string,
  origin: Origin,
  model: Model,
  symbols: Symbols,
): { list: string; size: number } | null {
  const { flags, numbers, texts } = model;
  switch (origin.of) {
    case 'field':
      return putKnown(
        witness,
        origin.path.split('.'),
        texts.get(name) ?? flags.get(name) ?? numbers.get(name),
      );
    case 'json':
      if (origin.part !== 'kind' || origin.path[0] === 'unmodelled') return null;
      return putKnown(witness, origin.path.flatMap(splitRoot), jsonValue(origin.path, model));
    case 'member':
      if (flags.get(name) && !symbols.unmodelled.has(name)) add(witness, origin.list, origin.value);
      return null;
    case 'includes':
      if (flags.get(name)) add(witness, origin.list, texts.get(origin.text) ?? '');
      return null;
    case 'size':
      return { list: origin.list, size: numbers.get(name) ?? 0 };
    case 'count': {
      if (!flags.get(name)) return null;
      const key = origin.key.startsWith('=') ? origin.key.slice(1) : (texts.get(origin.key) ?? '');
      const count = numbers.get(name.replace(/^has /, 'count ')) ?? 0;
      return putKnown(witness, [...origin.map.split('.'), key], count);
    }
    case 'counter':
      return putKnown(witness, ['counters', origin.name], numbers.get(name));
  }
}

function putKnown(witness: Tree, path: readonly string[], value: unknown): null {
  if (value !== undefined) put(witness, path, value);
  return null;
}

const splitRoot = (step: string, index: number): string[] => (index === 0 ? step.split('.') : [step]);

/** Undefined for a value that is missing. */
function jsonValue(path: readonly string[], { flags, numbers, texts }: Model): unknown {
  const name = JSON.stringify(path);
  switch (texts.get(`kind ${name}`)) {
    case 'null':
      return null;
    case 'bool':
      return flags.get(`bool ${name}`) ?? false;
    case 'number':
      return numbers.get(`number ${name}`) ?? 0;
    case 'string':
      return texts.get(`text ${name}`) ?? '';
    case 'list':
      return [];
    case 'map':
      return {};
    default:
      return undefined;
  }
}

/** A value that is there already stays: an empty object may have got its fields first. */
function put(tree: Tree, path: readonly string[], value: unknown): void {
  const [step = '', ...rest] = path;
  if (rest.length === 0) {
    const isFilled = isTree(tree[step]) && isTree(value);
    if (!isFilled) tree[step] = value;
    return;
  }
  if (!isTree(tree[step])) tree[step] = {};
  put(tree[step] as Tree, rest, value);
}

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function add(witness: Tree, list: string, value: string): void {
  const all = listAt(witness, list);
  if (!all.includes(value)) all.push(value);
}

function listAt(witness: Tree, list: string): string[] {
  const path = list.split('.');
  const [last = ''] = path.slice(-1);
  let parent = witness;
  for (const step of path.slice(0, -1)) {
    put(parent, [step], {});
    parent = parent[step] as Tree;
  }
  if (!Array.isArray(parent[last])) parent[last] = [];
  return parent[last] as string[];
}

/** Texts that no rule asks for. */
function fill(witness: Tree, list: string, size: number): void {
  if (list.startsWith('list ') || list === 'decision.rules') return;
  const all = listAt(witness, list);
  for (let place = 1; all.length < Math.min(size, mostFilled); place++) all.push(`OTHER_${place}`);
}

const mostFilled = 1_000;

/** Turns the values of variables into the form of a test. */
function readable(raw: Tree, { flags }: Model): Witness {
  const {
    arguments: args,
    result,
    toolEffect,
    phase = 'ACTION',
    'arguments unreadable': _,
    ...witness
  } = raw;
  const isCatalogued = typeof toolEffect === 'string' && toolEffect !== '';
  if (!isCatalogued) for (const field of ofCatalogue) delete witness[field];
  const sent = flags.get('arguments unreadable') === true ? unreadableText : args;
  if (phase === 'ACTION' && sent !== undefined)
    witness.input = { ...(witness.input as Tree | undefined), arguments: sent };
  if (isTree(witness.identity)) nameActor(witness.identity);
  if (witness.tool === '') delete witness.tool;
  if (phase === 'RESULT') witness.result = result;
  if (witness.now !== undefined) witness.now = momentText(witness.now as number);
  if (isTree(witness.session)) nameSession(witness.session);
  return { ...(phase !== 'ACTION' && { phase }), ...(isCatalogued && { toolEffect }), ...witness } as Witness;
}

const ofCatalogue = ['toolUntrusted', 'toolDirectory', 'toolDescribed', 'destinations', 'identifiers'];
/** The text of no JSON object. */
const unreadableText = '{';

function nameActor(identity: Tree): void {
  const { actor, actors = [] } = identity;
  if (typeof actor === 'string')
    identity.actors = [actor, ...(actors as string[])].filter((one) => one !== '');
  delete identity.actor;
}

function nameSession(session: Tree): void {
  if (session['entityId known'] === true) session.entityId ??= '';
  else delete session.entityId;
  delete session['entityId known'];
  if (session.startedAt !== undefined) session.startedAt = momentText(session.startedAt as number);
}

function momentText(seconds: number): string {
  const ms = Math.round(seconds * 1_000);
  const moment = createTimestamp(Math.floor(ms / 1_000), (((ms % 1_000) + 1_000) % 1_000) * 1_000_000);
  return moment === null ? '' : formatTimestamp(moment);
}

/** The decision of the engine. Arguments that cannot be read are none of the lists that the catalogue makes of them. */
export function decideWitness(
  policies: readonly ProvedPolicy[],
  witness: Witness,
): { decision: Decision; subject: Subject } {
  const { lists, ...given } = witness;
  const subject = testSubject(
    given,
    [],
    undefined,
    new Set(policies.flatMap(({ policy }) => [...policy.toolNames])),
  );
  const unreadable = given.input?.arguments === unreadableText && subject.catalogued !== null;
  const judged: Subject = unreadable
    ? {
        ...subject,
        catalogued: {
          ...(subject.catalogued as object),
          destinations: null,
          identifiers: null,
        } as Subject['catalogued'],
      }
    : subject;
  const compiled = policies.map(({ policy }) => ({ ...policy, lists: { ...emptyLists(policy), ...lists } }));
  return { decision: decide(compiled, judged), subject: judged };
}

const emptyLists = ({ lists }: ProvedPolicy['policy']): object => lists;

/** The parts of a witness that can be left out one by one until it no longer shows the same. */
export function smallest(witness: Witness, shows: (witness: Witness) => boolean): Witness {
  let least = witness;
  for (let changed = true; changed; ) {
    changed = false;
    for (const path of pathsIn(least)) {
      const without = structuredCopy(least) as Tree;
      remove(without, path);
      if (!shows(without as Witness)) continue;
      least = without as Witness;
      changed = true;
      break;
    }
  }
  return least;
}

const structuredCopy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (!isTree(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, structuredCopy(one)]));
};

/** Larger parts first. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.keys(value).map((key) => [...path, key]);
  return [...own, ...own.flatMap((one) => pathsIn((value as Tree)[one.at(-1) as string], one))];
}

function remove(tree: Tree, path: readonly string[]): void {
  const [step = '', ...rest] = path;
  if (rest.length > 0) remove(tree[step] as Tree, rest);
  else if (Array.isArray(tree)) tree.splice(Number(step), 1);
  else delete tree[step];
}
