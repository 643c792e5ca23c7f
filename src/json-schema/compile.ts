import type { Pattern } from '../cel/index.ts';
import { pointerToken } from '../json/read-exactly.ts';
import { applicatorKeywords, lastKeywords } from './applicators.ts';
import { type Check, type Draft, isObject, type Keyword, type Place, valueKeywords } from './keywords.ts';
import { compileSchemaPattern } from './patterns.ts';
import { Covered, type Mistake, Run, StepBudget, TooManySteps } from './run.ts';

export { type Mistake, StepBudget } from './run.ts';

/** Null when the value matches; `endless` when to compare takes more steps than are left. Several values can share a budget. */
export type Matcher = (value: unknown, budget?: StepBudget) => Mistake | 'endless' | null;

type Schema = Readonly<Record<string, unknown>>;

const mostDepth = 200;
const mostSchemas = 20_000;
/** Characters of all patterns; a class of Unicode takes as long to compile as 200, and each pattern as 60 beside its own. */
const mostOfPatterns = 10_000;
const unicodeClass = 200;
const eachPattern = 60;

/**
 * Compiles a JSON Schema of draft 7, 2019-09 or 2020-12, by its `$schema`; without one 2020-12. It is foreign code: nothing of
 * it is executed, and what it takes to compile and to compare is bounded. Throws an `Error` that says which part cannot be used.
 * Formats and contents are not checked, as their drafts allow.
 */
export function compileSchema(schema: unknown): Matcher {
  const document = new SchemaDocument(draftOf(schema));
  const check = document.compile(schema);
  return (value, budget = new StepBudget()) => {
    const run = new Run<Resource>(budget);
    try {
      return check(value, run, null) ? null : (run.mistake ?? { message: 'must match', path: '#' });
    } catch (error) {
      // Values that nest too deep for the stack.
      if (error instanceof TooManySteps || error instanceof RangeError) return 'endless';
      throw error;
    }
  };
}

