import { callsOf, type KnownCall, messageCalls } from './call-formats.ts';
import { isRecord, own } from './records.ts';

type Input = Readonly<Record<string, unknown>>;

/** A name of a tool and its JSON Pointer in the input; `path` null: the target key stands in for it. */
export interface ToolName {
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
