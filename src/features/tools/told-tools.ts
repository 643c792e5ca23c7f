import { hash } from 'node:crypto';

/** Most tools that one request tells of, and most characters of JSON in it. */
const mostTools = 200;
const mostCharacters = 500_000;

/** A definition that no request can hold is compared by its digest. */
function sendable(tool: unknown): unknown {
  const text = JSON.stringify(tool);
  if (text.length <= mostCharacters) return tool;
  const { name } = tool as { name?: unknown };
  return { name, description: `${text.length} characters, SHA-256 ${hash('sha256', text)}` };
}

/** Definitions that a server lists, in parts that one request holds. */
export function* inRequests(tools: readonly unknown[]): Generator<unknown[]> {
  let some: unknown[] = [];
  let characters = 0;
  for (const tool of tools.map(sendable)) {
    const { length } = JSON.stringify(tool);
    if (some.length === mostTools || (some.length > 0 && characters + length > mostCharacters)) {
      yield some;
      [some, characters] = [[], 0];
    }
    some.push(tool);
    characters += length;
  }
  if (some.length > 0) yield some;
}