const drafts: readonly [draft: Draft, uri: RegExp][] = [
  [7, /^https?:\/\/json-schema\.org\/draft-0[467]\/schema#?$/],
  [2019, /^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/],
  [2020, /^https?:\/\/json-schema\.org\/(?:draft\/2020-12\/)?schema#?$/],
];

function draftOf(schema: unknown): Draft {
  const named = isObject(schema) ? schema.$schema : undefined;
  if (named === undefined) return 2020;
  const draft = drafts.find(([, uri]) => typeof named === 'string' && uri.test(named));
  if (draft) return draft[0];
  throw new Error(
    '$schema must be the URI of draft 7, 2019-09 or 2020-12, such as "http://json-schema.org/draft-07/schema#"',
  );
}

/** A schema with an id of its own, and what names lead to in it. */
interface Resource {
  readonly uri: string;
  readonly root: Node;
  readonly anchors: Map<string, Node>;
  /** The nodes that a `$dynamicRef` in a schema that refers to this one may lead to. */
  readonly dynamic: Map<string, Node>;
}

/** An object or boolean that is a schema. */
interface Node {
  readonly path: string;
  check: Check;
  resource: Resource;
}

const since: Readonly<Record<string, Draft>> = {
  $recursiveRef: 2019,
  $dynamicRef: 2020,
  $defs: 2019,
  dependentRequired: 2019,
  dependentSchemas: 2019,
  unevaluatedProperties: 2019,
  unevaluatedItems: 2019,
  contentSchema: 2019,
  prefixItems: 2020,
};
const keywords: readonly [string, Keyword][] = [
  ...Object.entries(valueKeywords),
  ...applicatorKeywords,
  ...Object.entries(lastKeywords),
];
const keywordsOf = (draft: Draft) => keywords.filter(([name]) => (since[name] ?? 7) <= draft);
const keywordsByDraft: Readonly<Record<Draft, readonly [string, Keyword][]>> = {
  7: keywordsOf(7),
  2019: keywordsOf(2019),
  2020: keywordsOf(2020),
};

/** Keywords that hold values: no reference may lead into them, because nothing there is meant as a schema. */
const ofValues: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required']);
/** Keywords that hold schemas by names that are not keywords. */
const ofNames: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

class SchemaDocument {
  readonly #draft: Draft;
  readonly #nodes = new Map<unknown, Node>();
  readonly #schemas = new Map<Node, Schema>();
  readonly #resources = new Map<string, Resource>();
  readonly #patterns = new Map<string, Pattern>();
  /** References, to be resolved when all that they may lead to is known. */
  #unresolved: (() => void)[] = [];
  #ofPatterns = 0;
  #depth = 0;
  /** Whether a subschema asks what others covered, and whether a reference depends on the way to it. */
  #isCovering = false;
  #isDynamic = false;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  compile(schema: unknown): Check {
    const node = this.#node(schema, '#', null);
    while (this.#unresolved.length > 0) {
      const resolving = this.#unresolved;
      this.#unresolved = [];
      for (const resolve of resolving) resolve();
    }
    return (value, run, covered) => node.check(value, run, covered);
  }

  #node(schema: unknown, path: string, within: Resource | null): Node {
    const known = isObject(schema) ? this.#nodes.get(schema) : undefined;
    if (known) return known;
    if (typeof schema === 'boolean') return this.#always(schema, path, within);
    if (!isObject(schema)) throw mistake('must be a schema: an object, true or false', path);
    if (this.#nodes.size >= mostSchemas) throw mistake(`is one of more than ${mostSchemas} subschemas`, path);
    if (++this.#depth > mostDepth) throw mistake(`is nested deeper than ${mostDepth} subschemas`, path);
    const node: Node = { path, check: never, resource: within as Resource };
    this.#nodes.set(schema, node);
    this.#schemas.set(node, schema);
    this.#name(node, schema, within);
    node.check = this.#checkOf(node, schema);
    this.#depth--;
    return node;
  }

  #always(matches: boolean, path: string, within: Resource | null): Node {
    const check: Check = matches ? () => true : (_, run) => run.fail('must not be there', path);
    return { path, check, resource: within as Resource };
  }

  /** Enters the node under its id and anchors. In draft 7 a `$ref` hides all beside it. */
  #name(node: Node, schema: Schema, within: Resource | null): void {
    const { $id, $anchor, $dynamicAnchor, $ref } = schema;
    const isHidden = this.#draft === 7 && $ref !== undefined;
    const id = isHidden ? undefined : this.#text($id, `${node.path}/$id`);
    const { uri = '', fragment = '' } = id === undefined ? {} : splitReference(id);
    if (fragment !== '' && this.#draft !== 7) throw mistake('must have no fragment', `${node.path}/$id`);
    if (within === null || uri !== '') {
      const resource: Resource = {
        uri: resolveUri(within?.uri ?? '', uri),
        root: node,
        anchors: new Map(),
        dynamic: new Map(),
      };
      if (this.#resources.has(resource.uri))
        throw mistake('is the id of another subschema too', `${node.path}/$id`);
      this.#resources.set(resource.uri, resource);
      node.resource = resource;
    }
    if (fragment !== '') this.#anchor(node, fragment, `${node.path}/$id`);
    if (this.#draft === 7) return;
    const anchor = this.#text($anchor, `${node.path}/$anchor`);
    if (anchor !== undefined) this.#anchor(node, anchor, `${node.path}/$anchor`);
    const dynamic = this.#text($dynamicAnchor, `${node.path}/$dynamicAnchor`);
    if (dynamic !== undefined && this.#draft === 2020) {
      if (dynamic !== anchor) this.#anchor(node, dynamic, `${node.path}/$dynamicAnchor`);
      node.resource.dynamic.set(dynamic, node);
    }
    const isLed = this.#draft === 2019 && schema.$recursiveAnchor === true;
    if (isLed && node.resource.root === node) node.resource.dynamic.set('', node);
  }

  #anchor(node: Node, anchor: string, path: string): void {
    if (node.resource.anchors.has(anchor)) throw mistake('is the anchor of another subschema too', path);
    node.resource.anchors.set(anchor, node);
  }

  #text(given: unknown, path: string): string | undefined {
    if (given === undefined || typeof given === 'string') return given;
    throw mistake('must be a string', path);
  }

  #checkOf(node: Node, schema: Schema): Check {
    const checks: Check[] = [];
    const isAlone = this.#draft === 7 && schema.$ref !== undefined;
    for (const name of references) {
      if (Object.hasOwn(schema, name) && (since[name] ?? 7) <= this.#draft)
        checks.push(this.#reference(node, name, schema[name]));
    }
    for (const [name, keyword] of keywordsByDraft[this.#draft]) {
      if (!Object.hasOwn(schema, name) || (isAlone && name !== 'definitions')) continue;
      if (name.startsWith('unevaluated')) this.#isCovering = true;
      const check = keyword(schema[name], this.#place(node, schema, name));
      if (check) checks.push(check);
    }
    return this.#all(node, checks);
  }

  #all(node: Node, checks: readonly Check[]): Check {
    const { resource } = node;
    const cost = 1 + checks.length;
    return (value, run, covered) => {
      run.enter(cost);
      const isEntered = this.#isDynamic && run.scopes.at(-1) !== resource;
      if (isEntered) run.scopes.push(resource);
      const own = this.#isCovering ? new Covered() : null;
      let matches = true;
      for (const check of checks) {
        matches = check(value, run, own);
        if (!matches) break;
      }
      if (isEntered) run.scopes.pop();
      if (matches && own) covered?.add(own, run);
      run.leave();
      return matches;
    };
  }

  #place(node: Node, schema: Schema, keyword: string): Place {
    const path = `${node.path}/${pointerToken(keyword)}`;
    const sub: Place['sub'] = (part, ...names) => {
      const at = [path, ...names.map((name) => pointerToken(String(name)))].join('/');
      const found = this.#node(part, at, node.resource);
      return (value, run, covered) => found.check(value, run, covered);
    };
    return {
      schema,
      draft: this.#draft,
      path,
      refuse: (message) => {
        throw mistake(message, path);
      },
      sub,
      beside: (name) => {
        if (schema[name] === undefined) return null;
        const found = this.#node(schema[name], `${node.path}/${name}`, node.resource);
        return (value, run, covered) => found.check(value, run, covered);
      },
      pattern: (source) => this.#pattern(source, path),
    };
  }

  #pattern(source: string, path: string): Pattern {
    const known = this.#patterns.get(source);
    if (known) return known;
    this.#ofPatterns += eachPattern + source.length + unicodeClass * (source.split(/\\p\{/i).length - 1);
    if (this.#ofPatterns > mostOfPatterns)
      throw mistake(
        `makes the patterns longer than ${mostOfPatterns} characters altogether (each counts ${eachPattern} more, a class \\p{…} ${unicodeClass})`,
        path,
      );
    let pattern: Pattern;
    try {
      pattern = compileSchemaPattern(source);
    } catch (error) {
      throw mistake((error as Error).message, path);
    }
    this.#patterns.set(source, pattern);
    return pattern;
  }

  #reference(node: Node, keyword: (typeof references)[number], given: unknown): Check {
    const path = `${node.path}/${keyword}`;
    const reference = this.#text(given, path) ?? '';
    const { uri, fragment } = splitReference(reference);
    let target: Node | null = null;
    this.#unresolved.push(() => {
      target = this.#resolve(node.resource, uri, fragment, reference, path);
    });
    if (keyword === '$ref') return (value, run, covered) => (target as Node).check(value, run, covered);
    this.#isDynamic = true;
    const name = keyword === '$dynamicRef' ? fragment : '';
    return (value, run, covered) => {
      const found = target as unknown as Node;
      run.spend(run.scopes.length);
      // Led on by what refers to this schema only when the reference itself leads to such an anchor.
      const isLed = found.resource.dynamic.get(name) === found;
      const scope = isLed ? (run.scopes as Resource[]).find(({ dynamic }) => dynamic.has(name)) : undefined;
      return (scope?.dynamic.get(name) ?? found).check(value, run, covered);
    };
  }

  #resolve(from: Resource, uri: string, fragment: string, reference: string, path: string): Node {
    const resource = uri === '' ? from : this.#resources.get(resolveUri(from.uri, uri));
    if (!resource)
      throw mistake(`the reference "${reference}" leads to another document, which is not read`, path);
    if (fragment === '') return resource.root;
    if (fragment.startsWith('/')) return this.#follow(resource, fragment, reference, path);
    const found = resource.anchors.get(fragment);
    if (found) return found;
    throw mistake(`the reference "${reference}" leads to no anchor`, path);
  }

  #follow({ root }: Resource, pointer: string, reference: string, path: string): Node {
    const names = pointer
      .slice(1)
      .split('/')
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const found = names.find((name, place) => ofValues.has(name) && !ofNames.has(names[place - 1] ?? ''));
    if (found !== undefined)
      throw mistake(`the reference "${reference}" leads into ${found}, not to a schema`, path);
    let at: unknown = this.#schemas.get(root);
    let { resource } = root;
    for (const name of names) {
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name))
        throw mistake(`the reference "${reference}" leads nowhere`, path);
      at = (at as Schema)[name];
      resource = this.#nodes.get(at)?.resource ?? resource;
    }
    return this.#node(at, `${root.path}${pointer}`, resource);
  }
}

