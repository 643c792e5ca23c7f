import type { SessionState } from './session-state.ts';

/** States kept in memory: some 2 KB each without recent actions, some 20 KB with them. */
const mostKept = 10_000;
/** Tools kept in memory, over all states: sessions with very many tools are not kept for long. */
const mostToolsKept = 500_000;

/** The states of the sessions last used; the least recently used go first. */
export function createKeptStates() {
  const states = new Map<string, SessionState>();
  let tools = 0;

  function drop(state: SessionState): void {
    states.delete(state.row.uid);
    tools -= state.toolCounts.size;
  }
  function shrink(): void {
    for (const state of states.values()) {
      if (states.size <= mostKept && tools <= mostToolsKept) return;
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
      if (states.get(state.row.uid) === state) tools++;
    },
    clear(): void {
      states.clear();
      tools = 0;
    },
  };
}
