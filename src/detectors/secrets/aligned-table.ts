import { afterRule } from '../context/rule.ts';
import type { Pass } from '../pass.ts';
import { BLANK, LINE_FEED, TAB, VERTICAL_BAR } from '../text/ascii.ts';
import { byteAt } from '../text/read.ts';
import { HeadedCells, type Place } from './headed-cells.ts';

/** Lines among which the head is looked for, characters of it, and columns. */
const MAX_LINES = 3;
const MAX_HEAD = 512;
const MAX_COLUMNS = 32;

/**
 * A table whose columns are parted by blanks alone, as programs and reStructuredText print it, or whose heads stand between
 * double bars, as in Jira: near the beginning of a text.
 */
export function alignedTable(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  let begin = start;
  for (let line = 0; line < MAX_LINES && begin < end; line++) {
    const stop = lineEnd(b, begin, end);
    if (b[stop] !== LINE_FEED) return;
    const isBarred = b[begin] === VERTICAL_BAR && b[begin + 1] === VERTICAL_BAR;
    if (isBarred || hasGap(b, begin, stop)) {
      const heads = (isBarred && barredParts(b, begin, stop, 2)) || alignedParts(b, begin, stop);
      if (
        heads.length > 1 &&
        heads.length <= MAX_COLUMNS &&
        readTable(pass, heads, begin, stop + 1, isBarred)
      )
        return;
    }
    begin = stop + 1;
  }
}

function readTable(
  pass: Pass,
  heads: readonly Place[],
  begin: number,
  below: number,
  isBarred: boolean,
): boolean {
  const cells = new HeadedCells(pass, heads);
  if (!cells.isTelling) return false;
  const { bytes: b, end } = pass.text;
  let count = 0;
  for (let at = afterRule(b, below, end); at < end; ) {
    const stop = lineEnd(b, at, end);
    const parts = isBarred ? barredParts(b, at, stop, 1) : rowParts(b, heads, begin, at, stop);
    if (parts === null || parts.length !== heads.length) break;
    for (const [k, part] of parts.entries()) cells.read(k, part);
    count++;
    at = afterRule(b, stop + 1, end);
  }
  return count > 0;
}

function lineEnd(b: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end && i - from < MAX_HEAD && b[i] !== LINE_FEED) i++;
  return i;
}

/** Whether two blanks stand between words of a line. */
function hasGap(b: Uint8Array, from: number, to: number): boolean {
  let i = from;
  while (i < to && byteAt(b, i) <= BLANK) i++;
  for (; i < to - 2; i++) if (b[i] === BLANK && b[i + 1] === BLANK && byteAt(b, i + 2) > BLANK) return true;
  return false;
}

/** The parts of a line between two blanks or more. */
function alignedParts(b: Uint8Array, from: number, to: number): Place[] {
  const parts: Place[] = [];
  for (let i = from; i < to; ) {
    while (i < to && byteAt(b, i) <= BLANK) i++;
    const begin = i;
    while (i < to && !(byteAt(b, i) <= BLANK && (byteAt(b, i + 1) <= BLANK || b[i] === TAB))) i++;
    if (i > begin) parts.push({ from: begin, to: i });
  }
  return parts;
}

/** The cells of a row: parted as the heads are, or else below them; null where a word crosses their bounds. */
function rowParts(
  b: Uint8Array,
  heads: readonly Place[],
  head: number,
  at: number,
  stop: number,
): readonly Place[] | null {
  const parts = alignedParts(b, at, stop);
  if (parts.length === heads.length) return parts;
  const cells: Place[] = [];
  for (let k = 0; k < heads.length; k++) {
    const from = at + (heads[k] as Place).from - head;
    const next = heads[k + 1];
    const to = next === undefined ? stop : at + next.from - head;
    if (from >= stop || (k > 0 && b[from - 1] !== BLANK)) return null;
    cells.push({ from, to: Math.min(to, stop) });
  }
  return cells;
}

/** What stands between single or double bars, of which the line begins with one; null for another line. */
function barredParts(b: Uint8Array, from: number, to: number, bars: 1 | 2): Place[] | null {
  if (b[from] !== VERTICAL_BAR) return null;
  const parts: Place[] = [];
  let begin = from + bars;
  for (let i = begin; i < to; i++) {
    if (b[i] !== VERTICAL_BAR || (bars === 2 && b[i + 1] !== VERTICAL_BAR)) continue;
    parts.push({ from: begin, to: i });
    begin = i + bars;
    i = begin - 1;
  }
  return parts;
}
