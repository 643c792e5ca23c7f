import { CountedScope } from '../../evaluate/counters/scope.ts';
import type { CounterSet } from '../../evaluate/counters/sets.ts';
import type { CounterCellRows } from './counter-cells.ts';
import type { CounterScopeRows } from './counter-scope-rows.ts';

/** A scope that is no session. */
export interface KeptScope {
  readonly integrationRow: number;
  readonly name: string;
  scope: CountedScope;
  /** As it is in the row; undefined when there is none. */
  writtenEnd: number | null | undefined;
}

/** Some 2 KB each as a rule; with very many counters and values, 100. */
const mostKept = 2_000;

/** The scopes that are no sessions, in memory. */
export class KeptScopes {
  readonly #rows: CounterCellRows;
  readonly #scopeRows: CounterScopeRows;
  readonly #kept = new Map<number, Map<string, KeptScope>>();
  #count = 0;
  readonly #changed = new Set<KeptScope>();

  constructor(rows: CounterCellRows, scopeRows: CounterScopeRows) {
    this.#rows = rows;
    this.#scopeRows = scopeRows;
  }

  find(integrationRow: number, name: string, set: CounterSet): KeptScope {
    let ofIntegration = this.#kept.get(integrationRow);
    if (!ofIntegration) {
      ofIntegration = new Map();
      this.#kept.set(integrationRow, ofIntegration);
    }
    let one = ofIntegration.get(name);
    if (!one) {
      const row = this.#scopeRows.find(integrationRow, name);
      const scope = new CountedScope(set, this.#rows.of(integrationRow, name), row?.data ?? null);
      one = { integrationRow, name, scope, writtenEnd: row?.endsAt };
      ofIntegration.set(name, one);
      this.#count++;
    } else if (one.scope.set !== set) {
      this.#writeCells(one);
      one.scope = new CountedScope(set, this.#rows.of(integrationRow, name), one.scope.bytes);
    }
    return one;
  }

  change(one: KeptScope): void {
    this.#changed.add(one);
  }

  /** Its end was written: it must not be written again. */
  drop(integrationRow: number, name: string): void {
    const one = this.#kept.get(integrationRow)?.get(name);
    if (!one) return;
    this.#kept.get(integrationRow)?.delete(name);
    this.#changed.delete(one);
    this.#count--;
  }

  writeAll(): void {
    for (const one of this.#changed) this.#write(one);
    this.#changed.clear();
    if (this.#count > mostKept) this.forget();
  }
  forget(): void {
    this.#changed.clear();
    this.#kept.clear();
    this.#count = 0;
  }

  #write(one: KeptScope): void {
    const { integrationRow, name, scope, writtenEnd } = one;
    this.#writeCells(one);
    const data = scope.bytes;
    if (data === null) return;
    const { endsAt } = scope;
    this.#scopeRows.write(integrationRow, name, { data, endsAt }, writtenEnd);
    one.writtenEnd = endsAt;
  }
  #writeCells({ integrationRow, name, scope }: KeptScope): void {
    if (scope.changedRows.size > 0) this.#rows.write(integrationRow, name, scope.changedRows);
    scope.forgetRows();
  }
}
