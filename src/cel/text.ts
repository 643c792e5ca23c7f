import { type Budget, MESSAGE, spend } from './budget.ts';
import { CelError, isError, SPENT, TOO_DEEP } from './error.ts';
import { isNumber } from './number.ts';
import { Duration, formatDuration, formatTimestamp, Timestamp } from './time.ts';
import { isMap, keysOf, lookup, Opaque } from './value.ts';

const DEEPEST = 32;
// People read messages. A longer text is refused as a whole and never cut, because a cut text says something else.
const LONGEST = 65_536;

const TOO_LONG = new CelError('budget_spent', `a text of more than ${LONGEST} characters`);
const NO_TEXT = new CelError('no_such_overload', 'this kind of value has no text');

/**
 * A value as text for messages: strings as they are, the elements of a list with commas between (`PII, EMAIL_ADDRESS`),
 * maps and lists inside of them as compact JSON. An error is returned as it is. Takes steps from the budget.
 */
export function toText(value: unknown, budget: Budget): string | CelError {
  if (isError(value)) return value;
  const parts: string[] = [];
  const room = { left: LONGEST };
  const failure = Array.isArray(value) ? putElements(value, parts, room) : putPlain(value, parts, room);
  // Charged afterwards, as the longest text takes less than a millisecond.
  const isPaid = spend(budget, LONGEST - room.left + MESSAGE * parts.length);
  return failure ?? (isPaid ? parts.join('') : SPENT);
}

function putElements(list: readonly unknown[], parts: string[], room: { left: number }): CelError | null {
  for (const [index, element] of list.entries()) {
    const failure = put(index === 0 ? '' : ', ', parts, room) ?? putPlain(element, parts, room);
    if (failure !== null) return failure;
  }
  return null;
}

/** Writes a value without the quotes that strings and times have inside of JSON. */
function putPlain(value: unknown, parts: string[], room: { left: number }): CelError | null {
  if (typeof value === 'string') return put(value, parts, room);
  if (value instanceof Timestamp) return put(formatTimestamp(value), parts, room);
  if (value instanceof Duration) return put(formatDuration(value), parts, room);
  if (value instanceof Opaque) return put(String(value), parts, room);
  return write(value, parts, room, 0);
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
  if (value === null || typeof value === 'boolean' || isNumber(value)) return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Timestamp) return `"${formatTimestamp(value)}"`;
  if (value instanceof Opaque) return JSON.stringify(String(value));
  return value instanceof Duration ? `"${formatDuration(value)}"` : null;
}
