import type { SessionState } from './session-state.ts';

/** What is kept in memory at most. */
export interface KeptLimits {
  /** Some 2 KB each without recent actions, some 20 KB with them. */
  states: number;
  /** Over all states: sessions with very many tools are not kept for long. */
  tools: number;
}
const defaultLimits: KeptLimits = { states: 10_000, tools: 500_000 };

/** Least recently used states go first. */
export function createKeptStates(limits: KeptLimits = defaultLimits) {
  const states = new Map<string, SessionState>();
  let tools = 0;

  function drop(state: SessionState): void {
    states.delete(state.row.uid);
    tools -= state.toolCounts.size;
  }
  function shrink(): void {
    for (const state of states.values()) {
      const fits = states.size <= limits.states && tools <= limits.tools;
      // The last one is being worked on: dropped, it would be read again for every action.
      if (fits || states.size === 1) return;
      drop(state);
    }
  }

  return {
    get(id: string): SessionState | undefined {
      const state = states.get(id);
      if (!state) return undefined;
      states.delete(id);
      states.set(id, state);
      return state;
    },
    add(state: SessionState): void {
      states.set(state.row.uid, state);
      tools += state.toolCounts.size;
      shrink();
    },
    /** A kept state got one tool more. */
    grew(state: SessionState): void {
      if (states.get(state.row.uid) !== state) return;
      tools++;
      shrink();
    },
    clear(): void {
      states.clear();
      tools = 0;
    },
  };
}
