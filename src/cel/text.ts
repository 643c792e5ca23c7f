import { Duration, formatDuration } from './duration.ts';
import { CelError, isError, TOO_DEEP } from './error.ts';
import { formatTimestamp, Timestamp } from './timestamp.ts';
import { isMap, keysOf, lookup } from './value.ts';

const DEEPEST = 32;
// A message is read by people: what is longer is refused as a whole, never cut to something else.
const LONGEST = 65_536;

const TOO_LONG = new CelError('budget_spent', `a text of more than ${LONGEST} characters`);
const NO_TEXT = new CelError('no_such_overload', 'this kind of value has no text');

/** A value as text for messages: texts as they are, lists and maps as compact JSON. An error stays the error it is. */
export function toText(value: unknown): string | CelError {
  if (typeof value === 'string') return value.length > LONGEST ? TOO_LONG : value;
  if (isError(value)) return value;
  const parts: string[] = [];
  const failure = write(value, parts, { left: LONGEST }, 0);
  if (failure !== null) return failure;
  const text = parts.join('');
  return value instanceof Timestamp || value instanceof Duration ? text.slice(1, -1) : text;
}

function write(value: unknown, parts: string[], room: { left: number }, depth: number): CelError | null {
  if (depth > DEEPEST) return TOO_DEEP;
  if (Array.isArray(value)) {
    return writeAll(
      '[',
      value.map((element) => ['', element] as const),
      ']',
      parts,
      room,
      depth,
    );
  }
  if (isMap(value)) {
    const entries = keysOf(value).map(
      (key) => [`${JSON.stringify(String(key))}:`, lookup(value, key)] as const,
    );
    return writeAll('{', entries, '}', parts, room, depth);
  }
  const text = scalarText(value);
  if (text === null) return NO_TEXT;
  return put(text, parts, room);
}

function writeAll(
  open: string,
  entries: readonly (readonly [string, unknown])[],
  close: string,
  parts: string[],
  room: { left: number },
  depth: number,
): CelError | null {
  let before = open;
  for (const [label, element] of entries) {
    const failure = put(before + label, parts, room) ?? write(element, parts, room, depth + 1);
    if (failure !== null) return failure;
    before = ',';
  }
  return put(entries.length === 0 ? open + close : close, parts, room);
}

function put(text: string, parts: string[], room: { left: number }): CelError | null {
  room.left -= text.length;
  if (room.left < 0) return TOO_LONG;
  parts.push(text);
  return null;
}

function scalarText(value: unknown): string | null {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Timestamp) return `"${formatTimestamp(value)}"`;
  return value instanceof Duration ? `"${formatDuration(value)}"` : null;
}
