import type { AssizeClient } from '../../client/client.ts';
import type { Caller } from './caller.ts';
import type { Memory } from './memory.ts';

/** What one run of the hook works with. */
export interface Hook {
  caller: Caller;
  /** The name of the session: of the conversation, or of a sub-agent in it. */
  conversation: string;
  /** The name of the session that this one is a child of; null for that of the conversation itself. */
  parent: string | null;
  client: AssizeClient;
  memory: Memory;
  /** `agent`: the name that the session gets as its `client`. */
  options: { agent?: string; limitMs: number; waitMs: number; onHold: 'ask' | 'deny' | 'wait' };
}
