/** A text of its own: V8 keeps all of a longer text in memory for a part of it, and that may be a megabyte. */
export const ownCopy = (part: string): string => [part.slice(0, 1), part.slice(1)].join('');
