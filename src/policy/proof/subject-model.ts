import { integrationKinds } from '../../features/integrations/words.ts';
import { toolEffects } from '../../features/tools/words.ts';
import { phases, resultStatuses } from '../../schemas/words.ts';
import {
  and,
  constantSum,
  equalSums,
  type Formula,
  flag,
  implies,
  less,
  no,
  not,
  or,
  textIs,
  variable,
} from './formula.ts';
import {
  anyNumber,
  includesName,
  jsonKinds,
  keyName,
  memberName,
  type NumberRange,
  natural,
  type Symbols,
  termName,
} from './symbols.ts';
import {
  always,
  bool,
  type Cases,
  type Counts,
  constantText,
  failure,
  missing,
  number,
  type TextSet,
  type TextTerm,
  textOf,
  type Value,
} from './value.ts';

/** The record that a path of the subject begins with, as `environment.ts` declares it. */
const records: ReadonlySet<string> = new Set(['session', 'tree', 'mcp', 'result', 'integration', 'identity']);
const textSets: ReadonlySet<string> = new Set([
  'dataTags',
  'destinations',
  'identifiers',
  'session.dataTags',
  'session.labels',
  'tree.dataTags',
  'tree.labels',
  'identity.actors',
  'identity.scopes',
]);
const texts: ReadonlyMap<string, readonly string[] | null> = new Map<string, readonly string[] | null>([
  ['tool', null],
  ['targetKey', null],
  ['toolEffect', ['', ...toolEffects]],
  ['phase', phases],
  ['result.status', ['', ...resultStatuses]],
  ['integration.id', null],
  ['integration.name', null],
  ['integration.kind', integrationKinds],
  ['session.id', null],
  ['session.parentId', null],
  ['tree.id', null],
  ['identity.issuer', null],
  ['identity.subject', null],
  ['identity.actor', null],
]);
const flags: ReadonlySet<string> = new Set(['toolUntrusted', 'toolDirectory', 'toolDescribed']);
const maps: ReadonlySet<string> = new Set([
  'session.toolCounts',
  'session.attemptCounts',
  'tree.toolCounts',
  'tree.attemptCounts',
]);
const jsonMaps: ReadonlySet<string> = new Set([
  'input',
  'arguments',
  'session.metadata',
  'identity.claims',
  'cost',
]);
/** Counts of a session or a tree, each at most the number of its actions where that is said. */
const counts: ReadonlyMap<string, 'part' | 'whole'> = new Map([
  ['actionCount', 'whole'],
  ['warningCount', 'part'],
  ['blockCount', 'part'],
  ['reviewCount', 'part'],
  ['rejectionCount', 'whole'],
]);
const ofSession: ReadonlySet<string> = new Set(['session.depth', 'session.repeats']);

export const inPhase = (phase: string): Formula => textIs('phase', 'is', phase);
const catalogued: Formula = not(textIs('toolEffect', 'is', ''));
const unreadable: Formula = flag('arguments unreadable');

/** Everything that an expression can read of an action and its session, as variables with the facts that hold for them. */
export class SubjectModel {
  readonly #symbols: Symbols;
  /** The definition of the first counter of a name: a test can give only one of them a value. */
  readonly #counters = new Map<string, string>();

  constructor(symbols: Symbols) {
    this.#symbols = symbols;
  }

