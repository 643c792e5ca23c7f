type Input = Readonly<Record<string, unknown>>;

/** A name of a tool and its JSON Pointer in the input; `path` null: the target key stands in for it. */
export interface ToolName {
  name: string;
  path: string | null;
}

/**
 * The tool that an action names: `input.tool`, else `input.toolName`, else that of a call in a known format, else
 * `input.name` when `input.arguments` or `input.args` is beside it, else the target key, else `input.name` when an object
 * `input.input` or `input.parameters` is beside it. Only own texts count, because an input is somebody else's JSON; a text
 * of white space names nothing.
 */
export function findTool(input: Input, targetKey: string): ToolName {
  const plain = plainName(input);
  if (plain) return plain;
  const [call] = [...callsOf(input), ...messageCalls(input)];
  if (call) return call;
  const name = read('/name', own(input, 'name'));
  if (name && hasArgumentsBeside(input)) return name;
  const target = normalized(targetKey);
  const hasObjectBeside = isObject(own(input, 'input')) || isObject(own(input, 'parameters'));
  return target === '' && name && hasObjectBeside ? name : { name: target, path: null };
}

export const toolOf = (input: Input, targetKey: string): string => findTool(input, targetKey).name;

/**
 * Another name than the one found, in a field or a call that may name the tool; null when there is none. One of the two is
 * what will be executed, and rules would judge only the other.
 */
export function findOtherTool(input: Input, { name }: ToolName): ToolName | null {
  const names = [read('/toolName', own(input, 'toolName')), ...callsOf(input)];
  if (hasArgumentsBeside(input)) names.push(read('/name', own(input, 'name')));
  return names.find((one) => one !== null && one.name !== name) ?? null;
}

/**
 * JSON Pointer to a value in the place of a tool's name that is no text; null when there is none. What is executed may read a
 * name from it, such as a list of one text.
 */
export function findUnreadableName(input: Input): string | null {
  const places: [path: string, value: unknown][] = [
    ['/tool', own(input, 'tool')],
    ['/toolName', own(input, 'toolName')],
    ...callNames.map(({ path, name }): [string, unknown] => [path, name(input)]),
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
  return messageCalls(input)[1]?.path ?? null;
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

const plainName = (input: Input): ToolName | null =>
  read('/tool', own(input, 'tool')) ?? read('/toolName', own(input, 'toolName'));

const hasArgumentsBeside = (input: Input): boolean =>
  Object.hasOwn(input, 'arguments') || Object.hasOwn(input, 'args');

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const callTypes = new Set<unknown>(['tool_use', 'function_call', 'tool_call']);

/**
 * The names in an object that is one call: of OpenAI (chat completions, old and new, and responses), Anthropic, MCP
 * (JSON-RPC), Gemini and Bedrock.
 */
const callNames: readonly { path: string; name(call: unknown): unknown }[] = [
  { path: '/function/name', name: (call) => own(own(call, 'function'), 'name') },
  { path: '/name', name: (call) => (callTypes.has(own(call, 'type')) ? own(call, 'name') : undefined) },
  {
    path: '/params/name',
    name: (call) => (own(call, 'method') === 'tools/call' ? own(own(call, 'params'), 'name') : undefined),
  },
  { path: '/function_call/name', name: (call) => own(own(call, 'function_call'), 'name') },
  { path: '/functionCall/name', name: (call) => own(own(call, 'functionCall'), 'name') },
  { path: '/toolUse/name', name: (call) => own(own(call, 'toolUse'), 'name') },
];

function namesOf(call: unknown, place: string): ToolName[] {
  const names: ToolName[] = [];
  for (const { path, name } of callNames) {
    const found = read(path, name(call));
    if (found) names.push({ name: found.name, path: place + path });
  }
  return names;
}

/** The calls that an input says it is: itself, and the first of a list in the format of OpenAI or LangChain. */
function callsOf(input: Input): ToolName[] {
  const first = own(own(input, 'tool_calls'), '0');
  if (first === undefined) return namesOf(input, '');
  const plain = read('/tool_calls/0/name', own(first, 'name'));
  return [...namesOf(input, ''), ...namesOf(first, '/tool_calls/0'), ...(plain ? [plain] : [])];
}

/** The first two calls among the parts of a message of Anthropic or Bedrock (`content`) or Gemini (`parts`). */
function messageCalls(input: Input): ToolName[] {
  const content = own(input, 'content');
  const lists: [path: string, list: unknown][] = [
    ['/content', content],
    ['/content/parts', own(content, 'parts')],
    ['/parts', own(input, 'parts')],
  ];
  const found: ToolName[] = [];
  for (const [path, list] of lists) {
    if (!Array.isArray(list)) continue;
    for (const [place, part] of list.entries()) {
      found.push(...namesOf(part, `${path}/${place}`));
      if (found.length > 1) return found;
    }
  }
  return found;
}
