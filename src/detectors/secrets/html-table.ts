import type { Pass } from '../pass.ts';
import { GREATER_THAN, LESS_THAN, LOWER_D, LOWER_H, LOWER_R, LOWER_T, SLASH } from '../text/ascii.ts';
import { SPACE } from '../text/bytes.ts';
import { byteAt, is, loweredAt } from '../text/read.ts';
import { HeadedCells, type Place } from './headed-cells.ts';

/** Columns, and characters of a head and of a table, that are read. */
const MAX_COLUMNS = 64;
const MAX_HEAD = 4096;
const MAX_TABLE = 262_144;

/**
 * A table of HTML below its heads: `<th>Name</th>…<td>Jane Doe</td>…`, of which the closing tag of a head is at `at`. It is read
 * once, for all its columns.
 */
export function htmlTable(pass: Pass, at: number): void {
  if (at < pass.tableRead) return;
  const { bytes: b, start, end } = pass.text;
  let open = at;
  while (open > start && at - open < MAX_HEAD && b[open - 1] !== GREATER_THAN) open--;
  const heads: Place[] = [{ from: open, to: at }];
  const reader = new Tags(b, at, Math.min(end, at + MAX_HEAD));
  // until the row of heads ends
  for (let tag = reader.next(); tag !== 0 && !(tag === LOWER_R && reader.closes); tag = reader.next())
    if (tag === LOWER_H && !reader.closes && heads.length < MAX_COLUMNS) heads.push(reader.text());
  pass.tableRead = reader.at;
  const cells = new HeadedCells(pass, heads);
  if (heads.length < 2 || !cells.isTelling) return;
  const rows = new Tags(b, reader.at, Math.min(end, reader.at + MAX_TABLE));
  let column = 0;
  for (let tag = rows.next(); tag !== 0; tag = rows.next()) {
    if (tag === LOWER_R) column = 0;
    else if (tag === LOWER_T && rows.closes) break;
    else if ((tag === LOWER_D || tag === LOWER_H) && !rows.closes) cells.read(column++, rows.text());
  }
  pass.tableRead = rows.at;
}

/** Tags of tables in a text: th, td, tr, and table itself. */
class Tags {
  readonly #b: Uint8Array;
  readonly #stop: number;
  /** Behind the tag that was read last. */
  at: number;
  closes = false;

  constructor(b: Uint8Array, at: number, stop: number) {
    this.#b = b;
    this.at = at;
    this.#stop = stop;
  }

  /** The second letter of the next tag, a `t` for a table's; 0 when there is none. */
  next(): number {
    const b = this.#b;
    for (let i = this.at; i < this.#stop; i++) {
      if (b[i] !== LESS_THAN) continue;
      const isClosing = b[i + 1] === SLASH;
      const name = isClosing ? i + 2 : i + 1;
      if (loweredAt(b, name) !== LOWER_T) continue;
      const kind = KINDS[loweredAt(b, name + 1)] ?? 0;
      if (kind === 0) continue;
      let to = name;
      while (to < this.#stop && b[to] !== GREATER_THAN) to++;
      this.at = to + 1;
      this.closes = isClosing;
      return kind;
    }
    this.at = this.#stop;
    return 0;
  }

  /** The text behind the tag, without other tags around it. */
  text(): Place {
    const b = this.#b;
    let from = this.at;
    while (from < this.#stop && (is(b, from, SPACE) || b[from] === LESS_THAN)) {
      if (b[from] === LESS_THAN && (b[from + 1] === SLASH || loweredAt(b, from + 1) === LOWER_T)) break;
      if (b[from] === LESS_THAN) while (from < this.#stop && b[from] !== GREATER_THAN) from++;
      from++;
    }
    let to = from;
    while (to < this.#stop && b[to] !== LESS_THAN && byteAt(b, to) !== 0) to++;
    return { from, to };
  }
}

/** For the second letter of a tag that begins with t: what it is. */
const KINDS: Readonly<Record<number, number>> = {
  [LOWER_H]: LOWER_H,
  [LOWER_D]: LOWER_D,
  [LOWER_R]: LOWER_R,
  97: LOWER_T,
};
