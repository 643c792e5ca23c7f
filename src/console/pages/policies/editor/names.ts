import { severities } from '../../../../schemas/words.ts';

// The words of a policy document and the names of its expressions. A test compares them with what the service knows; its fields are in the
// schema of the service.

/** A name, and a hint of what it is. */
export type Entry = readonly [label: string, detail: string];

export const values: readonly Entry[] = [
  ['ENFORCE', 'the policy decides'],
  ['MONITOR', 'findings are recorded, and the action proceeds'],
  ['ALLOW', 'records a violation, and changes nothing else'],
  ['WARN', 'the action proceeds, flagged'],
  ['APPROVAL_REQUIRED', 'the action waits until an operator has approved it'],
  ['BLOCK', 'the action must not happen'],
  ...severities.map((name): Entry => [name, 'severity']),
  ['ACTION', 'phase: what the agent is about to do'],
  ['PROMPT', 'phase: what a person asked the agent'],
  ['RESULT', 'phase: what an action returned'],
  ['READ', 'toolEffect: reads, and changes nothing'],
  ['WRITE', 'toolEffect: changes something'],
  ['EXTERNAL', 'toolEffect: sends something outside'],
  ['DESTRUCTIVE', 'toolEffect: destroys something'],
  ...['PII', 'FINANCIAL', 'PHI', 'CREDENTIALS', 'UNSCANNED'].map((name): Entry => [name, 'data tag']),
];

export const variables: readonly Entry[] = [
  ['tool', 'text: the tool of this action, "" when none'],
  ['mcp', 'the MCP server and its tool that the name says'],
  [
    'toolEffect',
    'READ, WRITE, EXTERNAL or DESTRUCTIVE, as the catalogue says; "" when the tool is not in it',
  ],
  ['toolUntrusted', 'whether others can write into the results of the tool'],
  ['toolDirectory', 'whether its results list people or accounts that may be used'],
  ['toolDescribed', 'whether the catalogue says more than its effect'],
  ['phase', 'ACTION, PROMPT or RESULT'],
  ['arguments', 'of the call, in whatever form it was sent'],
  ['call', 'the action of a RESULT, with its arguments'],
  ['input', 'the content of this action, as sent'],
  ['targetKey', 'text: the target that the caller named, "" when none'],
  ['cost', 'what the caller says that it costs, by unit'],
  ['identity', 'whom the token of the request proves'],
  ['destinations', 'values of the arguments that say where something goes'],
  ['identifiers', 'values of the arguments that identify something'],
  ['dataTags', 'list of texts: categories and types of data found in this action'],
  ['detections', 'list of type and count: the data found in this action'],
  ['integration', 'the calling integration'],
  ['session', 'what happened before in this session'],
  ['tree', 'the session with those it delegates to'],
  ['now', 'timestamp: the current time'],
  ['result', 'how the action went, for a RESULT'],
  ['params', 'values of this policy that bindings may replace'],
  ['vars', 'variables of this policy'],
  ['lists', 'shared lists, by name'],
  ['counters', 'what the counters of this policy counted before this action'],
];

const counted: readonly Entry[] = [
  ['id', 'text: "" without a session'],
  ['actionCount', 'number of actions that were decided'],
  ['dataTags', 'list of texts: all kinds of data seen so far'],
  ['labels', 'list of texts that rules have given'],
  ['toolsUsed', 'list of texts: tools that were let through'],
  ['toolCounts', 'how often each tool was let through'],
  ['attemptCounts', 'how often each tool was evaluated, let through or not'],
  ['warningCount', 'number of actions that were warned about'],
  ['blockCount', 'number of actions that were blocked'],
  ['reviewCount', 'number of actions that were held for approval'],
  ['rejectionCount', 'number of held actions that a person rejected'],
  ['startedAt', 'timestamp'],
];

