import type { CounterRows, CounterScope, CounterWrite } from '../schemas/counter-rows.ts';
import type { SessionContext } from '../schemas/session-context.ts';

/** Finds what is kept under a name of a counter, in a scope of the evaluation's integration; null when there is nothing. */
export type FindCounterRow = (scope: string, counter: string, name: string) => string | null;

/** A write with the scope it belongs to. */
export interface CounterRow extends Omit<CounterWrite, 'scope'> {
  readonly scope: string;
}

export const sessionScope = (sessionId: string): string => `session ${sessionId}`;

/**
 * The scope of an evaluation, within its integration. All that has no entity shares one, so that leaving the entity out
 * lifts no limit. Null for that of a session where there is none.
 */
function scopeOf(scope: CounterScope, { id, entityId }: SessionContext): string | null {
  switch (scope) {
    case 'session':
      return id === '' ? null : sessionScope(id);
    case 'entity':
      return entityId === null ? 'entity' : `entity ${entityId}`;
    case 'integration':
      return 'integration';
  }
}

export const counterRowsOf = (context: SessionContext, find: FindCounterRow): CounterRows => ({
  find(counter, over, name) {
    const scope = scopeOf(over, context);
    return scope === null ? null : find(scope, counter, name);
  },
});

/** What is written of them; a session's rows say nothing any more once it has expired. */
export const scopedWrites = (
  context: SessionContext,
  expiresAt: number | null,
  writes: readonly CounterWrite[],
): CounterRow[] =>
  writes.flatMap(({ scope: over, endsAt, ...write }) => {
    const scope = scopeOf(over, context);
    if (scope === null) return [];
    if (over !== 'session' || expiresAt === null) return [{ ...write, scope, endsAt }];
    return [{ ...write, scope, endsAt: Math.min(endsAt ?? expiresAt, expiresAt) }];
  });

export interface CounterStore {
  /**
   * Deletes some of the rows of counters that ended before `before`, few enough not to hold up others. False when none is
   * left.
   */
  forgetEnded(before: number): Promise<boolean>;
}
