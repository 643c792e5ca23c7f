type Json = Readonly<Record<string, unknown>>;

/** Keys of an input that describe the call itself; whatever else it has may be an argument. */
const ofCall: ReadonlySet<string> = new Set([
  'tool',
  'toolName',
  'name',
  'type',
  'id',
  'call_id',
  'toolUseId',
  'jsonrpc',
  'method',
]);
/** Keys that hold the arguments, in the formats of calls that `findTool` reads. */
const argumentKeys = ['arguments', 'args', 'input', 'parameters'] as const;
/** Keys that hold a call. */
const callKeys = ['function', 'params', 'function_call', 'functionCall', 'toolUse'] as const;

/** Every object that may hold the arguments of a call: which one it is, only its caller knows. */
export interface CallArguments {
  /** What stands under a key such as `arguments`, in the format of a call. */
  readonly nested: readonly Json[];
  /** The fields of the input that do not describe the call. */
  readonly own: Json;
}

export function argumentsOf(input: Json): CallArguments {
  const nested: Json[] = [];
  const own: Record<string, unknown> = {};
  for (const call of callsIn(input)) {
    for (const key of argumentKeys) {
      const found = objectOf(Object.hasOwn(call, key) ? call[key] : undefined);
      if (found !== null) nested.push(found);
    }
  }
  for (const [key, value] of Object.entries(input)) if (!ofCall.has(key)) own[key] = value;
  return { nested, own };
}

/** The input, and the calls in it. */
function callsIn(input: Json): Json[] {
  const calls = [input];
  const lists = [input.tool_calls, input.content, objectOf(input.content)?.parts, input.parts];
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    for (const part of list) if (isObject(part)) calls.push(part);
  }
  return calls.flatMap((call) => [
    call,
    ...callKeys.flatMap((key) => (isObject(call[key]) ? [call[key]] : [])),
  ]);
}

/** OpenAI sends arguments as JSON text. */
function objectOf(value: unknown): Json | null {
  if (isObject(value)) return value;
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The texts and numbers under paths such as `to` or `message.recipients`, each once, as texts. A list on the way stands for
 * each of its entries, and what stands at the end for all that is in it: a recipient that is an object must not go unseen.
 */
export function valuesAt({ nested, own }: CallArguments, paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const keys = path.split('.');
    for (const place of [...nested, own]) collect(place, keys, found);
  }
  return [...found];
}

function collect(value: unknown, keys: readonly string[], found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const entry of value) collect(entry, keys, found);
    return;
  }
  const [key, ...rest] = keys;
  if (key === undefined) {
    if (typeof value === 'string') found.add(value);
    else if (typeof value === 'number' || typeof value === 'bigint') found.add(String(value));
    else if (isObject(value)) for (const field of Object.values(value)) collect(field, [], found);
  } else if (isObject(value) && Object.hasOwn(value, key)) collect(value[key], rest, found);
}