export const members: Readonly<Record<string, readonly Entry[]>> = {
  session: [
    ...counted,
    ['parentId', 'text: "" without a parent session'],
    ['depth', 'number: 0 without a parent session'],
    ['repeats', 'how often this exact action was evaluated before'],
    ['metadata', 'as it was given when the session was opened'],
    ['entityId', 'text or null: for whom the agent works'],
    ['grants', 'of approvals, that its actions can use'],
    ['recentActions', 'the last 50, newest first'],
  ],
  tree: counted,
  integration: [
    ['id', 'text'],
    ['name', 'text'],
    ['kind', 'REST_API, MCP_SERVER or AGENT'],
  ],
  mcp: [
    ['server', 'text: "" for other tools'],
    ['tool', 'text: "" for other tools'],
  ],
  identity: [
    ['subject', 'text'],
    ['issuer', 'text'],
    ['actor', 'text: the first of the actors'],
    ['actors', 'list of texts: who acts for the subject'],
    ['scopes', 'list of texts'],
    ['claims', 'of the token, by name'],
  ],
  result: [['status', 'OK or FAILED']],
  // An element of what `seen` returns, as most rules name it.
  s: [
    ['phase', 'PROMPT, RESULT or ACTION'],
    ['tool', 'text: of the action or result, "" for a prompt'],
    ['whole', 'whether it was a whole field, and no part of a longer text'],
    ['field', 'text: the name of that field, in lower case'],
    ['byOthers', 'whether others may have written that field'],
    ['fieldsDescribed', 'whether the catalogue lists the fields of the tool that others write'],
    ['origin', 'text: the record of the result'],
    ['labels', 'list of texts that rules gave to it'],
    ['seq', 'number: place of the action'],
  ],
  math: [
    ['least', 'math.least(a, b)'],
    ['greatest', 'math.greatest(a, b)'],
    ...['ceil', 'floor', 'round', 'trunc', 'abs', 'sign', 'isNaN', 'isInf', 'isFinite'].map(
      (name): Entry => [name, `math.${name}(number)`],
    ),
  ],
  sets: ['contains', 'equivalent', 'intersects'].map((name): Entry => [name, `sets.${name}(list, list)`]),
  strings: [['quote', 'strings.quote(text)']],
  base64: [['decode', 'base64.decode(text)']],
  optional: [
    ['of', 'optional.of(value)'],
    ['none', 'optional.none()'],
    ['ofNonZeroValue', 'optional.ofNonZeroValue(value)'],
  ],
  ip: [['isCanonical', 'ip.isCanonical(text)']],
  cel: [['bind', 'cel.bind(x, value, expression)']],
  lists: [['range', 'lists.range(number); or the name of a list']],
};

/** Called by name. */
export const functions: readonly Entry[] = [
  ['has', 'has(input.x): it is there'],
  ['size', 'size(text, list or map)'],
  ['seen', 'seen(value): where it came from'],
  ['severityRank', "severityRank('HIGH')"],
  ['commands', 'commands(text or list): what a shell would run'],
  ['paths', 'paths(arguments): files that they name'],
  ['normalPath', 'normalPath(text)'],
  ...['bool', 'int', 'double', 'string', 'dyn', 'type'].map((name): Entry => [name, `${name}(value)`]),
  ['timestamp', "timestamp('2026-01-01T00:00:00Z')"],
  ['duration', "duration('90m')"],
  ['json', 'json(text): what it says'],
  ['emailDomain', 'emailDomain(text)'],
  ['url', 'url(text)'],
  ['ip', 'ip(text)'],
  ['cidr', "cidr('10.0.0.0/8')"],
  ...['isURL', 'isIP', 'isCIDR'].map((name): Entry => [name, `${name}(text)`]),
  ...[
    'isBool',
    'isInt',
    'isNumber',
    'isString',
    'isList',
    'isMap',
    'isNull',
    'isTimestamp',
    'isDuration',
  ].map((name): Entry => [name, `${name}(value)`]),
];

const timeParts = [
  'getFullYear',
  'getMonth',
  'getDayOfMonth',
  'getDate',
  'getDayOfYear',
  'getDayOfWeek',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
];

