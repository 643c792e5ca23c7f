/** How a scalar was written, which is needed to find a place inside its value in the source. */
export interface ScalarSource {
  source: string;
  /** Offsets of the scalar in the source: start, end (without what follows it). */
  start: number;
  end: number;
  style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  value: string;
}

/**
 * The offset in the source of character `inner` of the scalar's value. Exact for plain, single-quoted and literal
 * block scalars and for double-quoted ones without escapes; the scalar's start where folding or escapes hide it.
 */
export function sourceOffset(scalar: ScalarSource, inner: number): number {
  const { source, start, end, style, value } = scalar;
  switch (style) {
    case 'plain':
      return source.slice(start, end) === value ? start + inner : start;
    case 'double':
      return source.slice(start + 1, end - 1) === value ? start + 1 + inner : start;
    case 'single': {
      const escaped = value.replaceAll("'", "''");
      if (source.slice(start + 1, end - 1) !== escaped) return start;
      return start + 1 + value.slice(0, inner).replaceAll("'", "''").length;
    }
    case 'literal':
      return literalOffset(scalar, inner);
    case 'folded':
      return start;
  }
}

/** A literal block keeps its lines, each after the block's indentation. */
function literalOffset({ source, start, end, value }: ScalarSource, inner: number): number {
  const before = value.slice(0, inner).split('\n');
  const header = source.indexOf('\n', start) + 1;
  const lines = source.slice(header, end).split('\n');
  const declared = /[1-9]/.exec(source.slice(start, header).split('#')[0] as string);
  if (declared !== null) return start;
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const indent = first.length - first.trimStart().length;
  const row = before.length - 1;
  // A block at the end of the source has a last line break only in its value.
  if (row >= lines.length) return end;
  const skipped = lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0);
  return header + skipped + indent + (before[row] as string).length;
}
