import type { CallNode, Node } from '../ast.ts';
import type { Overload, Signature } from '../environment.ts';
import { globalFunctions, memberFunctions } from '../library/functions.ts';
import { macroNames } from '../parse/macros.ts';
import { compilePattern, type Pattern } from '../regex.ts';
import { didYouMean } from '../suggest.ts';
import { type CelType, types } from '../type.ts';
import { lookupIn } from '../value.ts';
import { findLocal } from './access.ts';
import type { Checking, Scope } from './checking.ts';
import { type PatternFunction, patternFunctions, specialMembers } from './operators.ts';

// Functions of other CEL hosts and other languages, under the names that people try first.
const HINTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    hasIntersection: 'write list.containsAny(other)',
    intersects: 'write list.containsAny(other)',
    intersect: 'write list.filter(x, x in other)',
    isSubset: 'write other.containsAll(list)',
    except: 'write list.filter(x, !(x in other))',
    union: 'write (list + other).distinct()',
    len: 'write size(value)',
    length: 'write size(value)',
    count: 'write list.filter(x, condition).size()',
    isEmpty: 'write size(value) == 0',
    includes: 'write x in list, or text.contains(part)',
    includesAny: 'write list.containsAny(other)',
    any: 'write list.exists(x, condition)',
    some: 'write list.exists(x, condition)',
    every: 'write list.all(x, condition)',
    anyOf: 'write list.exists(x, condition)',
    allOf: 'write list.all(x, condition)',
    keys: 'write map.map(key, key)',
    values: 'write map.transformList(key, value, value)',
    toLower: 'write text.lowerAscii()',
    toLowerCase: 'write text.lowerAscii()',
    lower: 'write text.lowerAscii()',
    toUpper: 'write text.upperAscii()',
    toUpperCase: 'write text.upperAscii()',
    upper: 'write text.upperAscii()',
    hasPrefix: 'write text.startsWith(part)',
    hasSuffix: 'write text.endsWith(part)',
    glob: 'write text.matches(r"…") with a regular expression',
    like: 'write text.matches(r"…") with a regular expression',
    regex: 'write text.matches(r"…")',
    search: 'write text.matches(r"…") or text.find(r"…")',
    test: 'write text.matches(r"…")',
    'regex.extract': 'write text.extract(r"…")',
    'regex.extractAll': 'write text.findAll(r"…")',
    'regex.replace': 'write text.replace(part, other), with plain texts',
    substr: 'write text.substring(start, end)',
    concat: 'write a + b',
    toString: 'write string(value)',
    toInt: 'write int(value)',
    parseInt: 'write int(value)',
    toNumber: 'write double(value)',
    parseFloat: 'write double(value)',
    float: 'write double(value)',
    uint: 'this profile has no uint: write int(value)',
    bytes: 'this profile has no bytes: base64.decode(text) gives a text',
    typeof: 'write type(value) == string, or isString(value)',
    isArray: 'write isList(value)',
    isObject: 'write isMap(value)',
    isArrayOf: 'write isList(value)',
    'json.decode': 'write json(text)',
    'json.parse': 'write json(text)',
    'JSON.parse': 'write json(text)',
    parseJson: 'write json(text)',
    fromJson: 'write json(text)',
    base64Decode: 'write base64.decode(text)',
    decodeBase64: 'write base64.decode(text)',
    atob: 'write base64.decode(text)',
    inIPAddrRange: 'write cidr(range).containsIP(address)',
    inIpRange: 'write cidr(range).containsIP(address)',
    getHost: 'write url(text).host',
    getHostname: 'write url(text).host',
    getScheme: 'write url(text).scheme',
    getPort: 'write url(text).port',
    getQuery: 'write url(text).query',
    getEscapedPath: 'write url(text).path',
    timeSince: 'write now - timestamp',
    today: 'write now.getDate(), now.getMonth(), now.getFullYear()',
    hour: 'write now.getHours("Europe/Berlin")',
    dayOfWeek: 'write now.getDayOfWeek("Europe/Berlin")',
    quantity: 'write a plain number',
    coalesce: 'write value.?field.orValue(other)',
    default: 'write value.?field.orValue(other)',
    exist: 'write list.exists(x, condition)',
  }),
);

/** The replacement for a function that another host has; undefined for a name that is no known one. */
const foreignHint = (name: string): string | undefined => HINTS.get(name);

/** The replacement for a function of this profile that other hosts call with other values. */
function mismatchHint(name: string, args: readonly string[]): string | undefined {
  const [receiver = ''] = args;
  if (name === 'contains' && receiver.startsWith('list(')) return 'write x in list';
  if (name === 'contains' && receiver.startsWith('map(')) return 'write key in map';
  if ((name === 'startsWith' || name === 'endsWith') && receiver.startsWith('list('))
    return `write list.exists(x, x.${name}(part))`;
  return undefined;
}

type Special = keyof typeof specialMembers;

const isPatternFunction = (name: string): name is PatternFunction =>
  patternFunctions.some((one) => one === name);

export function checkCall(checking: Checking, node: CallNode, scope: Scope | null): CelType {
  const named = globalName(checking, node, scope);
  if (isPatternFunction(node.name) && (named === null || named === 'matches')) {
    return checkSpecial(checking, node, node.name, scope);
  }
  if (named !== null) {
    const overloads = globalFunctions.get(named) ?? checking.functions.get(named);
    return checkFunction(checking, node, named, node.args, overloads, scope);
  }
  const operands = [node.target as Node, ...node.args];
  if (node.name === 'or' || node.name === 'orValue') return checkSpecial(checking, node, node.name, scope);
  return checkFunction(checking, node, node.name, operands, memberFunctions.get(node.name), scope);
}

