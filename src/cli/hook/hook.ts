import type { AssizeClient } from '../../client/client.ts';
import type { Caller } from './caller.ts';
import type { Memory } from './memory.ts';

/** What one run of the hook works with. */
export interface Hook {
  caller: Caller;
  conversation: string;
  client: AssizeClient;
  memory: Memory;
  options: { limitMs: number; waitMs: number; onHold: 'ask' | 'deny' | 'wait' };
}
