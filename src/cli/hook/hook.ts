import type { AssizeClient } from '../../client/client.ts';
import type { Caller } from './caller.ts';
import type { Memory } from './memory.ts';

/** What one run of the hook works with. */
export interface Hook {
  caller: Caller;
  conversation: string;
  client: AssizeClient;
  memory: Memory;
  /** `agent`: the name that the session gets as its `client`. */
  options: { agent?: string; limitMs: number; waitMs: number; onHold: 'ask' | 'deny' | 'wait' };
}