/** Called on a value, behind a dot. */
export const methods: readonly Entry[] = [
  ...['exists', 'all', 'exists_one', 'existsOne', 'filter'].map(
    (name): Entry => [name, `list.${name}(x, condition)`],
  ),
  ['map', 'list.map(x, value)'],
  ['sortBy', 'list.sortBy(x, value)'],
  ['transformList', 'map.transformList(k, v, value)'],
  ['transformMap', 'map.transformMap(k, v, value)'],
  ['transformMapEntry', 'map.transformMapEntry(k, v, {k: v})'],
  ['size', 'list.size()'],
  ['contains', "text.contains('x')"],
  ['startsWith', "text.startsWith('x')"],
  ['endsWith', "text.endsWith('x')"],
  ['matches', "text.matches('RE2')"],
  ['find', "text.find('RE2')"],
  ['findAll', "text.findAll('RE2')"],
  ['extract', "text.extract('RE2')"],
  ...['lowerAscii', 'upperAscii', 'trim', 'reverse'].map((name): Entry => [name, `text.${name}()`]),
  ['charAt', 'text.charAt(0)'],
  ['indexOf', "text.indexOf('x')"],
  ['lastIndexOf', "text.lastIndexOf('x')"],
  ['substring', 'text.substring(0, 4)'],
  ['replace', "text.replace('x', 'y')"],
  ['split', "text.split(',')"],
  ['join', "list.join(',')"],
  ['format', "'%s'.format([x])"],
  ['slice', 'list.slice(0, 4)'],
  ['containsAll', 'list.containsAll(list)'],
  ['containsAny', 'list.containsAny(list)'],
  ...['flatten', 'distinct', 'sort', 'first', 'last', 'sum', 'min', 'max', 'isSorted'].map(
    (name): Entry => [name, `list.${name}()`],
  ),
  ['orValue', 'map[?key].orValue(0)'],
  ['or', 'optional.or(optional)'],
  ['hasValue', 'optional.hasValue()'],
  ['value', 'optional.value()'],
  ['optMap', 'optional.optMap(x, value)'],
  ['optFlatMap', 'optional.optFlatMap(x, optional)'],
  ...timeParts.map((name): Entry => [name, `now.${name}('Europe/Berlin')`]),
  ...['family', 'isUnspecified', 'isLoopback', 'isGlobalUnicast', 'isPrivate'].map(
    (name): Entry => [name, `ip(text).${name}()`],
  ),
  ...['isLinkLocalMulticast', 'isLinkLocalUnicast'].map((name): Entry => [name, `ip(text).${name}()`]),
  ['containsIP', 'cidr(text).containsIP(ip)'],
  ['containsCIDR', 'cidr(text).containsCIDR(cidr)'],
  ...['ip', 'masked', 'prefixLength'].map((name): Entry => [name, `cidr(text).${name}()`]),
];

/** A part of the JSON Schema of policy documents, as the service gives it at `/policy.schema.json`. */
export interface SchemaNode {
  description?: string;
  enum?: readonly unknown[];
  items?: SchemaNode;
  properties?: Readonly<Record<string, SchemaNode>>;
  patternProperties?: Readonly<Record<string, SchemaNode>>;
}

/** A place in a document: the line from 0, and the column in it. */
export interface Place {
  lines: readonly string[];
  line: number;
  column: number;
}

interface LineStart {
  /** The columns of the first dash and of the text behind the dashes. */
  dash: number | null;
  at: number;
  key: string | null;
}

