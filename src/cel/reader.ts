/** Reads one property of an object, as `object.name` does. */
export type Reader = (object: object) => unknown;

const readers = new Map<string, Reader>();

// Names come from policies. Beyond this number, the slower generic read is used.
const READERS_KEPT = 1_000;
// Only such names may become part of a function's source; the length bounds its memory.
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * One function per name. V8's inline caches belong to a place in the source: a single `object[name]` shared by all
 * steps would be megamorphic and take 8 ns per read instead of 3.
 */
export function readerOf(name: string): Reader {
  const known = readers.get(name);
  if (known !== undefined) return known;
  if (!PLAIN_NAME.test(name) || readers.size >= READERS_KEPT) return (object) => Reflect.get(object, name);
  const reader = new Function('object', `return object.${name}`) as Reader;
  readers.set(name, reader);
  return reader;
}