  /** The values under a name or a path of names; null for what is not modelled. */
  read(path: string): Cases | null {
    const symbols = this.#symbols;
    if (records.has(path)) return always({ kind: 'record', name: path });
    // It is the first of the actors: which one that is, is not modelled.
    if (path === 'identity.actor') symbols.unmodelled.set(path, { source: path });
    if (texts.has(path)) return always(textOf(this.#text(path)));
    if (flags.has(path)) {
      symbols.fact(path, () => implies(flag(path), catalogued));
      this.#text('toolEffect');
      return always(bool(flag(symbols.flag(path, { of: 'field', path }))));
    }
    if (textSets.has(path)) return this.#listed(path, { kind: 'texts', set: this.setOf(path) });
    if (maps.has(path)) return always({ kind: 'counts', counts: this.#countsOf(path) });
    if (path.endsWith('.toolsUsed')) return always({ kind: 'texts', set: this.#toolsUsed(path) });
    if (jsonMaps.has(path)) return this.#listed(path, { kind: 'json', is: 'map', path: [path] });
    if (path === 'now' || path.endsWith('.startedAt')) return always(this.#time(path));
    if (path === 'session.entityId') {
      const known = flag(
        symbols.flag('session.entityId known', { of: 'field', path: 'session.entityId known' }),
      );
      return [
        { when: known, value: textOf(this.#text(path)) },
        { when: not(known), value: { kind: 'null' } },
      ];
    }
    const [record = '', field = ''] = path.split('.');
    if ((record === 'session' || record === 'tree') && (counts.has(field) || ofSession.has(path)))
      return always(number(variable(this.#count(record, field))));
    return null;
  }

  /** Arguments that cannot be read are an error wherever they are read. */
  #listed(path: string, value: Value): Cases {
    if (path !== 'arguments' && path !== 'destinations' && path !== 'identifiers') return always(value);
    this.#text('phase');
    this.#symbols.flag('arguments unreadable', { of: 'field', path: 'arguments unreadable' });
    const fails =
      path === 'arguments'
        ? and(inPhase('ACTION'), unreadable)
        : and(catalogued, inPhase('ACTION'), unreadable);
    if (path !== 'arguments') this.#text('toolEffect');
    return [
      { when: not(fails), value },
      { when: fails, value: failure },
    ];
  }

  #text(path: string): string {
    const symbols = this.#symbols;
    symbols.text(path, texts.get(path) ?? null, { of: 'field', path });
    if (path === 'tool' || path === 'toolEffect')
      symbols.fact(`${path} of a prompt`, () => {
        this.#text('phase');
        return implies(inPhase('PROMPT'), textIs(path, 'is', ''));
      });
    if (path === 'result.status')
      symbols.fact(path, () => {
        this.#text('phase');
        const none = textIs(path, 'is', '');
        return and(or(inPhase('RESULT'), none), or(not(inPhase('RESULT')), not(none)));
      });
    return path;
  }

  #count(record: string, field: string): string {
    const path = `${record}.${field}`;
    const symbols = this.#symbols;
    symbols.number(path, natural, { of: 'field', path });
    if (counts.get(field) === 'part')
      symbols.fact(path, () => less(variable(path), variable(this.#count(record, 'actionCount')), false));
    if (path === 'session.repeats')
      symbols.fact(path, () => {
        this.#text('phase');
        return or(inPhase('ACTION'), equalSums(variable(path), constantSum(0)));
      });
    return path;
  }

  #time(path: string): Value {
    const symbols = this.#symbols;
    // From the year 1 to 9999.
    symbols.number(
      path,
      { isInt: false, low: -62_135_596_800, high: 253_402_300_799 },
      { of: 'field', path },
    );
    if (path !== 'now')
      symbols.fact(path, () => {
        this.#time('now');
        return less(variable(path), variable('now'), false);
      });
    return { kind: 'timestamp', sum: variable(path) };
  }

  /** A list of texts of the subject, by its name. */
  setOf(name: string): TextSet {
    const symbols = this.#symbols;
    const size = (): string => symbols.number(`size ${name}`, natural, { of: 'size', list: name });
    return {
      name,
      has: (text) => {
        const asked = 'constant' in text ? 'member' : 'includes';
        const value = 'constant' in text ? text.constant : text.variable;
        const flagName = asked === 'member' ? memberName(name, value) : includesName(name, value);
        symbols.asked(name, asked, value);
        symbols.flag(
          flagName,
          'constant' in text
            ? { of: 'member', list: name, value }
            : { of: 'includes', list: name, text: value },
        );
        symbols.fact(`${flagName} size`, () =>
          implies(flag(flagName), less(constantSum(1), variable(size()), false)),
        );
        if (name === 'destinations' || name === 'identifiers')
          symbols.fact(`${flagName} catalogued`, () => {
            this.#text('toolEffect');
            return implies(flag(flagName), catalogued);
          });
        return flag(flagName);
      },
      size: () => {
        // More than one member can be known: the size alone does not say which.
        symbols.unmodelled.set(size(), { source: `size(${name})` });
        return variable(size());
      },
    };
  }

  /** The names that have a count. */
  #toolsUsed(path: string): TextSet {
    const used = this.#countsOf(path.replace('toolsUsed', 'toolCounts'));
    const isPresent = (key: TextTerm): Formula =>
      or(...used.at(key).flatMap(({ when, value }) => (value === missing ? [] : [when])));
    return { name: path, has: isPresent, size: () => this.setOf(path).size() };
  }

  #countsOf(map: string): Counts {
    const symbols = this.#symbols;
    return {
      name: map,
      at: (key) => {
        const name = keyName(map, key);
        symbols.keyed(map, key);
        const present = flag(symbols.flag(`has ${name}`, { of: 'count', map, key: termName(key) }));
        symbols.number(`count ${name}`, natural, { of: 'count', map, key: termName(key) });
        const count = variable(`count ${name}`);
        // A call that was let through was attempted as well.
        if (map.endsWith('.attemptCounts'))
          symbols.fact(`count ${name}`, () => {
            const [record = ''] = map.split('.');
            const through = keyName(`${record}.toolCounts`, key);
            this.#countsOf(`${record}.toolCounts`).at(key);
            const isLess = less(variable(`count ${through}`), count, false);
            return implies(flag(`has ${through}`), and(present, isLess));
          });
        if (map.endsWith('.toolCounts'))
          symbols.fact(`count ${name}`, () =>
            less(count, variable(this.#count(map.split('.')[0] as string, 'actionCount')), false),
          );
        return [
          { when: present, value: number(count) },
          { when: not(present), value: missing },
        ];
      },
    };
  }

  /** The value of a key in a JSON map; `missing` where it has none. */
  child(map: readonly string[], key: string): Cases {
    const symbols = this.#symbols;
    const path = [...map, key];
    const name = JSON.stringify(path);
    const of = 'json';
    const isAmount = path.length === 2 && path[0] === 'cost';
    const kind = symbols.text(`kind ${name}`, isAmount ? ['absent', 'number'] : jsonKinds, {
      of,
      path,
      part: 'kind',
    });
    const is = (one: string): Formula => textIs(kind, 'is', one);
    if (path.length === 2 && path[0] === 'arguments')
      symbols.fact(kind, () => {
        this.#text('phase');
        return or(inPhase('ACTION'), is('absent'));
      });
    const range: NumberRange = isAmount ? { isInt: false, low: 0, high: Infinity } : anyNumber;
    const amount = {
      when: is('number'),
      value: number(variable(symbols.number(`number ${name}`, range, { of, path, part: 'number' }))),
    };
    const absent = { when: is('absent'), value: missing };
    if (isAmount) return [absent, amount];
    const held = flag(symbols.flag(`bool ${name}`, { of, path, part: 'bool' }));
    return [
      absent,
      amount,
      { when: is('null'), value: { kind: 'null' } },
      { when: is('bool'), value: bool(held) },
      { when: is('string'), value: textOf(symbols.text(`text ${name}`, null, { of, path, part: 'text' })) },
      { when: is('list'), value: { kind: 'json', is: 'list', path } },
      { when: is('map'), value: { kind: 'json', is: 'map', path } },
    ];
  }

  /** A counter of a policy. Two definitions alike are one counter. */
  counter(name: string, definition: string, { isInt, isSplit, isBounded }: CounterKind): Cases {
    const symbols = this.#symbols;
    const id = `counter ${definition}`;
    const first = this.#counters.get(name) ?? definition;
    this.#counters.set(name, first);
    const noted = (one: string): string => {
      if (first !== definition)
        symbols.unmodelled.set(one, { source: `counters.${name} of different definitions` });
      return one;
    };
    const range: NumberRange = { isInt, low: 0, high: isInt ? natural.high : Infinity };
    const over = `${id} overflows`;
    const orOverflow = (value: Value): Cases => {
      if (!isBounded) return always(value);
      symbols.unmodelled.set(symbols.flag(over), { source: `counters.${name} above its cap` });
      return [
        { when: not(flag(over)), value },
        { when: flag(over), value: failure },
      ];
    };
    if (!isSplit)
      return orOverflow(number(variable(symbols.number(noted(id), range, { of: 'counter', name }))));
    const at = (key: TextTerm): Cases => {
      const one = keyName(id, key);
      symbols.keyed(id, key);
      symbols.flag(`has ${one}`);
      symbols.fact(`has ${one}`, () => flag(`has ${one}`));
      return orOverflow(
        number(
          variable(
            symbols.number(noted(`count ${one}`), range, {
              of: 'count',
              map: `counters.${name}`,
              key: termName(key),
            }),
          ),
        ),
      );
    };
    return always({ kind: 'counts', counts: { name: id, at } });
  }
}

export interface CounterKind {
  readonly isInt: boolean;
  readonly isSplit: boolean;
  /** Whether more values than its cap are an error. */
  readonly isBounded: boolean;
}

export const literal = (value: unknown): Value | null => {
  switch (typeof value) {
    case 'string':
      return constantText(value);
    case 'number':
      return Number.isFinite(value) ? number(constantSum(value)) : null;
    case 'boolean':
      return bool(value ? { kind: 'constant', value: true } : no);
    default:
      return value === null ? { kind: 'null' } : null;
  }
};
