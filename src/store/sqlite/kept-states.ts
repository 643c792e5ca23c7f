import type { SessionState } from './session-state.ts';

/** What is kept in memory at most. */
export interface KeptLimits {
  /** Some 2 KB each without recent actions, some 20 KB with them. */
  states: number;
  /** Over all states: sessions with very many tools are not kept for long. */
  tools: number;
}
const defaultLimits: KeptLimits = { states: 10_000, tools: 500_000 };

/** Least recently used states go first, when `shrink` is asked: between transactions, as inside one they may be ahead of their rows. */
export function createKeptStates(limits: KeptLimits = defaultLimits) {
  const states = new Map<string, SessionState>();
  let tools = 0;
  let newest: SessionState | null = null;

  return {
    get(id: string): SessionState | undefined {
      const state = states.get(id);
      if (!state) return undefined;
      // A map keeps the places of deleted entries until it is copied: moving one session again and again would cost that.
      if (state === newest) return state;
      states.delete(id);
      states.set(id, state);
      newest = state;
      return state;
    },
    add(state: SessionState): void {
      states.set(state.row.uid, state);
      newest = state;
      tools += state.toolNameCount;
    },
    /** A kept state got so many tools more. */
    grew(more: number): void {
      tools += more;
    },
    shrink(): void {
      for (const [id, state] of states) {
        const fits = states.size <= limits.states && tools <= limits.tools;
        // One with very many tools would be read again for each of its actions.
        if (fits || states.size === 1) return;
        states.delete(id);
        tools -= state.toolNameCount;
      }
    },
    clear(): void {
      states.clear();
      newest = null;
      tools = 0;
    },
  };
}
