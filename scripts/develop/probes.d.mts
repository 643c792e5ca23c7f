export function withProbes(
  code: string,
  name: string,
): { code: string; regions: readonly (readonly [start: number, end: number])[] };
