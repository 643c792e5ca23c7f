/** Turns an offset in a text into a line and column, both from 1; columns count UTF-16 code units. */
export type LineIndex = (offset: number) => { line: number; column: number };

/** Uses the text alone: the line counter of the YAML tokenizer misses lines after a syntax error. */
export function createLineIndex(source: string): LineIndex {
  const starts = [0];
  for (let end = source.indexOf('\n'); end !== -1; end = source.indexOf('\n', end + 1)) starts.push(end + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}
