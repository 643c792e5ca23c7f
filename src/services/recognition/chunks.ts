/** Texts that are sent in one call, one below the other, and where each begins. */
export interface Chunk {
  text: string;
  parts: readonly Part[];
}

export interface Part {
  /** The text that this is a piece of, where the piece begins in it and where in the chunk, and its length. */
  text: string;
  from: number;
  at: number;
  length: number;
}

/** UTF-16 units of one call, and calls for one request: beyond them texts stay unread. */
const chunkUnits = 8_000;
const mostChunks = 32;
/** Between two texts, so that no name reaches from one into the next. */
const gap = '\n\n';
const letters = /\p{L}{2}/u;

/** Every text of a value that may hold a name, each once. */
export function textsIn(values: readonly unknown[]): readonly string[] {
  const texts = new Set<string>();
  const left = [...values];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') {
      if (letters.test(value)) texts.add(value);
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) left.push(inner);
    }
  }
  return [...texts];
}

/** The calls that read these texts, and the texts that no call has room for. */
export function chunksOf(texts: readonly string[]): { chunks: readonly Chunk[]; unread: readonly string[] } {
  const chunks: { text: string; parts: Part[] }[] = [];
  const unread: string[] = [];
  for (const text of texts) {
    const pieces = piecesOf(text);
    const last = chunks.at(-1);
    const fits =
      last !== undefined && pieces.length === 1 && last.text.length + gap.length + text.length <= chunkUnits;
    if (fits) {
      const at = last.text.length + gap.length;
      last.text += gap + text;
      last.parts.push({ text, from: 0, at, length: text.length });
    } else if (chunks.length + pieces.length > mostChunks) unread.push(text);
    else
      for (const [from, to] of pieces)
        chunks.push({ text: text.slice(from, to), parts: [{ text, from, at: 0, length: to - from }] });
  }
  return { chunks, unread };
}

/** Bounds of the pieces of a text: a long one is cut at spaces. */
function piecesOf(text: string): readonly (readonly [from: number, to: number])[] {
  const pieces: [number, number][] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + chunkUnits);
    const space = text.lastIndexOf(' ', to);
    if (to < text.length && space > from) to = space;
    pieces.push([from, to]);
    from = to;
  }
  return pieces;
}
