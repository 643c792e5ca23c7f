import { isRecord, own } from './records.ts';

type Input = Readonly<Record<string, unknown>>;

/** A name of a tool and its JSON Pointer in the input; `path` null: the target key stands in for it. */
interface ToolName {
  name: string;
  path: string | null;
}

/**
 * The tool that an action names: `input.tool`, else `input.toolName`, else `input.tool_name` beside `input.tool_input`, else that of a
 * call in a known format, else `input.name` when `input.arguments` or `input.args` is beside it, else the target key, else `input.name` when an object
 * `input.input` or `input.parameters` is beside it. Only own texts count, because an input is somebody else's JSON; a text
 * of white space names nothing.
 */
export function findTool(input: Input, targetKey: string): ToolName {
  const plain = plainName(input);
  if (plain) return plain;
  const [call] = namesOf(knownCalls(input));
  if (call) return call;
  const name = read('/name', own(input, 'name'));
  if (name && hasArgumentsBeside(input)) return name;
  const target = normalized(targetKey);
  const hasObjectBeside = isRecord(own(input, 'input')) || isRecord(own(input, 'parameters'));
  return target === '' && name && hasObjectBeside ? name : { name: target, path: null };
}

export const toolOf = (input: Input, targetKey: string): string => findTool(input, targetKey).name;

/**
 * Another name than the one found, in a field or a call that may name the tool; null when there is none. One of the two is
 * what will be executed, and rules would judge only the other.
 */
export function findOtherTool(input: Input, { name }: ToolName): ToolName | null {
  const plain = [read('/toolName', own(input, 'toolName')), nameBesideInput(input)];
  const names = [...plain, ...namesOf(knownCalls(input))];
  if (hasArgumentsBeside(input)) names.push(read('/name', own(input, 'name')));
  return names.find((one) => one !== null && one.name !== name) ?? null;
}

/**
 * JSON Pointer to a value in the place of a tool's name that is no text; null when there is none. What is executed may read a
 * name from it, such as a list of one text.
 */
export function findUnreadableName(input: Input): string | null {
  const places: (readonly [path: string, value: unknown])[] = [
    ['/tool', own(input, 'tool')],
    ['/toolName', own(input, 'toolName')],
    ...(Object.hasOwn(input, 'tool_input') ? [['/tool_name', own(input, 'tool_name')] as const] : []),
    ...knownCalls(input).map(({ namePath, name }) => [namePath, name] as const),
  ];
  const found = places.find(
    ([, value]) => value !== undefined && value !== null && typeof value !== 'string',
  );
  return found?.[0] ?? null;
}

