/** Whose actions a counter counts together. */
export const counterScopes = ['session', 'entity', 'integration'] as const;
export type CounterScope = (typeof counterScopes)[number];

/** What is kept of counters, as it is before the evaluation that reads it. `counter` is the identity of its definition. */
export interface CounterRows {
  /** Null when there is no such row, and for the scope `session` without a session. */
  find(counter: string, scope: CounterScope, name: string): string | null;
}

/** A row to replace or to add. Without a session, one in the scope `session` is not kept. */
export interface CounterWrite {
  readonly counter: string;
  readonly scope: CounterScope;
  readonly name: string;
  readonly data: string;
  /** From when on the row says nothing any more: milliseconds since 1970; null for never. */
  readonly endsAt: number | null;
}