const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

const never: Check = () => {
  throw new Error('this subschema was not compiled');
};

const mistake = (message: string, path: string): Error => new Error(`${message} (${path})`);

const parts = /^(?:([A-Za-z][\w+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?/;

/** Resolves a reference without its fragment against a base (RFC 3986, section 5.2). */
function resolveUri(base: string, reference: string): string {
  const [, scheme, authority, path = '', query] = parts.exec(reference) ?? [];
  if (scheme !== undefined) return join(scheme, authority, withoutDots(path), query);
  const [, baseScheme, baseAuthority, basePath = '', baseQuery] = parts.exec(base) ?? [];
  if (authority !== undefined) return join(baseScheme, authority, withoutDots(path), query);
  if (path === '') return join(baseScheme, baseAuthority, basePath, query ?? baseQuery);
  const isAbsolute = path.startsWith('/');
  const folder = basePath.slice(0, basePath.lastIndexOf('/') + 1);
  const root = folder === '' && baseAuthority !== undefined ? '/' : folder;
  return join(baseScheme, baseAuthority, withoutDots(isAbsolute ? path : root + path), query);
}

const join = (scheme = '', authority: string | undefined, path: string, query = ''): string =>
  `${scheme === '' ? '' : `${scheme}:`}${authority === undefined ? '' : `//${authority}`}${path}${query}`;

function withoutDots(path: string): string {
  if (!path.includes('.')) return path;
  const kept: string[] = [];
  const names = path.split('/');
  for (const [place, name] of names.entries()) {
    if (name !== '.' && name !== '..') kept.push(name);
    else {
      if (name === '..' && kept.length > 1) kept.pop();
      if (place === names.length - 1) kept.push('');
    }
  }
  return kept.join('/');
}

/** A reference in two: what names the schema, and the decoded fragment. Throws an `Error` when it cannot be decoded. */
function splitReference(reference: string): { uri: string; fragment: string } {
  const at = reference.indexOf('#');
  if (at < 0) return { uri: reference, fragment: '' };
  try {
    return { uri: reference.slice(0, at), fragment: decodeURIComponent(reference.slice(at + 1)) };
  } catch {
    throw new Error(`the reference "${reference}" is not percent-encoded as it must be`);
  }
}