/** JSON Pointer to a list of several calls, or to the second call in a message; null when there is at most one. */
export function findSeveralCalls(input: Input): string | null {
  const calls = own(input, 'tool_calls');
  if (Array.isArray(calls) && calls.length > 1) return '/tool_calls';
  if (plainName(input)) return null;
  return messageCalls(input)[1]?.namePath ?? null;
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

const namesOf = (calls: readonly KnownCall[]): ToolName[] =>
  calls.flatMap(({ namePath, name }) => read(namePath, name) ?? []);

/** The name in a field of its own, which no format of a call has. */
export const plainName = (input: Input): ToolName | null =>
  read('/tool', own(input, 'tool')) ?? read('/toolName', own(input, 'toolName')) ?? nameBesideInput(input);

/** Hooks of coding agents have `tool_name` and `tool_input`; alone, `tool_name` is an argument. */
const nameBesideInput = (input: Input): ToolName | null =>
  Object.hasOwn(input, 'tool_input') ? read('/tool_name', own(input, 'tool_name')) : null;

/** The calls that an input is. Those in a message are content when the tool is named outside of it. */
export function knownCalls(input: Input): readonly KnownCall[] {
  const calls = callsOf(input);
  const further = plainName(input) ? none : messageCalls(input);
  return further.length === 0 ? calls : [...calls, ...further];
}
const none: readonly KnownCall[] = [];

const hasArgumentsBeside = (input: Input): boolean =>
  Object.hasOwn(input, 'arguments') || Object.hasOwn(input, 'args');

type Json = Readonly<Record<string, unknown>>;

/** An object with the name of a tool and its arguments, in a known format, and its JSON Pointer in the input. */
interface KnownCall {
  readonly path: string;
  readonly call: Json;
  /** The value in the place of the tool's name, and that place. */
  readonly name: unknown;
  readonly namePath: string;
  /** Keys of the call that hold the arguments. */
  readonly holders: readonly string[];
}

/** Types of calls of OpenAI's responses, Anthropic, LangChain and the AI SDK. */
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

/** Calls of tools that OpenAI's responses build in: their type names the tool. */
const builtInCalls: ReadonlyMap<unknown, Pick<KnownCall, 'name' | 'holders'>> = new Map([
  ['local_shell_call', { name: 'local_shell', holders: ['action'] }],
  ['shell_call', { name: 'shell', holders: ['action'] }],
  ['apply_patch_call', { name: 'apply_patch', holders: ['operation'] }],
  ['computer_call', { name: 'computer', holders: ['action', 'actions'] }],
]);
const usualHolders = ['arguments', 'args', 'input'] as const;

function knownCall(path: string, call: Json): KnownCall {
  const builtIn = builtInCalls.get(own(call, 'type'));
  if (builtIn) return { path, call, namePath: `${path}/type`, ...builtIn };
  const key = own(call, 'name') === undefined && own(call, 'toolName') !== undefined ? 'toolName' : 'name';
  return { path, call, name: own(call, key), namePath: `${path}/${key}`, holders: usualHolders };
}

/**
 * Where an object that is one call has the tool's name and arguments: OpenAI (chat completions, old and new, and responses),
 * Anthropic, MCP (JSON-RPC), Gemini and Bedrock.
 */
const formats: readonly { path: string; find(call: Json): unknown }[] = [
  { path: '/function', find: (call) => own(call, 'function') },
  { path: '/custom', find: (call) => (isCustomCall(call) ? own(call, 'custom') : undefined) },
  { path: '', find: (call) => (isTypedCall(own(call, 'type')) ? call : undefined) },
  {
    path: '/params',
    find: (call) => (own(call, 'method') === 'tools/call' ? own(call, 'params') : undefined),
  },
  { path: '/function_call', find: (call) => own(call, 'function_call') },
  { path: '/functionCall', find: (call) => own(call, 'functionCall') },
  { path: '/toolUse', find: (call) => own(call, 'toolUse') },
];

const isTypedCall = (type: unknown): boolean => callTypes.has(type) || builtInCalls.has(type);

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
    if (isRecord(call)) found.push(knownCall(place + path, call));
  }
  return found;
}

/** An input is no call in a known format unless it has one of these keys. Each evaluation asks several times, and most inputs have none. */
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

/** The calls that an input says it is: itself, and the first of a list in the format of OpenAI or LangChain. */
function callsOf(input: Json): readonly KnownCall[] {
  return Object.keys(input).some((key) => keysOfCalls.has(key)) ? findCalls(input) : none;
}

function findCalls(input: Json): KnownCall[] {
  return [...inFormats(input, ''), ...listedCalls(own(own(input, 'tool_calls'), '0'), '/tool_calls/0')];
}

/** The calls in an entry of `tool_calls`. */
function listedCalls(entry: unknown, path: string): KnownCall[] {
  const calls = inFormats(entry, path, true);
  if (isRecord(entry) && own(entry, 'name') !== undefined) calls.push(knownCall(path, entry));
  return calls;
}

/** Keys under which a response of a model has messages with calls. */
const keysOfMessages = ['content', 'parts', 'message', 'choices', 'output', 'candidates'] as const;