/** The name of a function called without a receiver: plain, or in a namespace that no variable hides. */
function globalName(checking: Checking, { target, name }: CallNode, scope: Scope | null): string | null {
  if (target === null) return name;
  if (target.kind !== 'name') return null;
  if (findLocal(target.name, scope) !== null || checking.variables.has(target.name)) return null;
  const full = `${target.name}.${name}`;
  return NAMESPACES.has(target.name) || foreignHint(full) !== undefined ? full : null;
}

const NAMESPACES = new Set(
  [...globalFunctions.keys()].filter((name) => name.includes('.')).map((name) => name.split('.')[0]),
);

function checkFunction(
  checking: Checking,
  node: CallNode,
  name: string,
  operands: readonly Node[],
  overloads: readonly Overload[] | undefined,
  scope: Scope | null,
): CelType {
  const args = operands.map((operand) => checking.visit(operand, scope));
  if (overloads === undefined) return reportUnknown(checking, node, name);
  const resolved = checking.resolve(overloads, args);
  if (resolved === null) return reportMismatch(checking, node, name, args, overloads);
  checking.calls.set(node, { kind: 'function', operands, overloads: resolved.fitting });
  return resolved.result;
}

function checkSpecial(checking: Checking, node: CallNode, kind: Special, scope: Scope | null): CelType {
  const operands = node.target === null ? node.args : [node.target, ...node.args];
  const args = operands.map((operand) => checking.visit(operand, scope));
  const signatures = specialMembers[kind].map((one) => ({
    ...one,
    name: kind,
    member: node.target !== null,
  }));
  const resolved = checking.resolve(signatures, args);
  if (resolved === null) return reportMismatch(checking, node, kind, args, signatures);
  if (isPatternFunction(kind)) {
    const pattern = knownPattern(checking, kind, operands[1] as Node, scope);
    checking.calls.set(node, { kind, operands, pattern });
  } else checking.calls.set(node, { kind, operands });
  return resolved.result;
}

/** Only a pattern that is known before running can be checked for its cost. */
function knownPattern(
  checking: Checking,
  name: PatternFunction,
  node: Node,
  scope: Scope | null,
): Pattern | null {
  const source = constantOf(checking, node, scope);
  if (typeof source !== 'string') {
    const isReported = checking.issues.some(({ at }) => at.start >= node.start && at.end <= node.end);
    if (isReported) return null;
    const constants = Object.keys(checking.constants).map((one) => `${one}.name, `);
    const hint = `write the pattern in place as r"…"${constants.length > 0 ? `, or as ${constants.join('')}` : '; '}for a plain text use contains, startsWith or endsWith`;
    const message = `the pattern of ${name} is computed, expected a literal`;
    checking.report('regex_not_literal', message, node, hint);
    return null;
  }
  const compiled = compilePattern(source, checking.limits);
  if (compiled.ok) return compiled.pattern;
  const hint = compiled.code === 'regex_invalid' ? undefined : 'repeat less, or split the pattern';
  checking.report(compiled.code, compiled.message, node, hint);
  return null;
}

/** The value of a literal, or of a path into a constant of the host. */
function constantOf(checking: Checking, node: Node, scope: Scope | null): unknown {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'name':
      return findLocal(node.name, scope) === null ? lookupIn(checking.constants, node.name) : undefined;
    case 'select':
      if (node.test || node.optional) return undefined;
      return lookupIn(constantOf(checking, node.operand, scope), node.field);
    case 'index': {
      if (node.optional) return undefined;
      const container = constantOf(checking, node.operand, scope);
      const key = constantOf(checking, node.key, scope);
      return Array.isArray(container) && typeof key === 'number' ? container[key] : lookupIn(container, key);
    }
    default:
      return undefined;
  }
}

function reportUnknown(checking: Checking, node: CallNode, name: string): CelType {
  const isMember = node.target !== null && !name.includes('.');
  const known = [...memberFunctions.keys(), ...Object.keys(specialMembers), ...macroNames];
  const byName = [...globalFunctions.keys(), ...checking.functions.keys()];
  const own = isMember ? known : [...byName, ...macroNames];
  let hint = foreignHint(name) ?? didYouMean(name, own);
  if (!isMember && (memberFunctions.has(name) || Object.hasOwn(specialMembers, name)))
    hint = `write value.${name}(…)`;
  if (isMember && byName.includes(name)) hint = `write ${name}(value)`;
  if (macroNames.includes(name)) hint = MACRO_HINT;
  if (!isMember && checking.variables.has(name)) hint = `"${name}" is a variable: write it without ()`;
  return checking.report('unknown_function', `unknown function "${name}"`, node.at, hint);
}

const MACRO_HINT = 'a macro takes names and an expression, as in list.exists(x, x > 1)';

function reportMismatch(
  checking: Checking,
  node: CallNode,
  name: string,
  args: readonly CelType[],
  overloads: readonly (Signature & { member: boolean })[],
): CelType {
  const written = (all: readonly CelType[], member: boolean): string => {
    const names = all.map((type) => checking.name(type));
    return member ? `${names[0]}.${name}(${names.slice(1).join(', ')})` : `${name}(${names.join(', ')})`;
  };
  const member = overloads.some((one) => one.member);
  const forms = overloads.slice(0, MOST_FORMS).map(({ params }) => written(params, member));
  const more = overloads.length > MOST_FORMS ? ' or similar' : '';
  checking.report(
    'type_mismatch',
    `found ${written(args, member)}, expected ${forms.join(' or ')}${more}`,
    node,
    mismatchHint(
      name,
      args.map((type) => checking.name(type)),
    ),
  );
  const [first] = overloads;
  return first?.result.kind === 'bool' ? types.bool : types.dyn;
}

const MOST_FORMS = 4;
