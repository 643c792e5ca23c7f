import { compile, type Program } from '../../cel/index.ts';
import type { CounterStart } from '../../features/policies/schema.ts';
import { canonicalJson } from '../../json/stringify.ts';
import type { CounterScope } from '../../schemas/counter-cells.ts';
import type { PolicyCounter } from '../../schemas/policy-documents.ts';
import { type CheckedCounter, counterExpressions } from './check-expressions.ts';
import type { Counting } from './tally.ts';
import { perOf, windowOf } from './window.ts';

/** A counter ready to count. */
export interface CompiledCounter {
  readonly name: string;
  /** The same for the same definition, whatever its name, policy and version. */
  readonly identity: string;
  readonly over: CounterScope;
  readonly on: 'ACTION' | 'RESULT';
  readonly counts: NonNullable<PolicyCounter['counts']>;
  readonly counting: Counting;
  /** As the document has them: `24h` or `day` (null: everything counts), and the value that splits it. */
  readonly windowText: string | null;
  readonly splitBy: string | null;
  readonly content: ContentRead;
  /** It can only count once it is known what becomes of the action. */
  readonly readsDecision: boolean;
  /** Only sums, of one number: nothing splits or resets it. */
  readonly isPlain: boolean;
  readonly where: Program | null;
  readonly add: Program | null;
  readonly settle: Program | null;
  readonly distinct: Program | null;
  readonly per: Program | null;
  readonly reset: Program | null;
}

const mostKeys = 10_000;

/** `digest` shortens the text of the definition; equal texts, and only those, must have equal digests. */
export function compileCounter(
  name: string,
  counter: PolicyCounter,
  checked: CheckedCounter,
  constants: { params: Readonly<Record<string, unknown>> },
  digest: (text: string) => string,
): CompiledCounter {
  const programOf = (expression: CheckedCounter[keyof CheckedCounter]): Program | null =>
    expression === undefined ? null : compile(expression, constants);
  const { over, on = 'ACTION', counts = 'ALLOWED', cap = 0 } = counter;
  const window = windowOf(counter);
  const counting: Counting = {
    window,
    measure: checked.distinct === undefined ? { kind: 'sum' } : { kind: 'distinct', cap },
    mostKeys: checked.per === undefined ? null : mostKeys,
  };
  const sources = Object.fromEntries(
    counterExpressions.map((key) => [key, checked[key]?.source.trim() ?? null]),
  );
  const definition = {
    over,
    on,
    counts,
    counting,
    ...sources,
    params: paramsRead(checked, constants.params),
  };
  return {
    name,
    identity: digest(canonicalJson(definition)),
    over,
    on,
    counts,
    counting,
    windowText: counter.within ?? perOf(counter.per).units[0] ?? null,
    splitBy: checked.per?.source.trim() ?? null,
    content: contentOfRecord(checked, counts),
    readsDecision: checked.where?.reads.some(([root]) => root === 'decision') ?? false,
    isPlain: [checked.distinct, checked.per, checked.reset, checked.settle].every((one) => one === undefined),
    where: programOf(checked.where),
    add: programOf(checked.add),
    settle: programOf(checked.settle),
    distinct: programOf(checked.distinct),
    per: programOf(checked.per),
    reset: programOf(checked.reset),
  };
}

/** The values of the params that a counter reads: its counts depend on them, too. */
function paramsRead(checked: CheckedCounter, params: Readonly<Record<string, unknown>>): object {
  const paths = Object.values(checked).flatMap(({ reads }) => reads.filter(([root]) => root === 'params'));
  if (paths.some((path) => path.length === 1)) return params;
  return Object.fromEntries(paths.map(([, name = '']) => [name, params[name] ?? null]));
}

export type { CounterStart };

/** The record of an action does not say when a person rejected it: a counter of rejections begins when it is activated. */
function contentOfRecord(checked: CheckedCounter, counts: PolicyCounter['counts']): ContentRead {
  const read = contentRead(Object.values(checked).flatMap(({ reads }) => reads));
  return counts === 'REJECTED' ? { ...read, isRecorded: false } : read;
}

/** Whether each counter can count the actions that were recorded before an integration had it. */
export const counterStarts = (
  counters: ReadonlyMap<string, CheckedCounter>,
  documented: Readonly<Record<string, PolicyCounter>> = {},
): CounterStart[] =>
  [...counters].map(([name, checked]) => {
    const { isRecorded, inputFields, targetKey } = contentOfRecord(checked, documented[name]?.counts);
    if (!isRecorded) return { name, counts: 'NOTHING' };
    return { name, counts: inputFields?.size === 0 && !targetKey ? 'RECORD' : 'KEPT_CONTENT' };
  });

/** The parts of an action's content that the expressions of a counter read. */
export interface ContentRead {
  /** False when they read something that no record has, such as the session's counts at that time. */
  readonly isRecorded: boolean;
  /** The first fields of `input`; null when it is read as a whole. */
  readonly inputFields: ReadonlySet<string> | null;
  readonly targetKey: boolean;
}

/** The fields in the record of an action, besides its content. */
const recorded: ReadonlySet<string> = new Set([
  'tool',
  'phase',
  'result',
  'cost',
  'dataTags',
  'detections',
  'integration',
  'now',
  'params',
  'lists',
  'decision',
]);
const ofSession: ReadonlySet<string> = new Set(['id', 'entityId', 'metadata', 'startedAt']);

/** The content that expressions read which read these paths. */
function contentRead(paths: readonly (readonly string[])[]): ContentRead {
  const inputs = paths.filter(([root]) => root === 'input');
  // Where the arguments are depends on the input.
  const readsWhole =
    inputs.some(({ length }) => length === 1) || paths.some(([root]) => root === 'arguments');
  return {
    isRecorded: paths.every(
      ([root = '', field = '']) =>
        recorded.has(root) ||
        root === 'input' ||
        root === 'arguments' ||
        root === 'targetKey' ||
        (root === 'session' && ofSession.has(field)),
    ),
    inputFields: readsWhole ? null : new Set(inputs.map(([, field = '']) => field)),
    targetKey: paths.some(([root]) => root === 'targetKey'),
  };
}