/**
 * The calls in a message (`content`, `parts`, `tool_calls`) of OpenAI, Anthropic, Bedrock, Gemini or the AI SDK, and in the response
 * that has the message, up to the second one.
 */
function messageCalls(input: Json): readonly KnownCall[] {
  if (!keysOfMessages.some((key) => Object.hasOwn(input, key))) return none;
  const found: KnownCall[] = [];
  for (const calls of callsInMessages(input)) {
    found.push(...calls);
    if (found.length > 1) break;
  }
  return found;
}

function* callsInMessages(input: Json): Generator<readonly KnownCall[]> {
  for (const { path, message } of messagesIn(input)) {
    if (path !== '') {
      yield inFormats(message, path);
      for (const [place, entry] of entriesOf(own(message, 'tool_calls')))
        yield listedCalls(entry, `${path}/tool_calls/${place}`);
    }
    for (const { list, path: within } of partsOf(message))
      for (const [place, part] of entriesOf(list)) yield inFormats(part, `${path}${within}/${place}`);
  }
}

interface Message {
  readonly path: string;
  readonly message: Json;
}

/** The input and, when it is the response of a model, the messages in it. */
function* messagesIn(input: Json): Generator<Message> {
  yield { path: '', message: input };
  const places: [path: string, value: unknown][] = [
    ['/message', own(input, 'message')],
    ['/output/message', own(own(input, 'output'), 'message')],
  ];
  for (const [path, message] of places) if (isRecord(message)) yield { path, message };
  for (const [list, key] of lists)
    for (const [place, entry] of entriesOf(own(input, list))) {
      const message = key === '' ? entry : own(entry, key);
      const within = key === '' ? '' : `/${key}`;
      if (isRecord(message)) yield { path: `/${list}/${place}${within}`, message };
    }
}

/** Lists of a response, and where each entry has its message: OpenAI's chat completions and responses, and Gemini. */
const lists = [
  ['choices', 'message'],
  ['output', ''],
  ['candidates', 'content'],
] as const;

function partsOf(message: Json): { path: string; list: unknown }[] {
  const content = own(message, 'content');
  return [
    { path: '/content', list: content },
    { path: '/content/parts', list: own(content, 'parts') },
    { path: '/parts', list: own(message, 'parts') },
  ];
}

const entriesOf = (list: unknown): Iterable<[number, unknown]> => (Array.isArray(list) ? list.entries() : []);

/** Keys that hold a call. */
const callKeys = ['function', 'custom', 'params', 'function_call', 'functionCall', 'toolUse'] as const;
/** Keys that hold the arguments of what may be a call. */
const argumentKeys = [...usualHolders, 'parameters'] as const;

/** An input without any of these holds no other call than itself, as most inputs do. */
const keysOfNested: ReadonlySet<string> = new Set([...callKeys, ...keysOfMessages, 'type', 'tool_calls']);

/** Every value that may hold the arguments of a call: values of the input, and of everything in it that may be a call. */
export function* argumentsIn(input: Json): Generator<unknown> {
  if (!Object.keys(input).some((key) => keysOfNested.has(key))) {
    for (const key of argumentKeys) yield own(input, key);
    if (Object.hasOwn(input, 'tool_name')) yield own(input, 'tool_input');
    return;
  }
  for (const call of possibleCalls(input))
    for (const one of [call, ...callKeys.map((key) => own(call, key))]) {
      if (!isRecord(one)) continue;
      const builtIn = builtInCalls.get(own(one, 'type'));
      for (const key of builtIn ? [...argumentKeys, ...builtIn.holders] : argumentKeys) yield own(one, key);
    }
  if (Object.hasOwn(input, 'tool_name')) yield own(input, 'tool_input');
}

function* possibleCalls(input: Json): Generator<Json> {
  for (const { message } of messagesIn(input)) {
    yield message;
    for (const { list } of [{ list: own(message, 'tool_calls') }, ...partsOf(message)])
      for (const [, entry] of entriesOf(list)) if (isRecord(entry)) yield entry;
  }
}
