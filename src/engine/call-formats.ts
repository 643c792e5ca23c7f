import { isRecord, own } from './records.ts';

type Json = Readonly<Record<string, unknown>>;

/** An object with the `name` of a tool and its arguments, in a known format, and its JSON Pointer in the input. */
export interface KnownCall {
  readonly path: string;
  readonly call: Json;
}

/** Of OpenAI's responses, Anthropic, LangChain and the AI SDK. */
const callTypes: ReadonlySet<unknown> = new Set([
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
  'function_call',
  'custom_tool_call',
  'mcp_call',
  'mcp_approval_request',
  'tool_call',
  'tool-call',
]);

/**
 * Where an object that is one call has the tool's name and arguments: OpenAI (chat completions, old and new, and responses),
 * Anthropic, MCP (JSON-RPC), Gemini and Bedrock.
 */
const formats: readonly { path: string; find(call: Json): unknown }[] = [
  { path: '/function', find: (call) => own(call, 'function') },
  { path: '/custom', find: (call) => (isCustomCall(call) ? own(call, 'custom') : undefined) },
  { path: '', find: (call) => (callTypes.has(own(call, 'type')) ? call : undefined) },
  {
    path: '/params',
    find: (call) => (own(call, 'method') === 'tools/call' ? own(call, 'params') : undefined),
  },
  { path: '/function_call', find: (call) => own(call, 'function_call') },
  { path: '/functionCall', find: (call) => own(call, 'functionCall') },
  { path: '/toolUse', find: (call) => own(call, 'toolUse') },
];

/** `custom` alone is a common name of a field, where the object may be anything else than a call. */
const isCustomCall = (call: Json): boolean =>
  own(call, 'type') === 'custom' ||
  Object.hasOwn(call, 'function') ||
  own(own(call, 'custom'), 'input') !== undefined;

function inFormats(value: unknown, place: string, isCall = false): KnownCall[] {
  const found: KnownCall[] = [];
  if (!isRecord(value)) return found;
  for (const { path, find } of formats) {
    const call = isCall && path === '/custom' ? own(value, 'custom') : find(value);
    if (isRecord(call)) found.push({ path: place + path, call });
  }
  return found;
}

/** Without one of these keys an input is no call in a known format. Each evaluation asks several times, and most inputs have none. */
const keysOfCalls: ReadonlySet<string> = new Set([
  'type',
  'function',
  'custom',
  'method',
  'function_call',
  'functionCall',
  'toolUse',
  'tool_calls',
]);
const none: readonly KnownCall[] = [];

/** The calls that an input says it is: itself, and the first of a list in the format of OpenAI or LangChain. */
export function callsOf(input: Json): readonly KnownCall[] {
  return Object.keys(input).some((key) => keysOfCalls.has(key)) ? findCalls(input) : none;
}

function findCalls(input: Json): KnownCall[] {
  const calls = inFormats(input, '');
  const first = own(own(input, 'tool_calls'), '0');
  if (!isRecord(first)) return calls;
  calls.push(...inFormats(first, '/tool_calls/0', true));
  if (own(first, 'name') !== undefined) calls.push({ path: '/tool_calls/0', call: first });
  return calls;
}

/** The calls among the first parts of a message of Anthropic or Bedrock (`content`) or Gemini (`parts`), up to the second part with one. */
export function messageCalls(input: Json): KnownCall[] {
  const content = own(input, 'content');
  const lists: [path: string, list: unknown][] = [
    ['/content', content],
    ['/content/parts', own(content, 'parts')],
    ['/parts', own(input, 'parts')],
  ];
  const found: KnownCall[] = [];
  for (const [path, list] of lists) {
    if (!Array.isArray(list)) continue;
    for (const [place, part] of list.entries()) {
      found.push(...inFormats(part, `${path}/${place}`));
      if (found.length > 1) return found;
    }
  }
  return found;
}
