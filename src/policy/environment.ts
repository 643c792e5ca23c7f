import { childrenOf, type NameNode, type Node } from '../cel/ast.ts';
import {
  type CelEnvironment,
  CelError,
  type CelType,
  type CheckedExpression,
  check,
  global,
  type Overload,
  types,
} from '../cel/index.ts';
import type { Severity } from '../schemas/decisions.ts';
import { severities } from '../schemas/words.ts';
import type { OnTextIssue, TextIssue } from './document/policy-issue.ts';
import { type DeclaredParams, valuesOf } from './params.ts';
import { mapValues } from './records.ts';
import { seen } from './seen.ts';
import { shellFunctions } from './shell-commands.ts';

const { bool, dyn, int, list, map, object, string, timestamp } = types;

/** The counts of a session, and of the tree that it is in. */
const counts = {
  actionCount: int,
  dataTags: list(string),
  labels: list(string),
  toolsUsed: list(string),
  toolCounts: map(int),
  attemptCounts: map(int),
  warningCount: int,
  blockCount: int,
  reviewCount: int,
  rejectionCount: int,
};

const session = object('session', {
  id: string,
  parentId: string,
  depth: int,
  ...counts,
  repeats: int,
  startedAt: timestamp,
  metadata: map(dyn),
  // A text or null.
  entityId: dyn,
  grants: list(
    object('grant', {
      ruleId: string,
      tool: string,
      // A number, or null for any number.
      usesLeft: dyn,
      // A timestamp, or null for as long as the session.
      expiresAt: dyn,
    }),
  ),
  recentActions: list(
    object('action', {
      seq: int,
      tool: string,
      targetKey: string,
      dataTags: list(string),
      enforcementAction: string,
      // A text or null.
      severity: dyn,
      rules: list(string),
      reasons: list(string),
      labels: list(string),
      repeats: int,
      at: timestamp,
    }),
  ),
});

const tree = object('tree', {
  id: string,
  ...counts,
  startedAt: timestamp,
});

/** The variables that every expression can read, in every document. */
const common: Record<string, CelType> = {
  input: map(dyn),
  arguments: map(dyn),
  call: object('call', { arguments: map(dyn) }),
  targetKey: string,
  tool: string,
  mcp: object('mcp', { server: string, tool: string }),
  toolEffect: string,
  toolUntrusted: bool,
  toolDirectory: bool,
  toolDescribed: bool,
  destinations: list(string),
  identifiers: list(string),
  phase: string,
  result: object('result', { status: string }),
  // Numbers by unit.
  cost: map(dyn),
  identity: object('identity', {
    issuer: string,
    subject: string,
    actor: string,
    actors: list(string),
    scopes: list(string),
    claims: map(dyn),
  }),
  dataTags: list(string),
  detections: list(object('detection', { type: string, count: int })),
  integration: object('integration', { id: string, name: string, kind: string }),
  now: timestamp,
  session,
  tree,
};

/** The names of what a subject gives. */
export const subjectNames: readonly string[] = Object.keys(common);

/** The params of a document: their type, and their values where these are known. */
export interface Params {
  readonly type: CelType;
  readonly values: Readonly<Record<string, unknown>>;
  /** The names of the shared lists; null when they are not known. */
  readonly lists: readonly string[] | null;
}

/** `declared`: undefined when they are not known, so of any type. */
export const paramsOf = (declared: DeclaredParams | undefined, lists: readonly string[] | null): Params =>
  declared === undefined
    ? { type: types.dyn, values: {}, lists }
    : {
        type: object(
          'params',
          mapValues(declared, ({ type }) => type),
        ),
        values: valuesOf(declared),
        lists,
      };

/** The environment of one expression; `input` is the type of the tool's arguments where a schema gives one. */
export function environment(
  params: Params,
  vars: CelType,
  { input, counters }: { input?: CelType | undefined; counters?: CelType | null } = {},
): CelEnvironment {
  return {
    variables: {
      ...common,
      ...(input && { input, arguments: input }),
      params: params.type,
      lists: listsType(params.lists),
      vars,
      // In a document without counters the name is unknown, as it is for an author who never heard of it.
      ...(counters && { counters }),
    },
    constants: { params: params.values },
    functions,
  };
}

/** The session fields that a caller may leave out when no rule reads them. */
export const sessionFields: readonly string[] = [
  'id',
  'parentId',
  'depth',
  'actionCount',
  'dataTags',
  'labels',
  'toolsUsed',
  'toolCounts',
  'attemptCounts',
  'warningCount',
  'blockCount',
  'reviewCount',
  'rejectionCount',
  'repeats',
  'startedAt',
  'metadata',
  'entityId',
  'grants',
  'recentActions',
];

/** The entries of shared lists, by name. */
export type ListEntries = Readonly<Record<string, readonly string[]>>;

/** In place of the lists where a document is looked at without any. */
export const unknownLists = new CelError('no_such_variable', 'the shared lists are not known yet');

