/**
 * Shares a capacity between keys. A key may hold as much as is still free for others: alone half of the capacity, two of
 * them a third each, n of them 1/(n+1) each. So a key that takes all it can get never leaves another one with nothing.
 */
export class FairShare {
  #used = 0;
  readonly #usedBy = new Map<string, number>();

  get used(): number {
    return this.#used;
  }

  usedBy(key: string): number {
    return this.#usedBy.get(key) ?? 0;
  }

  /** Takes `amount` for the key, or takes nothing and returns false when its share has no room for it. */
  take(key: string, amount: number, capacity: number): boolean {
    const used = this.usedBy(key);
    if (used + amount > capacity - this.#used) return false;
    this.#used += amount;
    this.#usedBy.set(key, used + amount);
    return true;
  }

  /** The keys for which `take` has no room. */
  full(amount: number, capacity: number): string[] {
    const free = capacity - this.#used;
    return [...this.#usedBy].flatMap(([key, used]) => (used + amount > free ? [key] : []));
  }

  /** Must be called once for all that was taken. */
  release(key: string, amount: number): void {
    this.#used -= amount;
    const left = this.usedBy(key) - amount;
    if (left > 0) this.#usedBy.set(key, left);
    else this.#usedBy.delete(key);
  }
}
