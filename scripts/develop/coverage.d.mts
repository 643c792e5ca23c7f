export function reachedLines(
  text: string,
  regions: readonly (readonly [start: number, end: number])[],
  bytes: Uint8Array,
): Set<number>;
