import { type CounterTexts, perOf } from './counters/counter-source.ts';
import { type DeclaredParams, declaredParams } from './params.ts';
import { type DocumentPath, pointerOf } from './policy-issue.ts';
import { isRecord, mapValues, record } from './records.ts';

/** The parts of a document that contain expressions. A text is undefined when there is nothing to check. */
export interface ExpressionSource {
  /** undefined: not known, so of any type. */
  params: DeclaredParams | undefined;
  /** The names of the shared lists; null when they are not known. */
  lists: readonly string[] | null;
  variables: Readonly<Record<string, string | undefined>>;
  counters: Readonly<Record<string, CounterTexts>>;
  toolSchemas: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  rules: readonly { tools: readonly string[]; when: string | undefined; message: string | undefined }[];
}

/**
 * Finds them in a value that may not be a valid document, so that a mistake in one place does not hide mistakes in the
 * expressions of another. `refused`: JSON Pointers of the parts known to be wrong.
 */
export function expressionSource(
  value: unknown,
  refused: ReadonlySet<string>,
  lists: readonly string[] | null = null,
): ExpressionSource {
  const text = (candidate: unknown, path: DocumentPath) =>
    typeof candidate === 'string' && !refused.has(pointerOf(path)) ? candidate : undefined;
  const document = record(value);
  const { rules, params = {} } = document;
  return {
    params: isRecord(params) ? declaredParams(params) : undefined,
    lists,
    variables: mapValues(record(document.variables), (source, name) => text(source, ['variables', name])),
    counters: mapValues(record(document.counters), (counter, name): CounterTexts => {
      const texts = record(counter);
      const at = (key: string, value: unknown) => text(value, ['counters', name, key]);
      return {
        where: at('where', texts.where),
        add: at('add', texts.add),
        settle: at('settle', texts.settle),
        distinct: at('distinct', texts.distinct),
        per: at('per', perOf(texts.per).values[0]),
        reset: at('reset', texts.reset),
      };
    }),
    toolSchemas: new Map(
      Object.entries(record(document.tools)).map(([tool, entry]) => [
        tool,
        record(record(entry).inputSchema),
      ]),
    ),
    rules: (Array.isArray(rules) ? rules : []).map((rule: unknown, index) => {
      const { tool, when, message } = record(rule);
      return {
        tools: [tool].flat().filter((name) => typeof name === 'string'),
        when: text(when, ['rules', index, 'when']),
        message: text(message, ['rules', index, 'message']),
      };
    }),
  };
}
