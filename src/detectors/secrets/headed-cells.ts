import { contextsOf } from '../context/columns.ts';
import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { byteAt } from '../text/read.ts';
import type { Label } from './classifier.ts';
import { classify, isSecretKind, MAX_LABEL } from './classifier.ts';
import { type ColumnKind, columnKind } from './column-kinds.ts';
import { isVerb } from './labels.ts';
import { isFrame } from './rows.ts';
import { secretValue } from './secret-value.ts';

const MAX_CELL = 160;

/** A part of a text. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

interface Column {
  readonly kind: ColumnKind | null;
  /** What its cells are when they are secrets. */
  readonly secret: Label | null;
  readonly contexts: readonly number[];
}

/** The columns of a table of any form, by the places of their heads. */
export class HeadedCells {
  readonly #pass: Pass;
  readonly #columns: readonly Column[];

  constructor(pass: Pass, heads: readonly Place[]) {
    this.#pass = pass;
    const begin = heads[0]?.from ?? 0;
    const stop = heads.at(-1)?.to ?? 0;
    this.#columns = heads.map((head) => {
      const { from, to } = trimmed(pass, head);
      return {
        kind: columnKind(pass, from, to, begin, stop),
        secret: secretLabel(pass, from, to),
        contexts: contextsOf(pass.text.bytes, from, to),
      };
    });
  }

  /** Whether any head tells what its cells are. */
  get isTelling(): boolean {
    return this.#columns.some(({ kind, secret, contexts }) => kind ?? secret ?? contexts.length > 0);
  }

  /** Reads a cell of the column with this number. Cells must be read in the order of the text. */
  read(index: number, cell: Place): void {
    const column = this.#columns[index];
    const { from, to } = trimmed(this.#pass, cell);
    if (column === undefined || to - from < 2 || to - from > MAX_CELL) return;
    this.#pass.context.noteCell(from, to, column.contexts);
    if (column.secret !== null) secretValue(this.#pass, column.secret, from, 'literal');
    else if (column.kind?.fits(this.#pass.slice(from, to))) this.#pass.found(column.kind.tag, BARE, from, to);
  }
}

function secretLabel(pass: Pass, from: number, to: number): Label | null {
  if (to - from < 2 || to - from > MAX_LABEL) return null;
  const label = classify(pass.text.bytes, from, to);
  const isSecret = label !== null && isSecretKind(label) && pass.isOn(label.tag);
  return isSecret && !isVerb(pass.text.bytes, from, to) ? label : null;
}

/** A place without the blanks, quotes and emphasis around it. */
function trimmed({ text: { bytes: b } }: Pass, place: Place): Place {
  let { from, to } = place;
  while (from < to && isFrame(byteAt(b, from))) from++;
  while (to > from && isFrame(byteAt(b, to - 1))) to--;
  return { from, to };
}
