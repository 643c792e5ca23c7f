import { parseForWriting, parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { CallArguments } from '../../policy/call-arguments.ts';
import { letsThrough } from '../../schemas/decisions.ts';
import type { ExplainedValue } from '../../schemas/explanations.ts';
import type { VerifiedIdentity } from '../../schemas/identities.ts';
import type { StoredEvaluation } from '../../store/store.ts';
import type { DecidedBy } from './deciding-then.ts';
import type { History } from './history.ts';

/** Places named of one value at most: the newest. */
const mostActions = 50;
/** Longest value that is shown whole, in characters of JSON. */
const longest = 1_000;
/** Values that are looked for in the session before. */
const mostSought = 5_000;

type Path = readonly string[];

interface Known {
  decidedBy: DecidedBy;
  history: History;
}

/** The value that a condition read, as it was before the evaluation. Of the content, only the kept part. `all`: the places that it reads. */
export function explainValue(
  path: Path,
  all: readonly Path[],
  evaluation: StoredEvaluation,
  known: Known,
): ExplainedValue {
  const found =
    path.length === 1 && path[0] === 'seen'
      ? ofSightings(all, evaluation, known)
      : read(path, evaluation, known);
  const { value = null, why = null, actions = [] } = found;
  const text = JSON.stringify(value) ?? 'null';
  return {
    path: path.join('.'),
    value: text.length > longest ? null : value,
    why: text.length > longest ? 'it is too long to be shown' : why,
    actions: actions.slice(-mostActions),
  };
}

interface Found {
  value?: unknown;
  why?: string | null;
  actions?: number[];
}

function read(path: Path, evaluation: StoredEvaluation, { decidedBy, history }: Known): Found {
  const [root = '', field = ''] = path;
  switch (root) {
    case 'input':
      return ofInput(path.slice(1), evaluation);
    case 'arguments':
      return ofArguments(path.slice(1), evaluation);
    case 'session':
      return ofSession(field, evaluation, history);
    case 'counters':
      return field === '' ? unknown : history.counter(decidedBy, field);
    case 'tree':
      return {
        why: 'what the other sessions of its tree did counts as well',
        actions: ofSession(field, evaluation, history).actions ?? [],
      };
    case 'params':
      return within(decidedBy.policy.params, path.slice(1), 'there is no such param');
    case 'lists':
      return decidedBy.unknownLists.has(field)
        ? { why: 'the entries of the list are not known any more' }
        : within(decidedBy.policy.lists, path.slice(1), 'what its binding said was not kept');
    case 'toolEffect':
    case 'toolUntrusted':
    case 'toolDirectory':
    case 'toolDescribed':
    case 'destinations':
    case 'identifiers':
      return history.catalogued(root);
    case 'seen':
      return history.untrustedFields();
    case 'tool':
    case 'targetKey':
    case 'phase':
    case 'dataTags':
      return { value: evaluation[root] };
    case 'result':
      return { value: evaluation.resultStatus };
    case 'cost':
      return evaluation.cost === null
        ? { why: 'none was stated' }
        : within(evaluation.cost, path.slice(1), 'the cost does not have it');
    case 'identity':
      return evaluation.identity === null
        ? { why: 'the request had no token' }
        : within(identityRead(evaluation.identity), path.slice(1), 'the identity does not have it');
    case 'now':
      return { value: new Date(evaluation.createdAt).toISOString() };
    default:
      return unknown;
  }
}

/** As rules read it. */
const identityRead = (identity: VerifiedIdentity) => ({ ...identity, actor: identity.actors[0] ?? '' });

const unknown: Found = { why: 'it is not kept with the evaluation' };

/** Fields of an action, also by the catalogue. */
const ofAction: ReadonlySet<string> = new Set([
  'input',
  'arguments',
  'targetKey',
  'destinations',
  'identifiers',
]);

/** Which of the values that the condition reads had been in the session before, and where. */
function ofSightings(all: readonly Path[], evaluation: StoredEvaluation, known: Known): Found {
  const values = all
    .filter(([root = '']) => ofAction.has(root))
    .flatMap((path) => textsIn(read(path, evaluation, known).value));
  if (values.length > mostSought) return { why: 'it has too many values' };
  const sightings = new Map(values.map((value) => [value, known.history.actionsWith(value)]));
  const seen = [...sightings].filter(([, { found }]) => found);
  const isHidden =
    values.length === 0
      ? evaluation.input === null
      : [...sightings.values()].some(({ isComplete }) => !isComplete);
  if (seen.length === 0 && isHidden) return { why: 'content was not kept' };
  const actions = new Set(seen.flatMap(([, { actions }]) => actions));
  return { value: seen.map(([value]) => value), actions: [...actions].sort((one, other) => one - other) };
}

/** The texts of a value and of all that is in it. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Every rule reads the same input, which may be a megabyte: it is parsed once. Undefined: the arguments cannot be read. */
const parsedOf = new WeakMap<StoredEvaluation, { input: unknown; arguments?: unknown }>();

function parsedInput(evaluation: StoredEvaluation, input: string): { input: unknown; arguments?: unknown } {
  const known = parsedOf.get(evaluation) ?? { input: parseForWriting(input) };
  parsedOf.set(evaluation, known);
  return known;
}

function ofInput(path: readonly string[], evaluation: StoredEvaluation): Found {
  const { input } = evaluation;
  if (input === null) return { why: 'content was not kept' };
  return within(parsedInput(evaluation, input).input, path, 'the input does not have it');
}

function ofArguments(path: readonly string[], evaluation: StoredEvaluation): Found {
  const { input, phase } = evaluation;
  if (phase !== 'ACTION') return { why: 'only a call has arguments' };
  if (input === null) return { why: 'content was not kept' };
  const known = parsedInput(evaluation, input);
  if (!('arguments' in known)) {
    const call = new CallArguments(parseJson(input) as Record<string, unknown>);
    known.arguments = call.isReadable ? parseForWriting(stringifyJson(call.value)) : undefined;
  }
  if (known.arguments === undefined) return { why: 'the arguments of the call cannot be read' };
  return within(known.arguments, path, 'the call does not have it');
}

/** `why`: when there is no such member. */
function within(whole: unknown, path: readonly string[], why: string): Found {
  let value = whole;
  for (const name of path) {
    const isObject = typeof value === 'object' && value !== null;
    if (!isObject || !Object.hasOwn(value as object, name)) return { why };
    value = (value as Record<string, unknown>)[name];
  }
  return { value };
}

function ofSession(field: string, { tool }: StoredEvaluation, { session, actionsWhere }: History): Found {
  const stopped = (action: string) => actionsWhere(({ enforcementAction }) => enforcementAction === action);
  const ofTool = (isUsed: boolean) =>
    actionsWhere((one) => one.tool === tool && (!isUsed || letsThrough(one.enforcementAction)));
  switch (field) {
    case 'actionCount':
      return { value: session.actionCount };
    case 'warningCount':
      return { value: session.warningCount, actions: stopped('WARN') };
    case 'blockCount':
      return { value: session.blockCount, actions: stopped('BLOCK') };
    case 'reviewCount':
      return { value: session.reviewCount, actions: stopped('APPROVAL_REQUIRED') };
    case 'rejectionCount':
      return { value: session.rejectionCount };
    case 'dataTags':
      return { value: session.dataTags, actions: actionsWhere(({ dataTags }) => dataTags.length > 0) };
    case 'labels':
      return {
        value: [...session.labels],
        actions: actionsWhere(({ labels }) => labels.some((label) => session.labels.includes(label))),
      };
    case 'toolCounts':
    case 'toolsUsed':
      return { value: countsOf(session.toolCounts, field), actions: ofTool(true) };
    case 'attemptCounts':
      return { value: countsOf(session.attemptCounts, field), actions: ofTool(false) };
    case 'recentActions':
      return { why: 'see the actions', actions: actionsWhere(() => true) };
    case 'metadata':
      return { value: parseForWriting(session.metadata) };
    case 'startedAt':
      return { value: new Date(session.startedAt).toISOString() };
    case 'entityId':
    case 'id':
      return { value: session[field] };
    default:
      return unknown;
  }
}

const countsOf = (counts: ReadonlyMap<string, number>, field: string): unknown =>
  field === 'toolsUsed' ? [...counts.keys()] : Object.fromEntries(counts);
