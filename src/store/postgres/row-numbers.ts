/** Numbers that stand for ids, in the order in which they were asked for. */
export class RowNumbers {
  readonly #kind: string;
  readonly #ids: string[] = [];
  readonly #rows = new Map<string, number>();

  constructor(kind: string) {
    this.#kind = kind;
  }
  of(id: string): number {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = this.#ids.push(id);
      this.#rows.set(id, row);
    }
    return row;
  }
  idOf(row: number): string {
    const id = this.#ids[row - 1];
    if (id === undefined) throw new Error(`no ${this.#kind} has the number ${row}`);
    return id;
  }
}
