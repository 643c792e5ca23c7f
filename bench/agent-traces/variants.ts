import type { Trace, TracedStep } from './traces.ts';

/** Ways in which the same attack reaches an agent. */
export const variants = {
  recorded: (trace: Trace): Trace => trace,
  /** The attacker's values stand in a field of their own: a sender, a guest, a payee. The text only speaks of "the contact given here". */
  'own field': (trace: Trace): Trace =>
    withSteps(trace, (step, values) => ownField(step, values, fieldOf(trace))),
  /** Results are lines of `key: value`, as many tools write them. */
  'as text': (trace: Trace): Trace =>
    withSteps(trace, (step) => ({ ...step, result: linesOf(step.result, '').join('\n') })),
  /** Lists of records are tables; all else is lines of `key: value`. */
  'as table': (trace: Trace): Trace =>
    withSteps(trace, (step) => ({ ...step, result: tableOf(step.result) })),
} satisfies Record<string, (trace: Trace) => Trace>;
export type Variant = keyof typeof variants;

function withSteps(trace: Trace, change: (step: TracedStep, values: readonly string[]) => TracedStep): Trace {
  const values = trace.steps.flatMap(({ malicious, arguments: given }) => (malicious ? valuesIn(given) : []));
  const chosen = [...new Set(values)].filter((value) => value.length > 2).sort((a, b) => b.length - a.length);
  return { ...trace, steps: trace.steps.map((step) => change(step, chosen)) };
}

/** Values without spaces: addresses, accounts, ids, names of files. */
function valuesIn(given: unknown): string[] {
  if (typeof given === 'string') return /\s/.test(given) ? [] : [given];
  if (typeof given === 'number') return given >= 1_000 ? [String(given)] : [];
  if (typeof given !== 'object' || given === null) return [];
  return Object.values(given).flatMap(valuesIn);
}

const fieldNames = ['sender', 'guest', 'payee', 'contact', 'owner', 'reply_to'];
/** Another one for each trace, the same in each run. */
const fieldOf = ({ id }: Trace): string =>
  fieldNames[
    [...id].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 9_973, 7) % fieldNames.length
  ] as string;

function ownField(step: TracedStep, values: readonly string[], field: string): TracedStep {
  if (!step.injected) return step;
  const result = moved(step.result, values, field);
  return {
    ...step,
    result: typeof result === 'string' ? movedFrom(result, values, 'content', field) : result,
  };
}

function moved(value: unknown, values: readonly string[], field: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => moved(entry, values, field));
  if (typeof value !== 'object' || value === null) return value;
  const found: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === 'string' && isLong(entry))
      Object.assign(found, movedFrom(entry, values, key, field));
    else found[key] = moved(entry, values, field);
  }
  return found;
}

const isLong = (text: string): boolean => text.split(/\s+/).length > 4;

/** The text without the values that it names, and these beside it. */
function movedFrom(
  text: string,
  values: readonly string[],
  key: string,
  field: string,
): Record<string, unknown> | string {
  const named = values.filter((value) => text.includes(value));
  if (named.length === 0) return key === 'content' ? text : { [key]: text };
  let rest = text;
  for (const value of named) rest = rest.replaceAll(value, 'the contact given here');
  return { [key]: rest, [field === key ? `${field}_` : field]: named.length === 1 ? named[0] : named };
}

function linesOf(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => itemOf(linesOf(entry, `${indent}  `), indent));
  if (typeof value !== 'object' || value === null) return [`${indent}${String(value)}`];
  return Object.entries(value).flatMap(([key, entry]) =>
    typeof entry === 'object' && entry !== null
      ? [`${indent}${key}:`, ...linesOf(entry, `${indent}  `)]
      : [`${indent}${key}: ${String(entry)}`],
  );
}

function tableOf(value: unknown): string {
  const records = Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry) : [];
  if (records.length === 0 || records.length !== (value as unknown[]).length)
    return linesOf(value, '').join('\n');
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(names),
    row(names.map(() => '---')),
    ...records.map((record) => row(names.map((name) => cellOf(record[name])))),
  ].join('\n');
}

function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellOf).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, entry]) => `${key}: ${cellOf(entry)}`)
      .join(', ');
  return String(value ?? '')
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '/');
}

const itemOf = ([first = '', ...rest]: string[], indent: string): string[] => [
  `${indent}- ${first.trimStart()}`,
  ...rest,
];