function startOf(text: string): LineStart | null {
  const [, space = '', dashes = '', rest = ''] = /^(\s*)((?:- +)*)(.*)$/.exec(text) ?? [];
  if (rest === '' && dashes === '') return null;
  if (rest.startsWith('#')) return null;
  const key = /^["']?([\w.-]+)["']?:(?:\s|$)/.exec(rest)?.[1] ?? null;
  return { dash: dashes === '' ? null : space.length, at: space.length + dashes.length, key };
}

/** The keys around a place, outermost first: `rules`, then `approval`. In the value of a key, that key comes last. */
export function keysAround({ lines, line, column }: Place): string[] {
  const before = (lines[line] ?? '').slice(0, column);
  const own = startOf(before) ?? { dash: null, at: before.length, key: null };
  const flow = flowKeys(before);
  const isInValue = own.key !== null && (flow !== null || column > own.at + own.key.length);
  return [...parentsOf(own, lines.slice(0, line)), ...(isInValue ? [own.key ?? ''] : []), ...(flow ?? [])];
}

/** A parent is to the left; the dashes of a list may stand right below its key. */
function parentsOf({ at, dash }: LineStart, above: readonly string[]): string[] {
  let limit = dash === null ? at : dash + 0.5;
  for (const [place, text] of [...above.entries()].reverse()) {
    const start = startOf(text);
    if (start === null) continue;
    if (start.key !== null && start.at < limit)
      return [...parentsOf(start, above.slice(0, place)), start.key];
    if (start.at === at && start.dash !== null) limit = Math.min(limit, start.dash + 0.5);
  }
  return [];
}

/** The keys of `{ given: { tool` that are open at the end of the text; null outside of braces and brackets. */
function flowKeys(text: string): string[] | null {
  const open: (string | null)[] = [];
  let key: string | null = null;
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|'[^']*'|(?<![\w.)])[[{]|[\]}]|,|[\w.-]+(?=:\s)/g)) {
    if (token === '{' || token === '[') {
      open.push(key);
      key = null;
    } else if (token === '}' || token === ']') {
      open.pop();
      key = null;
    } else if (token === ',') key = null;
    else if (!/^["']/.test(token)) key = token;
  }
  if (open.length === 0) return null;
  // The first is the key of the line, which is known.
  const inner = open.slice(1).filter((one) => one !== null);
  return key === null ? inner : [...inner, key];
}

/** The description that the schema has of a part of the document; lists are passed through. */
function schemaAt(schema: SchemaNode | null, keys: readonly string[]): SchemaNode | null {
  let node = schema;
  for (const key of keys) {
    const of: SchemaNode | null = node?.items ?? node;
    node = of?.properties?.[key] ?? Object.values(of?.patternProperties ?? {})[0] ?? null;
  }
  return node;
}

/** The fields that may stand in a part of the document. */
export const fieldsAt = (schema: SchemaNode | null, keys: readonly string[]): Entry[] => {
  const node = schemaAt(schema, keys);
  const { properties = {} } = node?.items ?? node ?? {};
  return Object.entries(properties).map(([name, { description = '' }]) => [name, description]);
};

/** The words that the value of a field may be. */
export function wordsAt(schema: SchemaNode | null, keys: readonly string[]): Entry[] {
  const node = schemaAt(schema, keys);
  const words = node?.enum ?? node?.items?.enum ?? [];
  return words.filter((word) => typeof word === 'string').map((word) => [word, textOf(values, word) ?? '']);
}

const textOf = (entries: readonly Entry[] | undefined, name: string): string | undefined =>
  entries?.find(([label]) => label === name)?.[1];

export interface Doc {
  name: string;
  text: string;
  /** Where the name begins in its line. */
  from: number;
}

const expressions = new Set(['when', 'where', 'holds', 'add', 'settle', 'distinct', 'per', 'reset']);

/** Whether CEL stands behind `before`, in the value of the last key. */
export function isExpression(keys: readonly string[], before: string): boolean {
  const inner = keys.at(-1) ?? '';
  if (inner === 'message') return /\{\{[^}]*$/.test(before);
  return expressions.has(inner) || (keys[0] === 'variables' && keys.length > 1);
}

/** Help for the name at a place; null for a text that is no name. */
export function docAt(place: Place, schema: SchemaNode | null): Doc | null {
  const text = place.lines[place.line] ?? '';
  let from = place.column;
  while (/\w/.test(text[from - 1] ?? '')) from--;
  const [name = ''] = /^\w*/.exec(text.slice(from)) ?? [];
  const before = text.slice(0, from);
  if (name === '' || /(?:^|\s)#/.test(before)) return null;
  const found = textAt(name, { ...place, column: from }, before, text.slice(from + name.length), schema);
  return found ? { name: /\w+\.$/.exec(before)?.[0].concat(name) ?? name, text: found, from } : null;
}

function textAt(
  name: string,
  place: Place,
  before: string,
  after: string,
  schema: SchemaNode | null,
): string | undefined {
  const keys = keysAround(place);
  const isKey = /^:(?:\s|$)/.test(after) && /(?:^\s*(?:- +)*|[{,]\s*)$/.test(before);
  if (isKey) return schemaAt(schema, [...keys, name])?.description;
  const word = textOf(wordsAt(schema, keys), name);
  if (word !== undefined) return word;
  if (!isExpression(keys, before)) return undefined;
  const owner = /(\w+)\.\??$/.exec(before)?.[1];
  if (owner !== undefined) return textOf(members[owner], name) ?? textOf(methods, name);
  if (/[.\]]\??\.?$/.test(before)) return textOf(methods, name);
  return (
    textOf(after.startsWith('(') ? functions : variables, name) ??
    textOf([...variables, ...functions, ...values], name)
  );
}
