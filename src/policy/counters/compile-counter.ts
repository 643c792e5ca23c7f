import { compile, type Program } from '../../cel/index.ts';
import { canonicalJson } from '../../json/canonical.ts';
import type { CounterScope } from '../../schemas/counter-cells.ts';
import type { PolicyCounter } from '../../schemas/policy-counters.ts';
import type { CheckedCounter } from './check-expressions.ts';
import type { ContentRead } from './content-read.ts';
import { counterExpressions, perOf, windowOf } from './counter-source.ts';
import { contentOfRecord } from './counter-starts.ts';
import type { Counting } from './tally.ts';

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

/** What a counter counts also depends on the values of the params it reads. */
function paramsRead(checked: CheckedCounter, params: Readonly<Record<string, unknown>>): object {
  const paths = Object.values(checked).flatMap(({ reads }) => reads.filter(([root]) => root === 'params'));
  if (paths.some((path) => path.length === 1)) return params;
  return Object.fromEntries(paths.map(([, name = '']) => [name, params[name] ?? null]));
}
