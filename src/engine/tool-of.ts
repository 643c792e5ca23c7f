type Input = Readonly<Record<string, unknown>>;

/** A name of a tool and its JSON Pointer in the input; `path` null: the target key stands in for it. */
export interface ToolName {
  name: string;
  path: string | null;
}

/**
 * The tool that an action names: `input.tool`, else `input.toolName`, else that of a call in a known format, else
 * `input.name` when `input.arguments` or `input.args` is beside it, else the target key. Only own texts count, because
 * an input is somebody else's JSON; a text of white space names nothing.
 */
export function findTool(input: Input, targetKey: string): ToolName {
  const plain = read('/tool', own(input, 'tool')) ?? read('/toolName', own(input, 'toolName'));
  if (plain) return plain;
  for (const format of callFormats) {
    const call = read(format.path, format.name(input));
    if (call) return call;
  }
  const isCall = Object.hasOwn(input, 'arguments') || Object.hasOwn(input, 'args');
  return (isCall ? read('/name', own(input, 'name')) : null) ?? { name: normalized(targetKey), path: null };
}

export const toolOf = (input: Input, targetKey: string): string => findTool(input, targetKey).name;

/**
 * A call in a known format that names another tool than the one found; null when there is none. One of the two is what
 * will be executed, and rules would judge only the other.
 */
export function findOtherTool(input: Input, { name }: ToolName): ToolName | null {
  for (const format of callFormats) {
    const call = read(format.path, format.name(input));
    if (call && call.name !== name) return call;
  }
  return null;
}

/** How many calls a list in the format of OpenAI holds. */
export function callCount(input: Input): number {
  const calls = own(input, 'tool_calls');
  return Array.isArray(calls) ? calls.length : 0;
}

/** Names are compared in Unicode normalization form C, and without white space at their ends. */
export const normalized = (name: string): string =>
  plainAscii.test(name) ? name : name.normalize('NFC').trim();
const plainAscii = /^[\x21-\x7e]*$/;

function read(path: string, name: unknown): ToolName | null {
  if (typeof name !== 'string') return null;
  const found = normalized(name);
  return found === '' ? null : { name: found, path };
}

const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Input)[key]
    : undefined;

interface CallFormat {
  path: string;
  /** Undefined when the input is no such call. */
  name(input: Input): unknown;
}

const callTypes = new Set<unknown>(['tool_use', 'function_call', 'tool_call']);

/** The calls of OpenAI (chat completions, old and new, and responses), of Anthropic, and of MCP (JSON-RPC). */
const callFormats: readonly CallFormat[] = [
  { path: '/function/name', name: (input) => own(own(input, 'function'), 'name') },
  { path: '/name', name: (input) => (callTypes.has(own(input, 'type')) ? own(input, 'name') : undefined) },
  {
    path: '/params/name',
    name: (input) => (own(input, 'method') === 'tools/call' ? own(own(input, 'params'), 'name') : undefined),
  },
  { path: '/function_call/name', name: (input) => own(own(input, 'function_call'), 'name') },
  {
    path: '/tool_calls/0/function/name',
    name(input) {
      const first = own(own(input, 'tool_calls'), '0');
      return own(own(first, 'function'), 'name');
    },
  },
  { path: '/tool_calls/0/name', name: (input) => own(own(own(input, 'tool_calls'), '0'), 'name') },
];