/** `names`: of every list there is; null when they are not known, so that any name may be one. */
const listsType = (names: readonly string[] | null): CelType =>
  names === null
    ? types.map(types.list(types.string))
    : types.object(
        'lists',
        Object.fromEntries(names.map((name) => [name, types.list(types.string)])),
        toCreate,
      );

const toCreate =
  'a shared list must exist before a policy reads it: create it with POST /v1/lists or assize lists create';

/** Where an expression uses `lists` other than to read one by its name: which ones it reads has to be known before it runs. */
export function misusedLists({
  root,
  slots,
}: CheckedExpression): { offset: number; message: string; hint: string }[] {
  const found: { offset: number; message: string; hint: string }[] = [];
  const isLists = (node: Node): node is NameNode =>
    node.kind === 'name' && node.name === 'lists' && !slots.has(node);
  const look = (node: Node, parent: Node | null): void => {
    if (isLists(node) && !(parent?.kind === 'select' && !parent.test && !parent.optional)) {
      const message = 'the shared lists can only be read by name';
      found.push({ offset: node.start, message, hint: 'write lists.NAME' });
    }
    for (const child of childrenOf(node)) look(child, node);
  };
  look(root, null);
  return found;
}

const NO_SEVERITY = new CelError(
  'invalid_argument',
  `severityRank: the value is none of ${severities.join(', ')} and null`,
);

/** 0 for none (null), then 1 for LOW to 4 for CRITICAL: as texts, HIGH is before LOW. */
const rankOf = (severity: unknown): number | CelError => {
  const rank = severity === null ? 0 : 1 + severities.indexOf(severity as Severity);
  return rank === 0 && severity !== null ? NO_SEVERITY : rank;
};

/** `severityRank(a.severity) >= severityRank("HIGH")`. */
const severityRank: Overload = global('severityRank', [types.dyn], types.int, (_, severity: unknown) =>
  rankOf(severity),
);

const functions: readonly Overload[] = [severityRank, seen, ...shellFunctions];

interface VariableTypes {
  types: Record<string, CelType>;
  /** Variables without a mistake. */
  expressions: Map<string, CheckedExpression>;
}

/**
 * Finds the types of the variables of a document, which may use each other in any order. Each is checked twice: first
 * with all others untyped, to find which ones it uses; then with the types of those. A cycle is an issue of every
 * variable in it.
 */
export function checkVariables(
  variables: Readonly<Record<string, string | undefined>>,
  params: Params,
  counters: CelType | null,
  onIssue: OnTextIssue,
): VariableTypes {
  const names = Object.keys(variables);
  const known: Record<string, CelType> = Object.fromEntries(names.map((name) => [name, types.dyn]));
  const expressions = new Map<string, CheckedExpression>();
  const untyped = new Map<string, CheckedExpression>();
  for (const [name, source] of Object.entries(variables)) {
    if (source === undefined) continue;
    const checked = check(source, environment(params, types.object('vars', known), { counters }));
    if (checked.ok) untyped.set(name, checked.expression);
    else for (const issue of checked.issues) onIssue(['variables', name], issue);
  }
  for (const name of dependencyOrder(untyped, (name) => onIssue(['variables', name], cycleIssue(name)))) {
    const checked = check(
      variables[name] as string,
      environment(params, types.object('vars', known), { counters }),
    );
    if (checked.ok) {
      known[name] = checked.expression.type;
      expressions.set(name, checked.expression);
    } else for (const issue of checked.issues) onIssue(['variables', name], issue);
  }
  return { types: known, expressions };
}

/** The variables an expression reads; all of them when it takes `vars` as a whole. */
export function variablesRead(expression: CheckedExpression, all: Iterable<string>): string[] {
  const reads = expression.reads.filter(([root]) => root === 'vars');
  if (reads.some((path) => path.length === 1)) return [...all];
  return [...new Set(reads.map((path) => path[1] as string))];
}

/** Orders variables so that each comes after those it uses; reports and leaves out those in a cycle. */
function dependencyOrder(
  expressions: ReadonlyMap<string, CheckedExpression>,
  onCycle: (name: string) => void,
): string[] {
  const uses = new Map(
    [...expressions].map(([name, expression]) => [name, variablesRead(expression, expressions.keys())]),
  );
  const ordered = new Set<string>();
  let waiting = [...expressions.keys()];
  for (;;) {
    const blocked: string[] = [];
    for (const name of waiting) {
      const open = (uses.get(name) as string[]).some((used) => waiting.includes(used) && !ordered.has(used));
      if (open) blocked.push(name);
      else ordered.add(name);
    }
    if (blocked.length === waiting.length) break;
    waiting = blocked;
  }
  for (const name of waiting) if (reaches(name, name, uses)) onCycle(name);
  return [...ordered];
}

/** Whether `from` uses `to`, directly or through others. */
function reaches(from: string, to: string, uses: ReadonlyMap<string, string[]>): boolean {
  const seen = new Set<string>();
  const open = [...(uses.get(from) as string[])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(uses.get(name) ?? []));
  }
  return false;
}

function cycleIssue(name: string): TextIssue {
  const message = `the variable "${name}" is defined by itself`;
  return { code: 'cycle', message, line: 1, column: 1, offset: 0 };
}
